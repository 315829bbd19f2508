import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { LOG_RESULTS } from "../constants.ts";
import { idParamsSchema, keywordSchema, unixSecondsSchema } from "../fields.ts";
import { firstByteFields } from "../usage/first-byte.ts";
import { channelFilters, channelSearchFields } from "../channels/channel.ts";
import { CHANNEL_GROUPINGS } from "../channels/channel-groupings.ts";

/** Reason of a cooldown of a channel or one of its models; empty without one. */
export const REST_REASONS = ["", "rate-limited", "failing", "refused"] as const;

const totals = {
  /** Requests whose last attempt was at the channel. */
  requests: z.int(),
  /** Those that failed by no fault of their caller. */
  errors: z.int(),
  quota: z.int(),
  tokens: z.int(),
};

const modelTrafficSchema = z.object({
  model: z.string(),
  served: z.boolean(),
  rest: z.enum(REST_REASONS),
  until: unixSecondsSchema,
  /** Recent time to the first byte on the answering server, in ms; null without data. */
  latency_ms: z.nullable(z.int()),
  ...totals,
});

const channelTrafficSchema = z.object({
  from: unixSecondsSchema,
  to: unixSecondsSchema,
  ...totals,
  ...firstByteFields,
  results: z.array(z.object({ result: z.enum(LOG_RESULTS), requests: z.int() })),
  models: z.array(modelTrafficSchema),
  /** Quota that counts towards the spending limit. */
  spent_quota: z.int(),
});

export type ChannelTraffic = z.infer<typeof channelTrafficSchema>;

/** How far back a channel's traffic is read. */
const lastDaysQuery = z.object({ days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(30)), 1) });

export const getChannelTraffic = defineCall({
  method: "GET",
  path: "/api/channel/:id/traffic",
  access: "admin",
  summary:
    "Returns a channel's requests of the last 24 hours, or of up to 30 days, by result and model, and its models in cooldown",
  params: idParamsSchema,
  query: lastDaysQuery,
  data: channelTrafficSchema,
});

const dayTotals = {
  requests: z.int(),
  /** Those that failed by no fault of their caller. */
  errors: z.int(),
  quota: z.int(),
};

const channelDaySchema = z.object({
  id: z.int(),
  ...dayTotals,
  /** Cost to the operator, in quota. Requests of unknown cost count with their charge. */
  cost: z.int(),
  /** Median time to the first byte of streams, in ms; null without streams. */
  first_byte_p50_ms: z.nullable(z.int()),
  /** Requests by the hour, the newest last. */
  hours: z.array(z.int()),
});

export type ChannelDay = z.infer<typeof channelDaySchema>;

export const listChannelTraffic = defineCall({
  method: "GET",
  path: "/api/channel/traffic",
  access: "admin",
  summary: "Returns the requests, errors, spend and times of all channels in the last 24 hours, at most 30 s old",
  data: z.object({
    to: unixSecondsSchema,
    channels: z.array(channelDaySchema),
  }),
});

const channelGroupSchema = z.object({
  /** Number of a type, or a tag; empty for channels without a tag. */
  name: z.string(),
  channels: z.int(),
  auto_disabled: z.int(),
  ...dayTotals,
});

export type ChannelGroup = z.infer<typeof channelGroupSchema>;

export const listChannelGroups = defineCall({
  method: "GET",
  path: "/api/channel/groups",
  access: "admin",
  summary: "Returns the groups of the channels that match a search and filters, with their sums of the last 24 hours",
  query: z.object({
    keyword: keywordSchema,
    ...channelFilters,
    ...channelSearchFields,
    grouped_by: z.enum(CHANNEL_GROUPINGS),
  }),
  data: z.array(channelGroupSchema),
});

/** Upper bound of the newest answered requests that a channel's times are measured on. */
export const TIMED_REQUESTS = 2_000;

const channelTimesSchema = z.object({
  requests: z.int(),
  models: z.array(
    z.object({
      model: z.string(),
      requests: z.int(),
      first_byte_p50_ms: z.nullable(z.int()),
      /** All requests: time to the last byte, in ms. */
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
    "Returns the response times of a channel's models: medians of its newest 2,000 answered requests of the last 24 hours, or of up to 30 days",
  params: idParamsSchema,
  query: lastDaysQuery,
  data: channelTimesSchema,
});
