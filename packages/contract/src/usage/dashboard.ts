import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { FILTER_LIMITS } from "../constants.ts";
import { CHANNEL_HINTS } from "../channels/channel-constants.ts";
import { DECISION_KINDS } from "../channels/channel-decision.ts";
import { reasonPartsSchema } from "../channels/channel.ts";
import { quotaSchema } from "../fields.ts";
import { timesFields } from "./first-byte.ts";

/** The last three are for administrators. */
export const DASHBOARD_KEYS = ["model", "token", "channel", "user", "alias"] as const;

export const DASHBOARD_METRICS = ["spend", "requests", "tokens", "errors", "first_byte", "cache", "margin"] as const;

export const MAX_DASHBOARD_ROWS = 20;

/** Rows that may have a value per interval. */
export const MAX_DASHBOARD_SERIES = 6;

export const MAX_DASHBOARD_PARTS = 100;

export const usageSchema = z.object({
  /** Requests with an attempt at a provider. */
  requests: z.int(),
  /** Those of them that failed by no fault of their caller. */
  errors: z.int(),
  refused: z.int(),
  quota: quotaSchema,
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Prompt tokens that providers read from their cache. */
  cached_tokens: z.int(),
  /** Present per interval if `metric` is `first_byte`. */
  ...timesFields,
  /** Known cost to the operator, in quota; for administrators. */
  cost: z.optional(z.int()),
  /** Requests of unknown cost, and their charge; for administrators. */
  unknown_cost_requests: z.optional(z.int()),
  unknown_cost_quota: z.optional(z.int()),
});

export type Usage = z.infer<typeof usageSchema>;

export const dashboardRowSchema = z.extend(usageSchema, {
  /** A model or an alias, the id of a channel or a user, or `owner/name` of a token. */
  key: z.string(),
  name: z.string(),
  /** Username of a token's owner, in the usage of all users; else empty. */
  owner: z.string(),
  /** Usage in each interval, for the first `series` rows. */
  parts: z.optional(z.array(usageSchema)),
});

export type DashboardRow = z.infer<typeof dashboardRowSchema>;

export const dashboardSchema = z.object({
  /** Actual edges of the intervals in Unix seconds: usage is counted by half hours. */
  edges: z.array(z.int()),
  parts: z.array(usageSchema),
  total: usageSchema,
  /** Usage in the time to compare with; null if none was requested. */
  before: z.nullable(usageSchema),
  /** Usage in each interval of `before_edges`; null if none were requested. */
  before_parts: z.nullable(z.array(usageSchema)),
  rows: z.array(dashboardRowSchema),
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

/** Unix seconds, comma-separated: the start of each interval, and the end of the last one. */
export const edgesTextSchema = z
  .string()
  .check(
    z.refine(
      (text) => EDGES.test(text) && ascend(text),
      "edges must be 2 to 101 times in Unix seconds, each after the one before.",
    ),
  );

const scopeFields = {
  /** Requests of this model, and of tokens with this name; empty for all. */
  model_name: z._default(z.string().check(z.trim(), z.maxLength(FILTER_LIMITS.nameLength)), ""),
  token_name: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
  /** Requests for this alias, without those whose entries were cleared; empty for all. */
  alias: z._default(z.string().check(z.trim(), z.maxLength(FILTER_LIMITS.aliasLength)), ""),
};

const idFilterSchema = z._default(
  z.coerce.number().check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER)),
  0,
);

const adminScopeFields = {
  channel: idFilterSchema,
  user: idFilterSchema,
  username: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
};

const ownFields = {
  ...scopeFields,
  edges: edgesTextSchema,
  before_edges: z._default(
    z
      .string()
      .check(
        z.refine(
          (text) => text === "" || (EDGES.test(text) && ascend(text)),
          "before_edges must be 2 to 101 times in Unix seconds, each after the one before.",
        ),
      ),
    "",
  ),
  /**
   * Unix seconds, comma-separated: a time to compare the total with. If it ends within a half
   * hour, the same part of that is counted. Empty for none.
   */
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
  /** Restricts total and intervals to one row; empty for all. */
  key: z._default(z.string().check(z.maxLength(200)), ""),
  /** Most rows. With 0 the answer has intervals and totals alone, without `rest`. */
  rows: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(MAX_DASHBOARD_ROWS)), MAX_DASHBOARD_ROWS),
  /** Number of first rows with usage per interval. */
  series: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(MAX_DASHBOARD_SERIES)), 0),
};

export const getDashboard = defineCall({
  method: "GET",
  path: "/api/dashboard/",
  access: "admin",
  summary:
    "Returns the usage of all users or of one in a time, by interval and by model, token, channel, user or alias",
  query: z.object({
    ...ownFields,
    ...adminScopeFields,
    by: z._default(z.enum(DASHBOARD_KEYS), "model"),
  }),
  data: dashboardSchema,
});

export const getOwnDashboard = defineCall({
  method: "GET",
  path: "/api/dashboard/self",
  access: "user",
  summary: "Returns the caller's usage in a time, by interval and by model or token",
  query: z.object({ ...ownFields, by: z._default(z.enum(["model", "token"]), "model") }),
  data: dashboardSchema,
});

const secondsSchema = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(FILTER_LIMITS.seconds));

const periodFields = {
  /** Unix seconds; the end is excluded. */
  start: secondsSchema,
  end: secondsSchema,
};

const hoursFields = {
  ...scopeFields,
  ...periodFields,
  /** Minutes that the viewer's zone is ahead of UTC. */
  utc_offset: z._default(z.coerce.number().check(z.int(), z.minimum(-720), z.maximum(840)), 0),
};

/** Times to the first byte of streams by hour of the week, without hours that had none. */
const hoursSchema = z.array(
  z.object({
    /** From 0, Monday at midnight, to 167. */
    hour: z.int(),
    streams: z.int(),
    first_byte_p50_ms: z.int(),
    first_byte_p95_ms: z.int(),
  }),
);

export type HoursOfWeek = z.infer<typeof hoursSchema>;

export const getHoursOfWeek = defineCall({
  method: "GET",
  path: "/api/dashboard/hours",
  access: "admin",
  summary: "Returns the times to the first byte of all users' streams by hour of the week",
  query: z.object({ ...hoursFields, ...adminScopeFields }),
  data: hoursSchema,
});

export const getOwnHoursOfWeek = defineCall({
  method: "GET",
  path: "/api/dashboard/self/hours",
  access: "user",
  summary: "Returns the times to the first byte of the caller's streams by hour of the week",
  query: z.object(hoursFields),
  data: hoursSchema,
});

const aliasComparisonSchema = z.object({
  models: z.array(
    z.object({
      model: z.string(),
      /** Set share of the requests, 0 to 1; null for models that are tried in order, and for models that the alias does not list. */
      weight: z.nullable(z.number()),
      is_listed: z.boolean(),
      /** Requests that this model answered, or was the last to fail. */
      usage: usageSchema,
      /** Requests that were sent to this model first and went on to another one. */
      failed_over: z.int(),
    }),
  ),
  is_complete: z.boolean(),
});

export type AliasComparison = z.infer<typeof aliasComparisonSchema>;

export const compareAlias = defineCall({
  method: "GET",
  path: "/api/dashboard/alias",
  access: "admin",
  summary: "Compares the models that served an alias in a time: requests, failures, times, tokens and charges of each",
  query: z.object({
    ...scopeFields,
    ...periodFields,
    ...adminScopeFields,
    alias: z.string().check(z.trim(), z.minLength(1), z.maxLength(FILTER_LIMITS.aliasLength)),
  }),
  data: aliasComparisonSchema,
});

/** Most marks of each kind, the newest. */
export const MAX_MARKS = 50;

const marksSchema = z.object({
  price_changes: z.array(z.int()),
  /** Automatic decisions about channels, oldest first. */
  decisions: z.array(
    z.object({
      id: z.int(),
      at: z.int(),
      kind: z.enum(DECISION_KINDS),
      channel_id: z.int(),
      channel_name: z.string(),
      model: z.string(),
    }),
  ),
});

export type DashboardMarks = z.infer<typeof marksSchema>;

export const getDashboardMarks = defineCall({
  method: "GET",
  path: "/api/dashboard/marks",
  access: "admin",
  summary: "Lists price changes and automatic decisions about channels in a time",
  query: z.object(periodFields),
  data: marksSchema,
});

/** The caller's usage of a model on a day, in the form of One API's dashboard. */
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
  summary: "Returns the caller's usage of the last 7 days (UTC) by day and model, in the form of One API's dashboard",
  data: z.array(usageOfDaySchema),
});

export const MAX_TROUBLES = 10;

export const getTroubles = defineCall({
  method: "GET",
  path: "/api/dashboard/troubles",
  access: "admin",
  summary:
    "Lists what needs an administrator's attention now: failing channels, models in cooldown, low balances, models refused for want of a price",
  data: z.object({
    channels: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        /** Disabled automatically, has a problem, or too many failed requests in 24 hours. */
        trouble: z.enum(["disabled", "hint", "errors"]),
        /** In English, for the first two; code and values are absent from those of older versions. */
        reason: z.string(),
        code: z.optional(z.enum(CHANNEL_HINTS)),
        parts: z.optional(reasonPartsSchema),
        requests: z.int(),
        errors: z.int(),
      }),
    ),
    sleeping: z.array(z.object({ id: z.int(), name: z.string(), models: z.array(z.string()), awake_time: z.int() })),
    channel_balances: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        /** Channel type, which gives the balance its unit; absent from older versions. */
        type: z.optional(z.int()),
        balance: z.number(),
        /** The key that the balance belongs to, and its last four characters, of a channel with several. */
        key: z.optional(z.object({ id: z.int(), end: z.string() })),
      }),
    ),
    user_balances: z.array(z.object({ id: z.int(), username: z.string(), remaining: z.int() })),
    /** Models whose requests of 24 hours were refused with UnpricedModels `ask`, and that have no price yet; absent from older versions. */
    unpriced_models: z.optional(
      z.array(
        z.object({
          model: z.string(),
          /** The model whose price is missing: that which a channel calls instead, or the same. */
          price_of: z.string(),
          requests: z.int(),
        }),
      ),
    ),
    /** False while no channel exists; absent in answers of older versions. */
    has_channels: z.optional(z.boolean()),
  }),
});
