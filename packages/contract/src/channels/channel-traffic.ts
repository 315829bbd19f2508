import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { LOG_RESULTS } from "../constants.ts";
import { idParamsSchema, unixSecondsSchema } from "../fields.ts";
import { firstByteFields } from "../usage/first-byte.ts";

/** Why a channel, or one of its models, is passed over for now; empty while it is asked. */
export const REST_REASONS = ["", "rate-limited", "failing", "refused"] as const;

const totals = {
  /** Requests that ended at the channel, whatever came of them. */
  requests: z.int(),
  /** Those of them that failed by no fault of their caller. */
  errors: z.int(),
  quota: z.int(),
  /** Prompt and completion tokens. */
  tokens: z.int(),
};

const modelTrafficSchema = z.object({
  model: z.string(),
  /** False for one that had requests and is not in the channel's list any more. */
  served: z.boolean(),
  rest: z.enum(REST_REASONS),
  /** Until when it rests; 0 while it does not. */
  until: unixSecondsSchema,
  /** What it lately took until an answer began, as the server that was asked has seen it, in ms; null where it has seen none. */
  latency_ms: z.nullable(z.int()),
  ...totals,
});

export const channelTrafficSchema = z.object({
  /** The time that the totals are of. */
  from: unixSecondsSchema,
  to: unixSecondsSchema,
  ...totals,
  ...firstByteFields,
  /** How the requests ended, those that there were. */
  results: z.array(z.object({ result: z.enum(LOG_RESULTS), requests: z.int() })),
  models: z.array(modelTrafficSchema),
  /** What counts towards the spending limit. */
  spent_quota: z.int(),
});

export type ChannelTraffic = z.infer<typeof channelTrafficSchema>;

export const getChannelTraffic = defineCall({
  method: "GET",
  path: "/api/channel/:id/traffic",
  access: "admin",
  summary: "What a channel did in the last 24 hours, by result and model, and which of its models rest",
  params: idParamsSchema,
  data: channelTrafficSchema,
});

/** The times of a channel are those of so many answered requests at the most, the newest ones. */
export const TIMED_REQUESTS = 2_000;

export const channelTimesSchema = z.object({
  /** How many requests the times are of. */
  requests: z.int(),
  models: z.array(
    z.object({
      model: z.string(),
      requests: z.int(),
      /** Of its streams: until the first byte, in ms; null without streams. */
      first_byte_p50_ms: z.nullable(z.int()),
      /** Of all its requests: until the last byte, in ms. */
      duration_p50_ms: z.int(),
    }),
  ),
});

export type ChannelTimes = z.infer<typeof channelTimesSchema>;

export const getChannelTimes = defineCall({
  method: "GET",
  path: "/api/channel/:id/times",
  access: "admin",
  summary:
    "How quickly a channel's models lately answered: medians of its newest 2,000 answered requests of the last 24 hours",
  params: idParamsSchema,
  data: channelTimesSchema,
});
