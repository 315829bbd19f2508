import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { FILTER_LIMITS, LOG_RESULTS } from "../constants.ts";
import { quotaSchema, unixSecondsSchema } from "../fields.ts";
import { allLogsFilterFields, logFilterFields } from "./log.ts";

const logStatSchema = z.object({
  quota: quotaSchema,
  /** Prompt and completion tokens of the same entries. */
  token: z.int(),
});

export const getLogStat = defineCall({
  method: "GET",
  path: "/api/log/stat",
  access: "admin",
  summary: "Returns totals of all users' consumption",
  query: z.object(allLogsFilterFields),
  data: logStatSchema,
});

export const getOwnLogStat = defineCall({
  method: "GET",
  path: "/api/log/self/stat",
  access: "user",
  summary: "Returns totals of the caller's consumption",
  query: z.object(logFilterFields),
  data: logStatSchema,
});

/** Values of a filter among the entries that all other filters match, most frequent first. */
const facetSchema = z.array(
  z.object({
    value: z.string(),
    label: z.string(),
    entries: z.int(),
  }),
);

export type LogFacetValue = z.infer<typeof facetSchema>[number];

export const MAX_FACET_VALUES = 20;

/** Only values that contain it, ignoring case; those that begin with it come first. Channels are found by id or name. */
const facetKeywordSchema = z._default(z.string().check(z.trim(), z.maxLength(FILTER_LIMITS.nameLength)), "");

const OWN_FACETS = ["type", "result", "model_name", "token_name", "alias"] as const;

const facetFieldSchema = z.enum([...OWN_FACETS, "channel", "username"]);

export type LogFacet = z.infer<typeof facetFieldSchema>;

export const countLogFacet = defineCall({
  method: "GET",
  path: "/api/log/facet",
  access: "admin",
  summary: "Counts all users' log entries by the values of one filter, whose own value is ignored",
  query: z.object({ field: facetFieldSchema, keyword: facetKeywordSchema, ...allLogsFilterFields }),
  data: facetSchema,
});

export const countOwnLogFacet = defineCall({
  method: "GET",
  path: "/api/log/self/facet",
  access: "user",
  summary: "Counts the caller's log entries by the values of one filter, whose own value is ignored",
  query: z.object({ field: z.enum(OWN_FACETS), keyword: facetKeywordSchema, ...logFilterFields }),
  data: facetSchema,
});

const logErrorsSchema = z.object({
  groups: z.array(
    z.object({
      kind: z.string(),
      status_code: z.int(),
      /** Message of the newest entry. Messages of a group differ in numbers and ids only. */
      message: z.string(),
      entries: z.int(),
      first_at: unixSecondsSchema,
      last_at: unixSecondsSchema,
      newest_id: z.int(),
      /** Channels whose attempts failed, for administrators; the name is empty if the channel is deleted. */
      channels: z.array(z.object({ id: z.int(), name: z.string(), entries: z.int() })),
    }),
  ),
  read: z.int(),
  /** Entries that match; more than `read` if only the newest ones were grouped. */
  total: z.int(),
});

export type LogErrors = z.infer<typeof logErrorsSchema>;

export const groupLogErrors = defineCall({
  method: "GET",
  path: "/api/log/errors",
  access: "admin",
  summary: "Groups all users' newest failed requests by the provider's message",
  query: z.object(allLogsFilterFields),
  data: logErrorsSchema,
});

export const groupOwnLogErrors = defineCall({
  method: "GET",
  path: "/api/log/self/errors",
  access: "user",
  summary: "Groups the caller's newest failed requests by the provider's message",
  query: z.object(logFilterFields),
  data: logErrorsSchema,
});

const EDGES = /^\d{1,11}(?:,\d{1,11}){1,100}$/;

const histogramFields = {
  /** Unix seconds, comma-separated: the start of each interval, and the end of the last one. */
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

/** Entries of each interval by result, without empty intervals. */
const histogramSchema = z.array(z.object({ interval: z.int(), result: z.enum(LOG_RESULTS), entries: z.int() }));

export type LogHistogram = z.infer<typeof histogramSchema>;

export const getLogHistogram = defineCall({
  method: "GET",
  path: "/api/log/histogram",
  access: "admin",
  summary: "Counts all users' matching log entries by interval and result",
  query: z.object({ ...histogramFields, ...allLogsFilterFields }),
  data: histogramSchema,
});

export const getOwnLogHistogram = defineCall({
  method: "GET",
  path: "/api/log/self/histogram",
  access: "user",
  summary: "Counts the caller's matching log entries by interval and result",
  query: z.object({ ...histogramFields, ...logFilterFields }),
  data: histogramSchema,
});

export const LOG_STORE_STATES = ["off", "starting", "rebuilding", "following", "idle", "stalled"] as const;

export const getLogStore = defineCall({
  method: "GET",
  path: "/api/log/store",
  access: "user",
  summary: "Returns the state of the log store: whether it has the whole log, and its progress while it is rebuilt",
  data: z.object({
    state: z.enum(LOG_STORE_STATES),
    /** Part of the log that the store has, 0 to 1. */
    progress: z.number(),
  }),
});
