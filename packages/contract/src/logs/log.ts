import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { exportFormatSchema } from "../export-format.ts";
import { FILTER_LIMITS, LOG_RESULT_FILTERS, LOG_RESULTS } from "../constants.ts";
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
  token_id: z.int(),
  token_name: z.string(),
  model_name: z.string(),
  quota: quotaSchema,
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** 0 for entries without one, and for callers who are not administrators. */
  channel: z.int(),
  request_id: z.string(),
  /** From the caller's first byte to the last byte of the answer, in ms. */
  elapsed_time: z.int(),
  is_stream: z.boolean(),
  result: z.enum(LOG_RESULTS),
  /** HTTP status of the provider or of the gateway's refusal; 0 for none. */
  status_code: z.int(),
  /** For administrators; empty without a channel or if it is deleted. */
  channel_name: z.string(),
  /** Cost at the provider, in quota. For administrators; absent if it is unknown or nothing. */
  cost: z.optional(quotaSchema),
  /** Absent for requests, and for imported entries. */
  event: z.optional(logEventSchema),
  detail: z.optional(logDetailSchema),
});

export type Log = z.infer<typeof logSchema>;

const timestampFilterSchema = z._default(
  z.coerce.number().check(z.int(), z.minimum(0), z.maximum(FILTER_LIMITS.seconds)),
  0,
);

/** A filter by one value or, as a repeated parameter, by several; empty texts and 0 are left out, and no value matches all. */
function severalOf<Value extends z.ZodMiniType<string | number>>(value: Value) {
  const given = z.union([
    value,
    z.array(value).check(z.maxLength(FILTER_LIMITS.values, `Choose at most ${FILTER_LIMITS.values} values.`)),
  ]);
  return z._default(
    z.pipe(
      given,
      z.transform((values) => [values].flat().filter((one) => one !== "" && one !== 0)),
    ),
    [],
  );
}

const nameFilterSchema = z.string().check(z.trim(), z.maxLength(FILTER_LIMITS.nameLength));

export const logFilterFields = {
  result: severalOf(z.enum(LOG_RESULT_FILTERS)),
  type: severalOf(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(99))),
  token_name: severalOf(nameFilterSchema),
  model_name: severalOf(nameFilterSchema),
  alias: severalOf(z.string().check(z.trim(), z.maxLength(FILTER_LIMITS.aliasLength))),
  start_timestamp: timestampFilterSchema,
  end_timestamp: timestampFilterSchema,
};

export const allLogsFilterFields = {
  ...logFilterFields,
  username: severalOf(nameFilterSchema),
  channel: severalOf(z.coerce.number().check(z.int(), z.minimum(0))),
};

const placeFields = {
  p: pageSchema,
  size: pageSizeSchema,
  /** Excludes entries after this id, so that pages stay stable while entries are added; 0 for none. */
  up_to: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
};

export const listLogs = defineCall({
  method: "GET",
  path: "/api/log/",
  access: "admin",
  summary: "Lists one page of all users' log entries, newest first",
  query: z.object({ ...placeFields, ...allLogsFilterFields }),
  data: z.array(logSchema),
});

export const listOwnLogs = defineCall({
  method: "GET",
  path: "/api/log/self/",
  access: "user",
  summary: "Lists one page of the caller's log entries, newest first",
  query: z.object({ ...placeFields, ...logFilterFields }),
  data: z.array(logSchema),
});

const requestParamsSchema = z.object({ request_id: z.string().check(z.minLength(1), z.maxLength(64)) });

export const getRequest = defineCall({
  method: "GET",
  path: "/api/log/request/:request_id",
  access: "admin",
  summary: "Finds the log entry of any user's request by the id in its response header; null if there is none (yet)",
  params: requestParamsSchema,
  data: z.nullable(logSchema),
});

export const getOwnRequest = defineCall({
  method: "GET",
  path: "/api/log/self/request/:request_id",
  access: "user",
  summary:
    "Finds the log entry of one of the caller's requests by the id in its response header; null if there is none (yet)",
  params: requestParamsSchema,
  data: z.nullable(logSchema),
});

const afterSchema = z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0);

const logTailSchema = z.object({
  entries: z.array(logSchema),
  /** Id of the newest entry of the whole log: the start of the next call. */
  newest: z.int(),
  is_cut: z.boolean(),
});

export type LogTail = z.infer<typeof logTailSchema>;

export const tailLogs = defineCall({
  method: "GET",
  path: "/api/log/tail",
  access: "admin",
  summary: "Lists all users' log entries after a given one; without one, returns where to begin",
  query: z.object({ after: afterSchema, ...allLogsFilterFields }),
  data: logTailSchema,
});

export const tailOwnLogs = defineCall({
  method: "GET",
  path: "/api/log/self/tail",
  access: "user",
  summary: "Lists the caller's log entries after a given one; without one, returns where to begin",
  query: z.object({ after: afterSchema, ...logFilterFields }),
  data: logTailSchema,
});

export const exportLogs = defineCall({
  method: "GET",
  path: "/api/log/export",
  access: "admin",
  summary: "Exports all users' log entries as a file, newest first, without those that are added meanwhile",
  query: z.object({ format: exportFormatSchema, ...allLogsFilterFields }),
  data: z.string(),
});

export const exportOwnLogs = defineCall({
  method: "GET",
  path: "/api/log/self/export",
  access: "user",
  summary: "Exports the caller's log entries as a file, newest first, without those that are added meanwhile",
  query: z.object({ format: exportFormatSchema, ...logFilterFields }),
  data: z.string(),
});

const logStorySchema = z.extend(logSchema, {
  /** The request's bodies are stored, and the caller may read them. */
  has_bodies: z._default(z.boolean(), false),
  channel_names: z.array(z.object({ id: z.int(), name: z.string() })),
});

export type LogStory = z.infer<typeof logStorySchema>;

export const getLog = defineCall({
  method: "GET",
  path: "/api/log/:id",
  access: "admin",
  summary: "Returns all details of a log entry",
  params: idParamsSchema,
  data: logStorySchema,
});

export const getOwnLog = defineCall({
  method: "GET",
  path: "/api/log/self/:id",
  access: "user",
  summary: "Returns all details of one of the caller's log entries",
  params: idParamsSchema,
  data: logStorySchema,
});

/** Stored request and answer, without keys and files. */
const logBodiesSchema = z.object({
  request: z.string(),
  /** A stream's parts are joined. */
  answer: z.string(),
  request_bytes: z.int(),
  answer_bytes: z.int(),
  request_is_truncated: z.boolean(),
  answer_is_truncated: z.boolean(),
});

export type LogBodies = z.infer<typeof logBodiesSchema>;

export const getLogBodies = defineCall({
  method: "GET",
  path: "/api/log/:id/bodies",
  access: "root",
  summary: "Returns the stored request and answer of any user's entry; reading another user's is audited",
  params: idParamsSchema,
  data: logBodiesSchema,
});

export const getOwnLogBodies = defineCall({
  method: "GET",
  path: "/api/log/self/:id/bodies",
  access: "user",
  summary: "Returns the stored request and answer of one of the caller's entries",
  params: idParamsSchema,
  data: logBodiesSchema,
});
