import * as z from "zod/mini";
import { CHANNEL_HINTS, CHANNEL_STATUS, CHANNEL_LIMITS, CHANNEL_ORDERS } from "./channel-constants.ts";
import { defineCall, type Schema } from "../call.ts";
import { channelConfigSchema, channelCostsSchema, modelMappingSchema } from "./channel-json.ts";
import { idParamsSchema, idSchema, listQuery, searchQuery, textSchema, unixSecondsSchema } from "../fields.ts";
import { isHeaderText, joinList, splitList, stripTrailingSlashes } from "../texts.ts";

function jsonText(schema: Schema, message: string) {
  return textSchema(64_000).check(
    z.superRefine((text, context) => {
      const wrong = text === "" ? undefined : findWrongEntry(schema, text);
      if (wrong === undefined) return;
      context.addIssue({ code: "custom", message: wrong === "" ? message : `${message} Look at "${wrong}".` });
    }),
  );
}

/** The entry of the JSON text that the schema does not take; empty where that is no single one, undefined where there is none. */
function findWrongEntry(schema: Schema, text: string): string | undefined {
  try {
    const { error } = schema.safeParse(JSON.parse(text));
    return error?.issues[0]?.path.join(": ");
  } catch {
    return "";
  }
}

/** Comma-separated words that group channels, each once. */
export const tagsSchema = z
  .pipe(
    textSchema(CHANNEL_LIMITS.tags * (CHANNEL_LIMITS.tagLength + 1)),
    z.transform((text) => joinList(splitList(text))),
  )
  .check(
    z.refine((text) => splitList(text).length <= CHANNEL_LIMITS.tags, {
      message: `tags: at most ${CHANNEL_LIMITS.tags} tags fit on a channel.`,
    }),
    z.refine((text) => splitList(text).every((tag) => tag.length <= CHANNEL_LIMITS.tagLength), {
      message: `tags: a tag has at most ${CHANNEL_LIMITS.tagLength} characters.`,
    }),
  );

const channelFields = {
  type: z.int().check(z.minimum(1), z.maximum(1_000)),
  name: z.string().check(z.trim(), z.minLength(1, "Fill in the channel name."), z.maxLength(CHANNEL_LIMITS.nameLength)),
  base_url: z.pipe(
    z.transform((value) => (typeof value === "string" ? stripTrailingSlashes(value.trim()) : (value ?? ""))),
    z.union([z.literal(""), z.url({ protocol: /^https?$/, message: "base_url must be an http or https address." })]),
  ),
  other: textSchema(CHANNEL_LIMITS.otherLength),
  /** Comma-separated model names. */
  models: textSchema(60_000),
  /** Comma-separated group names. */
  group: textSchema(1_000),
  model_mapping: jsonText(
    modelMappingSchema,
    'model_mapping must be a JSON object of model names, for example {"gpt-4o": "gpt-4o-2024-11-20"}.',
  ),
  system_prompt: textSchema(CHANNEL_LIMITS.systemPromptLength),
  /** Sent as the OpenAI-Organization header. */
  organization: textSchema(CHANNEL_LIMITS.organizationLength),
  /** Whole dollars; the channel is disabled when it has spent them. 0 is no limit. */
  soft_limit_usd: z.int().check(z.minimum(0), z.maximum(CHANNEL_LIMITS.softLimitUsd)),
  /** Count the prompt here when the provider does not report it. */
  calc_prompt: z.boolean(),
  config: jsonText(channelConfigSchema, "config must be a JSON object."),
  costs: jsonText(
    channelCostsSchema,
    'costs must be a JSON object of prices, for example {"gpt-4o": {"input": 2.5, "output": 10}, "*": {"factor": 0.8}}.',
  ),
  /** Higher is tried first. */
  priority: z.int().check(z.minimum(CHANNEL_LIMITS.lowestPriority), z.maximum(CHANNEL_LIMITS.priority)),
  /** Share among channels of the same priority. */
  weight: z.pipe(
    z.transform((value) => (typeof value === "number" && value < 0 ? 0 : value)),
    z.int().check(z.maximum(CHANNEL_LIMITS.weight)),
  ),
  tags: tagsSchema,
};

/** A model that a channel does not serve for now because its provider limits it. */
const sleepingModelSchema = z.object({ model: z.string(), awake_time: unixSecondsSchema });

/** How the last test of a channel went. When and how long: `test_time`, `response_time`. */
export const channelLastTestSchema = z.object({
  model: z.string(),
  /** Empty when it went well, else the kind of failure, such as `bad-credential`, `timeout` or `connection`. */
  failure: z.string(),
  /** HTTP status that the provider gave; 0 when none came. */
  status: z._default(z.int(), 0),
  /** What the provider said, secrets taken out; empty when it went well. */
  message: z.string(),
  /** Host and path that were asked, without a query. */
  address: z.string(),
});

export type ChannelLastTest = z.infer<typeof channelLastTestSchema>;

/**
 * What the gateway's own words about a channel are made of, for who tells them in another language: what was used of which limit (seconds of a
 * test, dollars), and what a provider said in between. Where all of the words are a provider's there are none.
 */
export const reasonPartsSchema = z.object({
  used: z.optional(z.number()),
  limit: z.optional(z.number()),
  said: z.optional(z.string()),
});

export type ReasonParts = z.infer<typeof reasonPartsSchema>;

/** Why an administrator should look at a channel. A refusal leaves one at once, and the next answer takes it away. */
export const channelHintSchema = z.object({
  code: z.enum(CHANNEL_HINTS),
  /** In English; a provider's own words without secrets. */
  message: z.string(),
  parts: z.optional(reasonPartsSchema),
  at: unixSecondsSchema,
});

export type ChannelHint = z.infer<typeof channelHintSchema>;

const channelSchema = z.object({
  ...channelFields,
  costs: z._default(z.string(), ""),
  base_url: z.string(),
  tags: z._default(z.string(), ""),
  id: z.int(),
  status: z.int(),
  /** Why it was disabled automatically; empty or absent otherwise. */
  status_reason: z.optional(z.string()),
  /** Always empty: a stored key is never answered. */
  key: z.literal(""),
  created_time: unixSecondsSchema,
  /** When it was last tested; 0 for never. */
  test_time: unixSecondsSchema,
  /** Of the last test, in ms; 0 for untested or failed. */
  response_time: z.int(),
  balance: z.number(),
  balance_updated_time: unixSecondsSchema,
  /** When a dormant channel wakes; 0 while it is awake. */
  awake_time: unixSecondsSchema,
  used_quota: z.int(),
  sleeping_models: z.array(sleepingModelSchema),
  /** Absent until the first test. */
  last_test: z.optional(channelLastTestSchema),
  /** Absent while nothing stands against the channel. */
  status_hint: z.optional(channelHintSchema),
  /** Models that the provider listed when it was last asked, for the form of one channel; absent in lists and until it was asked. */
  provider_models: z.optional(z.array(z.string())),
});

export type Channel = z.infer<typeof channelSchema>;

const keySchema = z.pipe(
  z.transform((value) => value ?? ""),
  z.string().check(z.maxLength(200_000)),
);

/** Fields of which an input takes less than what may be stored from before. */
const channelInputFields = {
  ...channelFields,
  models: /* @__PURE__ */ channelFields.models.check(
    z.refine((text) => !/[;；，、\p{Cc}]/u.test(text), {
      message: "models: separate the names by commas (,), without line breaks, semicolons and Chinese commas.",
    }),
  ),
  organization: /* @__PURE__ */ channelFields.organization.check(
    z.refine(isHeaderText, {
      message: "organization: it is sent as a header, so it must be one line of Latin letters, digits and signs.",
    }),
  ),
};

export const createChannelInputSchema = z.object({
  ...channelInputFields,
  base_url: z._default(channelFields.base_url, ""),
  other: z._default(channelFields.other, ""),
  models: z._default(channelInputFields.models, ""),
  group: z._default(channelFields.group, "default"),
  model_mapping: z._default(channelFields.model_mapping, ""),
  system_prompt: z._default(channelFields.system_prompt, ""),
  organization: z._default(channelInputFields.organization, ""),
  soft_limit_usd: z._default(channelFields.soft_limit_usd, 0),
  calc_prompt: z._default(channelFields.calc_prompt, true),
  config: z._default(channelFields.config, ""),
  costs: z._default(channelFields.costs, ""),
  priority: z.pipe(
    z.nullish(channelFields.priority),
    z.transform((priority) => priority ?? 0),
  ),
  weight: z.pipe(
    z.nullish(channelFields.weight),
    z.transform((weight) => weight ?? 0),
  ),
  tags: z._default(channelFields.tags, ""),
  /** One per line creates one channel per line. */
  key: z.pipe(keySchema, z.string().check(z.trim(), z.minLength(1, "Fill in the channel key."))),
  /** 5 puts the new channel into the reserve. */
  status: z._default(z.int().check(z.minimum(1), z.maximum(5)), CHANNEL_STATUS.enabled),
});

export type CreateChannelInput = z.input<typeof createChannelInputSchema>;

export const updateChannelInputSchema = z.object({
  ...z.partial(z.object(channelInputFields)).shape,
  id: idSchema,
  /** Null keeps the stored one; an empty text is the type's own address. */
  base_url: z.nullish(channelFields.base_url),
  /** Null keeps the stored one, as an empty input does. */
  priority: z.nullish(channelFields.priority),
  weight: z.nullish(channelFields.weight),
  /** Empty keeps the stored key. */
  key: z.optional(keySchema),
  status: z.optional(z.int().check(z.minimum(1), z.maximum(5))),
});

export type UpdateChannelInput = z.input<typeof updateChannelInputSchema>;

/** What lists of channels are narrowed down by. */
export const channelFilters = {
  /** As listed: 4 are those that sleep now. Empty or 0 for all. */
  status: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(5)), 0),
  /** Channel type; empty or 0 for all. */
  type: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000)), 0),
  /** One group among those of the channel; empty for all. */
  group: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
  /** One tag among those of the channel; empty for all. */
  tag: z._default(z.string().check(z.trim(), z.maxLength(CHANNEL_LIMITS.tagLength)), ""),
};

export const listChannels = defineCall({
  method: "GET",
  path: "/api/channel/",
  access: "admin",
  summary: "One page of the channels",
  query: listQuery(CHANNEL_ORDERS, channelFilters),
  data: z.array(channelSchema),
});

export const searchChannels = defineCall({
  method: "GET",
  path: "/api/channel/search",
  access: "admin",
  summary: "Channels by id or by the beginning of their name",
  query: searchQuery(CHANNEL_ORDERS, channelFilters),
  data: z.array(channelSchema),
});

export const getChannel = defineCall({
  method: "GET",
  path: "/api/channel/:id",
  access: "admin",
  summary: "One channel",
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

export const channelTestSchema = z.object({
  /** Seconds until the whole answer was there; 0 when the test failed. */
  time: z.number(),
  modelName: z.string(),
});

export const testChannel = defineCall({
  method: "GET",
  path: "/api/channel/test/:id",
  access: "admin",
  changesState: true,
  repeatedAtTopLevel: ["time", "modelName"],
  summary: "Asks the channel's provider a short question and answers how long it took",
  params: idParamsSchema,
  query: z.object({ model: z._default(z.string().check(z.trim(), z.maxLength(256)), "") }),
  data: channelTestSchema,
});

export const testChannels = defineCall({
  method: "GET",
  path: "/api/channel/test",
  access: "admin",
  changesState: true,
  summary: "Starts a test of all or of all disabled channels in the background",
  query: z.object({ scope: z._default(z.enum(["all", "disabled"]), "all") }),
  data: z.null(),
});

/** How far the test of many channels is, or how the last one ended. */
const channelTestProgressSchema = z.object({
  running: z.boolean(),
  /** Empty before the first run. */
  scope: z.enum(["", "all", "disabled", "selected"]),
  /** Channels of the run, those tested already, and those of them that failed. */
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  started_at: unixSecondsSchema,
  /** 0 while it runs. */
  ended_at: unixSecondsSchema,
  /** The first of those that failed, with the kind of failure and what was said. */
  failures: z._default(
    z.array(z.object({ id: z.int(), name: z.string(), failure: z.string(), message: z.string() })),
    [],
  ),
});

export type ChannelTestProgress = z.infer<typeof channelTestProgressSchema>;

export const getChannelTestProgress = defineCall({
  method: "GET",
  path: "/api/channel/test/progress",
  access: "admin",
  summary: "How far the running test of many channels is, or how the last one ended",
  data: channelTestProgressSchema,
});

export const stopChannelTests = defineCall({
  method: "POST",
  path: "/api/channel/test/stop",
  access: "admin",
  summary: "Ends the running test of many channels, results so far stay; data is how far it was",
  data: channelTestProgressSchema,
});

export const updateChannelBalance = defineCall({
  method: "GET",
  path: "/api/channel/update_balance/:id/",
  access: "admin",
  changesState: true,
  repeatedAtTopLevel: ["balance"],
  summary: "Asks the channel's provider for the balance and stores it",
  params: idParamsSchema,
  data: z.object({ balance: z.number() }),
});

export const updateChannelBalances = defineCall({
  method: "GET",
  path: "/api/channel/update_balance",
  access: "admin",
  changesState: true,
  summary: "Asks for the balances of all enabled channels whose provider tells it, in the background",
  data: z.null(),
});

export const updateAbilities = defineCall({
  method: "POST",
  path: "/api/channel/update_abilities",
  access: "admin",
  summary: "Rebuilds the model index from the channels and asks their providers which models they have",
  data: z.object({
    /** Channels in the index. */
    channels: z.int(),
    /** Channels whose provider told its models. */
    listed: z.int(),
    /** Channels whose provider has such a list and did not tell it; they keep what was known. */
    failed: z.int(),
    /** What channels offer although their providers do not list it. Nothing is changed: the list may be incomplete. */
    unlisted: z.array(z.object({ id: z.int(), name: z.string(), models: z.array(z.string()) })),
  }),
});

/** Why a channel gets no requests for a model now. `no-weight`: weight 0 beside positive weights. Empty when it gets some. */
export const SHARE_REASONS = [
  "",
  "lower-priority",
  "no-weight",
  "rate-limited",
  "failing",
  "refused",
  "path-not-served",
] as const;

/** What a channel gets of the requests for a model right now. */
export const channelShareSchema = z.object({
  channel: z.int(),
  name: z.string(),
  priority: z.int(),
  weight: z.int(),
  /** 0 to 1; 0 with a reason when the channel gets none. */
  share: z.number(),
  /** In English. */
  reason: z.string(),
  code: z._default(z.enum(SHARE_REASONS), ""),
  /** Seconds until a channel that rests is tried again; 0 otherwise. */
  awake_in: z._default(z.int(), 0),
});

export const listChannelShares = defineCall({
  method: "GET",
  path: "/api/channel/share",
  access: "admin",
  summary:
    "The share of requests that each channel gets for a model in a group right now, or would get with another priority and weight of one",
  query: z.object({
    model: z.string().check(z.trim(), z.minLength(1), z.maxLength(256)),
    group: z._default(z.string().check(z.trim(), z.maxLength(64)), "default"),
    /** Weighs this channel as if it were enabled and had `priority` and `weight`; 0 is one that is not stored yet. */
    channel: z.optional(z.coerce.number().check(z.int(), z.minimum(0))),
    priority: z._default(
      z.coerce.number().check(z.int(), z.minimum(CHANNEL_LIMITS.lowestPriority), z.maximum(CHANNEL_LIMITS.priority)),
      0,
    ),
    weight: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(CHANNEL_LIMITS.weight)), 0),
  }),
  data: z.array(channelShareSchema),
});
