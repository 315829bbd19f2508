import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { FILTER_LIMITS } from "../constants.ts";
import { CHANNEL_HINTS } from "../channels/channel-constants.ts";
import { reasonPartsSchema } from "../channels/channel.ts";
import { quotaSchema } from "../fields.ts";
import { timesFields } from "./first-byte.ts";

/** What a breakdown may be by; the last two are for administrators. */
export const DASHBOARD_KEYS = ["model", "token", "channel", "user"] as const;

/** What a breakdown is sorted by, the largest first. */
export const DASHBOARD_METRICS = ["spend", "requests", "tokens", "errors", "first_byte", "cache", "margin"] as const;

/** So many rows are answered; the others are added up. */
export const MAX_DASHBOARD_ROWS = 20;

/** So many rows may be told in parts as well. */
export const MAX_DASHBOARD_SERIES = 6;

/** Parts that a time may have. */
export const MAX_DASHBOARD_PARTS = 100;

/** What was used in a time. */
export const usageSchema = z.object({
  /** Requests that a provider was asked for. */
  requests: z.int(),
  /** Those among them that failed by no fault of their caller. */
  errors: z.int(),
  /** Calls that the gateway refused. */
  refused: z.int(),
  quota: quotaSchema,
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Prompt tokens that providers read from their cache. */
  cached_tokens: z.int(),
  /** Those of parts are told where `metric` is `first_byte`. */
  ...timesFields,
  /** What it cost the operator, in quota, as far as that is known; for administrators. */
  cost: z.optional(z.int()),
  /** Requests whose cost nobody knows, and what was charged for them; for administrators. */
  unknown_cost_requests: z.optional(z.int()),
  unknown_cost_quota: z.optional(z.int()),
});

export type Usage = z.infer<typeof usageSchema>;

export const dashboardRowSchema = z.extend(usageSchema, {
  /** The model, the id of a channel or a user, or whose token it is and its name, with a slash between. */
  key: z.string(),
  /** What it is called; empty when it is gone, or for requests without any. */
  name: z.string(),
  /** Username of a token's owner, in everybody's usage; else empty. */
  owner: z.string(),
  /** What was used of it in each part of the time, for as many of the first rows as was asked. */
  parts: z.optional(z.array(usageSchema)),
});

export type DashboardRow = z.infer<typeof dashboardRowSchema>;

export const dashboardSchema = z.object({
  /** Where the parts really begin, and the last one ends: usage is counted by half hours (Unix seconds). */
  edges: z.array(z.int()),
  parts: z.array(usageSchema),
  total: usageSchema,
  /** In the time to compare with; null where none was asked for. */
  before: z.nullable(usageSchema),
  rows: z.array(dashboardRowSchema),
  /** What is not among the rows; null when there is nothing. */
  rest: z.nullable(z.extend(usageSchema, { count: z.int() })),
  /** False while the log store is being rebuilt: some entries are missing. */
  is_complete: z.boolean(),
});

export type Dashboard = z.infer<typeof dashboardSchema>;

const EDGES = /^\d{1,11}(?:,\d{1,11}){1,100}$/;

const TWO_EDGES = /^\d{1,11},\d{1,11}$/;

function ascend(text: string): boolean {
  const edges = text.split(",").map(Number);
  return edges.every((edge, index) => index === 0 || edge > (edges[index - 1] ?? 0));
}

const ownFields = {
  /** Unix seconds, with commas: where the parts of the time begin, and where the last one ends. */
  edges: z
    .string()
    .check(
      z.refine(
        (text) => EDGES.test(text) && ascend(text),
        "edges must be 2 to 101 times in Unix seconds, each after the one before.",
      ),
    ),
  /** Unix seconds, with a comma: a time to compare the total with. Of a half hour that it ends in, the same part is counted. Empty for none. */
  before: z._default(
    z
      .string()
      .check(
        z.refine(
          (text) => text === "" || (TWO_EDGES.test(text) && ascend(text)),
          "before must be 2 times in Unix seconds, the second after the first.",
        ),
      ),
    "",
  ),
  metric: z._default(z.enum(DASHBOARD_METRICS), "spend"),
  /** Parts and total are those of this row alone, one model or channel, say; empty for all. */
  key: z._default(z.string().check(z.maxLength(200)), ""),
  /** So many of the first rows are told in parts as well. */
  series: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(MAX_DASHBOARD_SERIES)), 0),
  /** Requests of this model, and of tokens with this name; empty for all. */
  model_name: z._default(z.string().check(z.trim(), z.maxLength(FILTER_LIMITS.nameLength)), ""),
  token_name: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
};

export const getDashboard = defineCall({
  method: "GET",
  path: "/api/dashboard/",
  access: "admin",
  summary: "What everybody, or one user, used in a time: in parts of it, and by model, token, channel or user",
  query: z.object({
    ...ownFields,
    by: z._default(z.enum(DASHBOARD_KEYS), "model"),
    /** Requests of this channel alone; 0 for all. */
    channel: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER)), 0),
    /** 0 for everybody. */
    user: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER)), 0),
    /** The user by name, in place of the id; empty for everybody. */
    username: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
  }),
  data: dashboardSchema,
});

export const getOwnDashboard = defineCall({
  method: "GET",
  path: "/api/dashboard/self",
  access: "user",
  summary: "What oneself used in a time: in parts of it, and by model or token",
  query: z.object({ ...ownFields, by: z._default(z.enum(["model", "token"]), "model") }),
  data: dashboardSchema,
});

/** What oneself used of a model on a day, as One API's dashboard has it. */
export const usageOfDaySchema = z.object({
  /** `YYYY-MM-DD`, UTC. */
  Day: z.string(),
  ModelName: z.string(),
  RequestCount: z.int(),
  Quota: quotaSchema,
  PromptTokens: z.int(),
  CompletionTokens: z.int(),
});

export type UsageOfDay = z.infer<typeof usageOfDaySchema>;

export const listUsageOfDays = defineCall({
  method: "GET",
  path: "/api/user/dashboard",
  access: "user",
  summary: "What oneself used on each of the last 7 days (UTC) by model, as One API's dashboard asks for it",
  data: z.array(usageOfDaySchema),
});

/** At most so many of each kind of trouble are answered. */
export const MAX_TROUBLES = 10;

export const getTroubles = defineCall({
  method: "GET",
  path: "/api/dashboard/troubles",
  access: "admin",
  summary: "What an administrator should look at now: failing channels, sleeping models, balances that run low",
  data: z.object({
    channels: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        /** Disabled automatically, something stands against it, or too many of its requests of the last 24 hours failed. */
        trouble: z.enum(["disabled", "hint", "errors"]),
        /** Why, in English, for the first two; its code and parts are absent from what older versions have noted. */
        reason: z.string(),
        code: z.optional(z.enum(CHANNEL_HINTS)),
        parts: z.optional(reasonPartsSchema),
        requests: z.int(),
        errors: z.int(),
      }),
    ),
    sleeping: z.array(z.object({ id: z.int(), name: z.string(), models: z.array(z.string()), awake_time: z.int() })),
    /** Accounts at providers with less than the option ChannelBalanceRemindThreshold. */
    channel_balances: z.array(z.object({ id: z.int(), name: z.string(), balance: z.number() })),
    /** Users who called today and have less left than the option QuotaRemindThreshold. */
    user_balances: z.array(z.object({ id: z.int(), username: z.string(), remaining: z.int() })),
  }),
});
