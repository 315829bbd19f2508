import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { LOG_RESULT_FILTERS, LOG_RESULTS } from "../constants.ts";
import { idParamsSchema, pageSchema, pageSizeSchema, quotaSchema, unixSecondsSchema } from "../fields.ts";
import { logDetailSchema } from "./log-detail.ts";
import { logEventSchema } from "./log-event.ts";

export { LOG_TYPE } from "../constants.ts";

export type LogResult = (typeof LOG_RESULTS)[number];

export type LogResultFilter = (typeof LOG_RESULT_FILTERS)[number];

export const logSchema = z.object({
  id: z.int(),
  user_id: z.int(),
  created_at: unixSecondsSchema,
  type: z.int(),
  content: z.string(),
  username: z.string(),
  /** 0 for entries without a token, and before servers that do not say. */
  token_id: z._default(z.int(), 0),
  token_name: z.string(),
  model_name: z.string(),
  quota: quotaSchema,
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Channel id; 0 for entries without one and for callers who are no administrators. */
  channel: z.int(),
  request_id: z.string(),
  /** From the caller's first byte to the last byte of the answer, in ms. */
  elapsed_time: z.int(),
  is_stream: z.boolean(),
  result: z._default(z.enum(LOG_RESULTS), ""),
  /** HTTP status that the provider gave, or that the gateway refused with; 0 for none. */
  status_code: z._default(z.int(), 0),
  /** Name of the channel, for administrators; empty for entries without one and when it is deleted. */
  channel_name: z._default(z.string(), ""),
  /** What an entry that is of no request tells, for who tells it in another language; absent from entries of older versions. */
  event: z.optional(logEventSchema),
  detail: z.optional(logDetailSchema),
});

export type Log = z.infer<typeof logSchema>;

const timestampFilterSchema = z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(99_999_999_999)), 0);

const filterFields = {
  /** Empty for all, "errors" for every result but ok. */
  result: z._default(z.enum(LOG_RESULT_FILTERS), ""),
  type: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(99)), 0),
  token_name: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
  model_name: z._default(z.string().check(z.trim(), z.maxLength(128)), ""),
  /** Unix seconds; 0 is no bound. */
  start_timestamp: timestampFilterSchema,
  end_timestamp: timestampFilterSchema,
};

const adminFilterFields = {
  ...filterFields,
  username: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
  /** Channel id; empty or 0 for all. */
  channel: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
};

const logStatSchema = z.object({
  /** Quota of the consumption entries that the filters leave. */
  quota: quotaSchema,
  /** Prompt and completion tokens of the same entries. */
  token: z.int(),
});

const placeFields = {
  p: pageSchema,
  size: pageSizeSchema,
  /** Entries after this id are left out, so that pages stay as they are while new ones come; 0 for none. */
  up_to: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
};

export const listLogs = defineCall({
  method: "GET",
  path: "/api/log/",
  access: "admin",
  summary: "One page of everybody's log entries, newest first",
  query: z.object({ ...placeFields, ...adminFilterFields }),
  data: z.array(logSchema),
});

export const listOwnLogs = defineCall({
  method: "GET",
  path: "/api/log/self/",
  access: "user",
  summary: "One page of the own log entries, newest first",
  query: z.object({ ...placeFields, ...filterFields }),
  data: z.array(logSchema),
});

const requestParamsSchema = z.object({ request_id: z.string().check(z.minLength(1), z.maxLength(64)) });

export const getRequest = defineCall({
  method: "GET",
  path: "/api/log/request/:request_id",
  access: "admin",
  summary:
    "The log entry of one request of anybody's, by the id in its answer's header; null where there is none (yet)",
  params: requestParamsSchema,
  data: z.nullable(logSchema),
});

export const getOwnRequest = defineCall({
  method: "GET",
  path: "/api/log/self/request/:request_id",
  access: "user",
  summary: "The own log entry of one request, by the id in its answer's header; null where there is none (yet)",
  params: requestParamsSchema,
  data: z.nullable(logSchema),
});

export const getLogStat = defineCall({
  method: "GET",
  path: "/api/log/stat",
  access: "admin",
  summary: "Totals of everybody's consumption",
  query: z.object(adminFilterFields),
  data: logStatSchema,
});

export const getOwnLogStat = defineCall({
  method: "GET",
  path: "/api/log/self/stat",
  access: "user",
  summary: "Totals of the own consumption",
  query: z.object(filterFields),
  data: logStatSchema,
});

/** How many of the requests that the filters leave ended in each way, the most frequent first. */
const resultCountsSchema = z.array(z.object({ result: z.enum(LOG_RESULTS), requests: z.int() }));

export const countLogResults = defineCall({
  method: "GET",
  path: "/api/log/result",
  access: "admin",
  summary: "How everybody's requests ended, with how many of each",
  query: z.object(adminFilterFields),
  data: resultCountsSchema,
});

export const countOwnLogResults = defineCall({
  method: "GET",
  path: "/api/log/self/result",
  access: "user",
  summary: "How the own requests ended, with how many of each",
  query: z.object(filterFields),
  data: resultCountsSchema,
});

const EDGES = /^\d{1,11}(?:,\d{1,11}){1,100}$/;

const histogramFields = {
  /** Unix seconds, with commas: the start of each interval, and the end of the last one. */
  edges: z
    .string()
    .check(
      z.refine(
        (text) =>
          EDGES.test(text) &&
          text.split(",").every((edge, index, all) => index === 0 || Number(edge) > Number(all[index - 1])),
        "edges must be 2 to 101 times in Unix seconds, each after the one before.",
      ),
    ),
};

/** Entries of each interval by the result of their request; intervals without any are left out. */
const histogramSchema = z.array(z.object({ interval: z.int(), result: z.enum(LOG_RESULTS), entries: z.int() }));

export type LogHistogram = z.infer<typeof histogramSchema>;

export const getLogHistogram = defineCall({
  method: "GET",
  path: "/api/log/histogram",
  access: "admin",
  summary: "How many of everybody's log entries match in each interval, by result",
  query: z.object({ ...histogramFields, ...adminFilterFields }),
  data: histogramSchema,
});

export const getOwnLogHistogram = defineCall({
  method: "GET",
  path: "/api/log/self/histogram",
  access: "user",
  summary: "How many of the own log entries match in each interval, by result",
  query: z.object({ ...histogramFields, ...filterFields }),
  data: histogramSchema,
});

/** States of the log store; see `packages/log-store`. */
export const LOG_STORE_STATES = ["off", "starting", "rebuilding", "following", "idle", "stalled"] as const;

export const getLogStore = defineCall({
  method: "GET",
  path: "/api/log/store",
  access: "user",
  summary: "Whether totals and dashboards have the whole log, and how much of it while they are being rebuilt",
  data: z.object({
    state: z.enum(LOG_STORE_STATES),
    /** Part of the log that they have, 0 to 1. */
    progress: z.number(),
  }),
});

const afterSchema = z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0);

/** What came after an entry. */
const logTailSchema = z.object({
  /** Newest first, 100 at the most. */
  entries: z.array(logSchema),
  /** The newest entry of the whole log, after which the next question asks. */
  newest: z.int(),
  /** More came than are answered. */
  is_cut: z.boolean(),
});

export type LogTail = z.infer<typeof logTailSchema>;

export const tailLogs = defineCall({
  method: "GET",
  path: "/api/log/tail",
  access: "admin",
  summary: "Everybody's log entries after one; without one, where to begin",
  query: z.object({ after: afterSchema, ...adminFilterFields }),
  data: logTailSchema,
});

export const tailOwnLogs = defineCall({
  method: "GET",
  path: "/api/log/self/tail",
  access: "user",
  summary: "The own log entries after one; without one, where to begin",
  query: z.object({ after: afterSchema, ...filterFields }),
  data: logTailSchema,
});

export const LOG_EXPORT_FORMATS = ["csv", "jsonl"] as const;

/** A table for spreadsheets, or each entry as JSON in a line of its own. */
export type LogExportFormat = (typeof LOG_EXPORT_FORMATS)[number];

const formatSchema = z._default(z.enum(LOG_EXPORT_FORMATS), "csv");

export const exportLogs = defineCall({
  method: "GET",
  path: "/api/log/export",
  access: "admin",
  summary: "Everybody's log entries as a file, newest first; those that come meanwhile are left out",
  query: z.object({ format: formatSchema, ...adminFilterFields }),
  data: z.string(),
});

export const exportOwnLogs = defineCall({
  method: "GET",
  path: "/api/log/self/export",
  access: "user",
  summary: "The own log entries as a file, newest first; those that come meanwhile are left out",
  query: z.object({ format: formatSchema, ...filterFields }),
  data: z.string(),
});

/** An entry with what a list of entries leaves out. */
const logStorySchema = z.extend(logSchema, {
  /** What was said is kept, and the caller may read it. */
  has_bodies: z._default(z.boolean(), false),
  /** Names of the channels that the entry tells of, for administrators; those that are deleted have none. */
  channel_names: z.array(z.object({ id: z.int(), name: z.string() })),
});

export type LogStory = z.infer<typeof logStorySchema>;

export const getLog = defineCall({
  method: "GET",
  path: "/api/log/:id",
  access: "admin",
  summary: "Everything that is known of an entry",
  params: idParamsSchema,
  data: logStorySchema,
});

export const getOwnLog = defineCall({
  method: "GET",
  path: "/api/log/self/:id",
  access: "user",
  summary: "Everything that is known of one of the own entries",
  params: idParamsSchema,
  data: logStorySchema,
});

/** What a request said and was answered, without keys and files. */
const logBodiesSchema = z.object({
  request: z.string(),
  /** As it was sent; a stream's pieces put together. */
  answer: z.string(),
  /** Bytes that came and left. */
  request_bytes: z.int(),
  answer_bytes: z.int(),
  /** More came than is kept. */
  request_is_truncated: z.boolean(),
  answer_is_truncated: z.boolean(),
});

export type LogBodies = z.infer<typeof logBodiesSchema>;

export const getLogBodies = defineCall({
  method: "GET",
  path: "/api/log/:id/bodies",
  access: "root",
  summary: "What a request said and was answered, where its token keeps that; a look at somebody else's is audited",
  params: idParamsSchema,
  data: logBodiesSchema,
});

export const getOwnLogBodies = defineCall({
  method: "GET",
  path: "/api/log/self/:id/bodies",
  access: "user",
  summary: "What one of the own requests said and was answered, where its token keeps that",
  params: idParamsSchema,
  data: logBodiesSchema,
});

const targetSchema = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(99_999_999_999));

export const clearLogs = defineCall({
  method: "DELETE",
  path: "/api/log/",
  access: "admin",
  summary: "Removes the log entries from before a time, and answers how many; balances stay as they are",
  query: z.object({ target_timestamp: targetSchema }),
  data: z.int(),
});

export const startLogClearing = defineCall({
  method: "POST",
  path: "/api/log/clearing",
  access: "admin",
  summary: "Begins to remove the log entries from before a time, and answers at once how many they are",
  body: z.object({ target_timestamp: targetSchema }),
  data: z.object({ entries: z.int() }),
});

export const getLogClearing = defineCall({
  method: "GET",
  path: "/api/log/clearing",
  access: "admin",
  summary: "How many log entries are from before a time, and how far the clearing is that this server runs",
  query: z.object({ target_timestamp: targetSchema }),
  data: z.object({
    /** Entries from before the time. */
    entries: z.int(),
    /** How many the running clearing has removed; null while none runs. */
    cleared: z.nullable(z.int()),
  }),
});

/** What a filter of the log suggests while one types. */
const logSuggestionsSchema = z.array(
  z.object({
    value: z.string(),
    label: z.string(),
    /** Entries that have the value; absent for channels. */
    entries: z.optional(z.int()),
  }),
);

/** At most this many suggestions are answered. */
export const MAX_LOG_SUGGESTIONS = 20;

const suggestionKeywordSchema = z._default(z.string().check(z.trim(), z.maxLength(128)), "");

export const suggestLogFilters = defineCall({
  method: "GET",
  path: "/api/log/suggestion",
  access: "admin",
  summary:
    "Values that a filter of everybody's log can take, those that begin with the keyword first; channels by id and name",
  query: z.object({
    field: z.enum(["model_name", "token_name", "username", "channel"]),
    keyword: suggestionKeywordSchema,
  }),
  data: logSuggestionsSchema,
});

export const suggestOwnLogFilters = defineCall({
  method: "GET",
  path: "/api/log/self/suggestion",
  access: "user",
  summary: "Values that a filter of the own log can take, those that begin with the keyword first",
  query: z.object({ field: z.enum(["model_name", "token_name"]), keyword: suggestionKeywordSchema }),
  data: logSuggestionsSchema,
});
