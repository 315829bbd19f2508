import * as z from "zod/mini";
import { CHANNEL_GROUPINGS } from "./channel-groupings.ts";
import { CHANNEL_HINTS, CHANNEL_LIMITS, CHANNEL_ORDERS, CHECK_AS_SET } from "./channel-constants.ts";
import { defineCall } from "../call.ts";
import { channelFields, createChannelInputSchema, updateChannelInputSchema } from "./channel-input.ts";
import { idParamsSchema, listQuery, searchQuery, unixSecondsSchema } from "../fields.ts";

const sleepingModelSchema = z.object({ model: z.string(), awake_time: unixSecondsSchema });

/** Result of the last test. `test_time` and `response_time` are its time and duration. */
export const channelLastTestSchema = z.object({
  model: z.string(),
  /** Empty on success, else the kind of failure, such as `bad-credential`, `timeout` or `connection`. */
  failure: z.string(),
  /** The provider's HTTP status; 0 without an answer. */
  status: z._default(z.int(), 0),
  /** Provider message without secrets; empty on success. */
  message: z.string(),
  /** Host and path that were called, without a query. */
  address: z.string(),
});

export type ChannelLastTest = z.infer<typeof channelLastTestSchema>;

/**
 * Numbers of a message about a channel, for its translation: use and limit (seconds of a test, dollars), and quoted
 * provider text. Absent if the message is the provider's.
 */
export const reasonPartsSchema = z.object({
  used: z.optional(z.number()),
  limit: z.optional(z.number()),
  said: z.optional(z.string()),
});

export type ReasonParts = z.infer<typeof reasonPartsSchema>;

/** Reason why an administrator should look at a channel. A refusal sets it, the next answer clears it. */
export const channelHintSchema = z.object({
  code: z.enum(CHANNEL_HINTS),
  /** In English; a provider's text without secrets. */
  message: z.string(),
  parts: z.optional(reasonPartsSchema),
  at: unixSecondsSchema,
});

export type ChannelHint = z.infer<typeof channelHintSchema>;

const channelSchema = z.object({
  ...channelFields,
  costs: z._default(z.string(), ""),
  overrides: z._default(z.string(), ""),
  first_token_seconds: z._default(z.int(), 0),
  idle_seconds: z._default(z.int(), 0),
  total_seconds: z._default(z.int(), 0),
  paused_until: z._default(unixSecondsSchema, 0),
  key_expires_at: z._default(unixSecondsSchema, 0),
  base_url: z.string(),
  dialect_urls: z._default(z.string(), ""),
  proxy: z._default(z.string(), ""),
  tags: z._default(z.string(), ""),
  test_model: z._default(z.string(), ""),
  scheduled_checks: z._default(z.boolean(), true),
  test_minutes: z._default(z.int(), CHECK_AS_SET),
  balance_minutes: z._default(z.int(), CHECK_AS_SET),
  models_minutes: z._default(z.int(), CHECK_AS_SET),
  /** Time of the next probe while the gateway has disabled it; 0 before the first. */
  probe_time: z._default(unixSecondsSchema, 0),
  /** Failed probes since it was disabled. */
  failed_probes: z._default(z.int(), 0),
  id: z.int(),
  status: z.int(),
  /** Why it was disabled automatically; else empty or absent. */
  status_reason: z.optional(z.string()),
  /** Always empty: a stored key is never returned. */
  key: z.literal(""),
  created_time: unixSecondsSchema,
  test_time: unixSecondsSchema,
  /** Duration of the last test in ms; 0 for untested or failed. */
  response_time: z.int(),
  /** Of a channel with several keys: the sum of those in use, if each is known. */
  balance: z.number(),
  /** 0 for unknown. Of several keys the oldest report. */
  balance_updated_time: unixSecondsSchema,
  /** End of dormancy, or of a pause by an administrator; 0 while awake. */
  awake_time: unixSecondsSchema,
  used_quota: z.int(),
  sleeping_models: z.array(sleepingModelSchema),
  /** Absent until the first test. */
  last_test: z.optional(channelLastTestSchema),
  /** Absent without a problem. */
  status_hint: z.optional(channelHintSchema),
  /** Numbers of its keys: all, enabled, and disabled by the gateway. Absent for a channel of one key. */
  keys: z.optional(
    z.object({
      total: z.int(),
      enabled: z.int(),
      refused: z.int(),
      /** Number of keys in use whose balance is known, or not, and the sum of the known ones. */
      known_balances: z._default(z.int(), 0),
      unknown_balances: z._default(z.int(), 0),
      known_balance: z._default(z.number(), 0),
    }),
  ),
  /** True if no master key of the server decrypts a secret of it, else absent: it serves nothing until that is entered again. */
  is_unreadable: z.optional(z.boolean()),
  /** The provider's models when last fetched, for the form of one channel; absent in lists and before that. */
  provider_models: z.optional(z.array(z.string())),
});

export type Channel = z.infer<typeof channelSchema>;

export const channelFilters = {
  /** As listed: 4 for those dormant now. Empty or 0 for all. */
  status: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(5)), 0),
  type: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000)), 0),
  /** One group among those of the channel; empty for all. */
  group: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
  /** One tag among those of the channel; empty for all. */
  tag: z._default(z.string().check(z.trim(), z.maxLength(CHANNEL_LIMITS.tagLength)), ""),
};

/** Fields that a search of channels reads besides id and name. */
export const channelSearchFields = {
  /** `models` also finds channels with a model whose name begins with the keyword. */
  also: z._default(z.enum(["", "models"]), ""),
};

const channelListFields = {
  ...channelFilters,
  /** Channels of one group stand together; a group stands where its first channel would. */
  grouped_by: z._default(z.enum(["", ...CHANNEL_GROUPINGS]), ""),
};

export const listChannels = defineCall({
  method: "GET",
  path: "/api/channel/",
  access: "admin",
  summary: "Lists one page of channels",
  query: listQuery(CHANNEL_ORDERS, channelListFields),
  data: z.array(channelSchema),
});

export const searchChannels = defineCall({
  method: "GET",
  path: "/api/channel/search",
  access: "admin",
  summary: "Finds channels by id or the beginning of their name, and on demand of their models' names",
  query: searchQuery(CHANNEL_ORDERS, { ...channelListFields, ...channelSearchFields }),
  data: z.array(channelSchema),
});

export const getChannel = defineCall({
  method: "GET",
  path: "/api/channel/:id",
  access: "admin",
  summary: "Returns one channel",
  params: idParamsSchema,
  data: channelSchema,
});

export const createChannel = defineCall({
  method: "POST",
  path: "/api/channel/",
  access: "admin",
  takesIdempotencyKey: true,
  summary: "Creates a channel, or one per line of the key; data has their ids",
  body: createChannelInputSchema,
  data: z.object({ ids: z.array(z.int()) }),
});

export const updateChannel = defineCall({
  method: "PUT",
  path: "/api/channel/",
  access: "admin",
  summary: "Changes the named fields of a channel",
  body: updateChannelInputSchema,
  data: channelSchema,
});

export const deleteChannel = defineCall({
  method: "DELETE",
  path: "/api/channel/:id/",
  access: "admin",
  summary: "Deletes a channel",
  params: idParamsSchema,
  data: z.null(),
});

export const deleteDisabledChannels = defineCall({
  method: "DELETE",
  path: "/api/channel/disabled",
  access: "admin",
  summary: "Deletes all channels that are disabled, by hand or automatically; data is their count",
  data: z.int(),
});

export const updateChannelBalance = defineCall({
  method: "GET",
  path: "/api/channel/update_balance/:id/",
  access: "admin",
  changesState: true,
  repeatedAtTopLevel: ["balance"],
  summary:
    "Fetches the balance of the channel's provider account and stores it; of several keys each one, and returns the sum",
  params: idParamsSchema,
  data: z.object({ balance: z.number() }),
});

export const updateChannelBalances = defineCall({
  method: "GET",
  path: "/api/channel/update_balance",
  access: "admin",
  changesState: true,
  summary: "Fetches the balances of all enabled channels whose provider reports one, in the background",
  data: z.null(),
});

export const updateAbilities = defineCall({
  method: "POST",
  path: "/api/channel/update_abilities",
  access: "admin",
  summary: "Rebuilds the model index from the channels and fetches their providers' model lists",
  data: z.object({
    channels: z.int(),
    /** Channels whose provider listed its models. */
    listed: z.int(),
    /** Channels whose provider did not return its list; the known models stay. */
    failed: z.int(),
    /** Models that channels offer and their providers do not list. Nothing is changed: the list may be incomplete. */
    unlisted: z.array(z.object({ id: z.int(), name: z.string(), models: z.array(z.string()) })),
  }),
});
