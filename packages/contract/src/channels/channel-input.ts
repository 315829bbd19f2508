import * as z from "zod/mini";
import { CHANNEL_STATUS, CHANNEL_LIMITS, CHECK_AS_SET, MAX_CHANNEL_KEYS } from "./channel-constants.ts";
import type { Schema } from "../call.ts";
import { channelConfigSchema, channelCostsSchema, dialectUrlsSchema, modelMappingSchema } from "./channel-json.ts";
import { LAST_SECOND } from "../constants.ts";
import { idSchema, textSchema, unixSecondsSchema } from "../fields.ts";
import { isChannelProxy } from "./channel-proxy.ts";
import { findOverrideProblem, OVERRIDE_LIMITS, writeOverrideProblem } from "./overrides/overrides.ts";
import { findDuplicateName, isHeaderText, joinList, splitList, stripTrailingSlashes } from "../texts.ts";

const keyTextSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(20_000));

export const keyListSchema = z.array(keyTextSchema).check(z.maxLength(MAX_CHANNEL_KEYS));

function jsonText(schema: Schema, message: string) {
  return textSchema(64_000).check(
    z.superRefine((text, context) => {
      const wrong = text === "" ? undefined : findWrongEntry(schema, text);
      if (wrong === undefined) return;
      context.addIssue({ code: "custom", message: wrong === "" ? message : `${message} Look at "${wrong}".` });
    }),
  );
}

/** Returns the JSON entry that the schema refuses; empty if it is no single one, undefined if there is none. */
function findWrongEntry(schema: Schema, text: string): string | undefined {
  try {
    const { error } = schema.safeParse(JSON.parse(text));
    return error === undefined ? findDuplicateName(text) : error.issues[0]?.path.join(": ");
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

const deadlineSchema = z.int().check(z.minimum(0), z.maximum(CHANNEL_LIMITS.deadlineSeconds));

const intervalSchema = z.int().check(z.minimum(CHECK_AS_SET), z.maximum(CHANNEL_LIMITS.checkMinutes));

export const channelFields = {
  type: z.int().check(z.minimum(1), z.maximum(1_000)),
  name: z.string().check(z.trim(), z.minLength(1, "Fill in the channel name."), z.maxLength(CHANNEL_LIMITS.nameLength)),
  base_url: z.pipe(
    z.transform((value) => (typeof value === "string" ? stripTrailingSlashes(value.trim()) : (value ?? ""))),
    z.union([z.literal(""), z.url({ protocol: /^https?$/, message: "base_url must be an http or https address." })]),
  ),
  /** Addresses of dialects beside `base_url` as JSON: `{"anthropic": "https://…"}`. Requests in them pass unchanged. */
  dialect_urls: jsonText(
    dialectUrlsSchema,
    'dialect_urls must be a JSON object of http or https addresses by dialect (openai, responses, anthropic, gemini), for example {"anthropic": "https://api.example.com/anthropic"}.',
  ),
  other: textSchema(CHANNEL_LIMITS.otherLength),
  /** Comma-separated. */
  models: textSchema(60_000),
  /** Comma-separated. */
  group: textSchema(1_000),
  model_mapping: jsonText(
    modelMappingSchema.check(z.refine((models) => !Object.hasOwn(models, ""))),
    'model_mapping must be a JSON object of model names, for example {"gpt-4o": "gpt-4o-2024-11-20"}.',
  ),
  system_prompt: textSchema(CHANNEL_LIMITS.systemPromptLength),
  /** Sent as the OpenAI-Organization header. */
  organization: textSchema(CHANNEL_LIMITS.organizationLength),
  /**
   * Outbound proxy: an address, `direct` for none, or empty for the setting HttpProxy. Answers show `***` in place of a
   * login; a change with the shown text leaves the stored login.
   */
  proxy: textSchema(CHANNEL_LIMITS.proxyLength),
  /**
   * Changes of upstream requests as JSON: `{"headers": {"set": {}, "default": {}, "remove": []}, "body": …}`. Fields of
   * the body are named by their path, with dots. Empty for none.
   */
  overrides: textSchema(OVERRIDE_LIMITS.length),
  /** Seconds until a stream begins with content; then another channel is tried. 0 for the server's default. */
  first_token_seconds: deadlineSchema,
  /** Seconds without a piece of an answer. 0 for the server's default. */
  idle_seconds: deadlineSchema,
  /** Seconds for a whole answer, without the time in which its client takes none of it. 0 for no limit. */
  total_seconds: deadlineSchema,
  /** Until then the channel gets no requests, for example while a plan is used up. 0 or past for no pause. */
  paused_until: unixSecondsSchema.check(z.minimum(0), z.maximum(LAST_SECOND)),
  /**
   * Known end of its key, of which alerts are sent before; 0 for none. A new key that states its end, as a JSON Web Token,
   * sets it.
   */
  key_expires_at: unixSecondsSchema.check(z.minimum(0), z.maximum(LAST_SECOND)),
  /** Whole dollars; the channel is disabled when it has spent them. 0 is no limit. */
  soft_limit_usd: z.int().check(z.minimum(0), z.maximum(CHANNEL_LIMITS.softLimitUsd)),
  /** Count the prompt here if the provider does not report it. */
  calc_prompt: z.boolean(),
  config: jsonText(channelConfigSchema, "config must be a JSON object."),
  costs: jsonText(
    channelCostsSchema,
    'costs must be a JSON object of prices, for example {"gpt-4o": {"input": 2.5, "output": 10}, "*": {"factor": 0.8}}.',
  ),
  /** Higher is tried first. */
  priority: z.int().check(z.minimum(CHANNEL_LIMITS.lowestPriority), z.maximum(CHANNEL_LIMITS.priority)),
  /** Relative share among channels of the same priority. */
  weight: z.pipe(
    z.transform((value) => (typeof value === "number" && value < 0 ? 0 : value)),
    z.int().check(z.maximum(CHANNEL_LIMITS.weight)),
  ),
  tags: tagsSchema,
  /** Model of its tests and probes; empty for the first one, and for probes the cheapest. */
  test_model: textSchema(CHANNEL_LIMITS.testModelLength),
  /** Probes and scheduled checks include the channel. */
  scheduled_checks: z.boolean(),
  /** Minutes between its scheduled tests, between requests for its balance and for its list of models. 0: never. -1: as the options say. */
  test_minutes: intervalSchema,
  balance_minutes: intervalSchema,
  models_minutes: intervalSchema,
};

const keySchema = z.pipe(
  z.transform((value) => value ?? ""),
  z.string().check(z.maxLength(200_000)),
);

/** An address without its trailing slash, `direct`, or an empty text. */
export const channelProxySchema = z
  .pipe(
    textSchema(CHANNEL_LIMITS.proxyLength),
    z.transform((text) => stripTrailingSlashes(text.trim())),
  )
  .check(
    z.refine(isChannelProxy, {
      message:
        'proxy: write an address such as socks5://user:password@10.0.0.1:1080 (http, https, socks5 or socks5h, without a path), "direct" for none, or nothing for the setting HttpProxy.',
    }),
  );

/** Fields whose input is stricter than older stored values. */
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
  proxy: channelProxySchema,
  overrides: /* @__PURE__ */ channelFields.overrides.check(
    z.superRefine((text, context) => {
      const problem = findOverrideProblem(text);
      if (problem !== undefined) context.addIssue({ code: "custom", message: writeOverrideProblem(problem) });
    }),
  ),
};

export const createChannelInputSchema = z.object({
  ...channelInputFields,
  base_url: z._default(channelFields.base_url, ""),
  dialect_urls: z._default(channelFields.dialect_urls, ""),
  other: z._default(channelFields.other, ""),
  models: z._default(channelInputFields.models, ""),
  group: z._default(channelFields.group, "default"),
  model_mapping: z._default(channelFields.model_mapping, ""),
  system_prompt: z._default(channelFields.system_prompt, ""),
  organization: z._default(channelInputFields.organization, ""),
  proxy: z._default(channelInputFields.proxy, ""),
  overrides: z._default(channelInputFields.overrides, ""),
  first_token_seconds: z._default(channelFields.first_token_seconds, 0),
  idle_seconds: z._default(channelFields.idle_seconds, 0),
  total_seconds: z._default(channelFields.total_seconds, 0),
  paused_until: z._default(channelFields.paused_until, 0),
  key_expires_at: z._default(channelFields.key_expires_at, 0),
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
  test_model: z._default(channelFields.test_model, ""),
  scheduled_checks: z._default(channelFields.scheduled_checks, true),
  test_minutes: z._default(channelFields.test_minutes, CHECK_AS_SET),
  balance_minutes: z._default(channelFields.balance_minutes, CHECK_AS_SET),
  models_minutes: z._default(channelFields.models_minutes, CHECK_AS_SET),
  key: z.pipe(keySchema, z.string().check(z.trim(), z.minLength(1, "Fill in the channel key."))),
  /** Further keys of the same channel; then `key` is one key. */
  more_keys: z._default(keyListSchema, []),
  /** 5 puts the new channel into the reserve. */
  status: z._default(z.int().check(z.minimum(1), z.maximum(5)), CHANNEL_STATUS.enabled),
});

export type CreateChannelInput = z.input<typeof createChannelInputSchema>;

export const updateChannelInputSchema = z.object({
  ...z.partial(z.object(channelInputFields)).shape,
  id: idSchema,
  /** Null for no change; an empty text for the type's own address. */
  base_url: z.nullish(channelFields.base_url),
  /** Null for no change. */
  priority: z.nullish(channelFields.priority),
  weight: z.nullish(channelFields.weight),
  /** Empty for no change; else it replaces every key of the channel. */
  key: z.optional(keySchema),
  status: z.optional(z.int().check(z.minimum(1), z.maximum(5))),
});

export type UpdateChannelInput = z.input<typeof updateChannelInputSchema>;
