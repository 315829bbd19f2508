import type { UseFormReturnType } from "@mantine/form";
import type { Channel } from "@one-api/contract/channels/channel";
import type { CreateChannelInput, UpdateChannelInput } from "@one-api/contract/channels/channel-input";
import { CHANNEL_STATUS, CHECK_AS_SET } from "@one-api/contract/channels/channel-constants";
import { type ChannelConfig, channelConfigSchema } from "@one-api/contract/channels/channel-json";
import type { askChannelModels } from "@one-api/contract/channels/channel-models";
import { joinKey, type KeyPart, keyPartValue, splitKeys } from "@one-api/contract/channels/channel-key";
import {
  CHANNEL_TYPES,
  channelTypeInfo,
  DEFAULT_CHANNEL_TYPE,
  effectiveOther,
} from "@one-api/contract/channels/channel-types";
import { joinList, splitList, stripTrailingSlashes } from "@one-api/contract/texts";
import type * as z from "zod/mini";
import { hasOwnValue } from "../../../components/form/has-own.ts";
import { readMoment } from "../../../components/form/time/read-moment.ts";
import { formatTime } from "../../../lib/format.ts";
import { typedNumber } from "../../../lib/values/typed-number.ts";

function linesOfKey({ type, key }: Pick<ChannelValues, "type" | "key">): readonly string[] {
  return [...new Set(splitKeys(channelTypeInfo(type)?.key, key))];
}

/** Returns the number of keys, or of channels with one key each, and of repeated lines, which make none. */
export function countKeys({ type, key }: Pick<ChannelValues, "type" | "key">): { count: number; repeated: number } {
  const keys = splitKeys(channelTypeInfo(type)?.key, key);
  const count = new Set(keys).size;
  return { count, repeated: keys.length - count };
}

/** Form values. An empty number field holds a text. */
export interface ChannelValues {
  type: number;
  name: string;
  /** Typed anew; a stored key never comes back. */
  key: string;
  /** One channel per line of the key. */
  isBatch: boolean;
  /** Every line of the key is a key of this channel. */
  isKeyList: boolean;
  base_url: string;
  other: string;
  region: string;
  ak: string;
  sk: string;
  vertex_ai_project_id: string;
  vertex_ai_adc: string;
  user_id: string;
  models: string[];
  group: string[];
  model_mapping: string;
  costs: string;
  overrides: string;
  /** JSON of addresses by dialect. */
  dialect_urls: string;
  first_token_seconds: number | string;
  idle_seconds: number | string;
  total_seconds: number | string;
  /** A moment in the viewer's zone; empty for none, like `key_expires_at`. */
  paused_until: string;
  key_expires_at: string;
  system_prompt: string;
  organization: string;
  /** With `***` in place of a stored login. */
  proxy: string;
  soft_limit_usd: number | string;
  calc_prompt: boolean;
  test_model: string;
  scheduled_checks: boolean;
  /** Minutes; empty for the intervals of the settings. */
  test_minutes: number | string;
  balance_minutes: number | string;
  models_minutes: number | string;
  priority: number | string;
  weight: number | string;
  tags: string[];
  /** A new channel waits until restocking enables it. */
  isReserve: boolean;
}

export type ChannelFormState = UseFormReturnType<ChannelValues>;

export function newChannelValues(): ChannelValues {
  return {
    type: DEFAULT_CHANNEL_TYPE,
    name: "",
    key: "",
    isBatch: false,
    isKeyList: false,
    base_url: "",
    other: "",
    ...configValues({}),
    models: [],
    group: ["default"],
    model_mapping: "",
    costs: "",
    overrides: "",
    dialect_urls: "",
    first_token_seconds: "",
    idle_seconds: "",
    total_seconds: "",
    paused_until: "",
    key_expires_at: "",
    system_prompt: "",
    organization: "",
    proxy: "",
    soft_limit_usd: 0,
    calc_prompt: true,
    test_model: "",
    scheduled_checks: true,
    test_minutes: "",
    balance_minutes: "",
    models_minutes: "",
    priority: 0,
    weight: 0,
    tags: [],
    isReserve: false,
  };
}

/** Tells whether one of the fields differs from a new channel's value, or has an error. */
export function hasOwn(form: ChannelFormState, ...fields: readonly (keyof ChannelValues)[]): boolean {
  return hasOwnValue(form, newChannelValues(), fields);
}

export function storedChannelValues(channel: Channel): ChannelValues {
  return {
    ...newChannelValues(),
    ...plainValues(channel),
    ...configValues(parseConfig(channel.config)),
    ...timeValues(channel),
    models: splitList(channel.models),
    group: splitList(channel.group),
    tags: splitList(channel.tags),
  };
}

function timeValues(channel: Channel) {
  return {
    first_token_seconds: secondsOrEmpty(channel.first_token_seconds),
    idle_seconds: secondsOrEmpty(channel.idle_seconds),
    total_seconds: secondsOrEmpty(channel.total_seconds),
    test_minutes: minutesOrEmpty(channel.test_minutes),
    balance_minutes: minutesOrEmpty(channel.balance_minutes),
    models_minutes: minutesOrEmpty(channel.models_minutes),
    paused_until: channel.paused_until === 0 ? "" : formatTime(channel.paused_until),
    key_expires_at: channel.key_expires_at === 0 ? "" : formatTime(channel.key_expires_at),
  };
}

function plainValues(channel: Channel) {
  const { type, name, base_url, other, model_mapping, costs, overrides, dialect_urls } = channel;
  const { system_prompt, organization, proxy, soft_limit_usd, calc_prompt, test_model, scheduled_checks } = channel;
  const { priority, weight } = channel;
  return {
    type,
    name,
    base_url,
    other,
    model_mapping,
    costs,
    overrides,
    dialect_urls,
    system_prompt,
    organization,
    proxy,
    soft_limit_usd,
    calc_prompt,
    test_model,
    scheduled_checks,
    priority,
    weight,
  };
}

/** 0 is an empty field: the server's default. */
function secondsOrEmpty(seconds: number): number | string {
  return seconds === 0 ? "" : seconds;
}

function minutesOrEmpty(minutes: number): number | string {
  return minutes === CHECK_AS_SET ? "" : minutes;
}

const typedMinutes = (minutes: number | string) => (minutes === "" ? CHECK_AS_SET : typedNumber(minutes));

/** Reads the end of a pause or of a key, as Unix seconds: 0 for an empty text, NaN for one that is no moment. */
export function readMomentOr0(text: string): number {
  return text.trim() === "" ? 0 : (readMoment(text) ?? Number.NaN);
}

function configValues({
  region = "",
  ak = "",
  sk = "",
  vertex_ai_project_id = "",
  vertex_ai_adc = "",
  user_id = "",
}: ChannelConfig) {
  return { region, ak, sk, vertex_ai_project_id, vertex_ai_adc, user_id };
}

export type KeyPartField = KeyPart & Required<Pick<KeyPart, "config">>;

const CONFIG_NAMES = CHANNEL_TYPES.flatMap(({ key }) => key?.parts ?? []).flatMap(({ config = [] }) => config);

/** The fields that a type's key is assembled from; none where the key is one secret. */
export function keyPartsOf(type: number): readonly KeyPartField[] {
  const parts = channelTypeInfo(type)?.key?.parts ?? [];
  return parts.flatMap((part) => (part.config === undefined ? [] : [{ ...part, config: part.config }]));
}

/** Returns the form's field for a field that the server names: of a key in parts, the field of its secret. */
export function formFieldOf(type: number, field: string): string {
  const [name = "", part] = field.split(".");
  if (name === "config" && part !== undefined) return part;
  if (name !== "key" && name !== "config") return field;
  const parts = keyPartsOf(type);
  return (parts.find(({ isSecret, isDocument }) => isSecret ?? isDocument) ?? parts[0])?.config ?? field;
}

/** The stored config; an empty one when there is none or it is broken. */
export function parseConfig(text: string): ChannelConfig {
  try {
    return channelConfigSchema.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}

/**
 * Returns the key to save: the typed one, or its parts joined. Empty while a part is missing, which keeps a stored key.
 */
export function assembleKey(values: ChannelValues): string {
  const form = channelTypeInfo(values.type)?.key;
  const parts = keyPartsOf(values.type);
  if (form === undefined || parts.length === 0) return values.key.trim();
  return joinKey(
    form,
    parts.map(({ config }) => values[config]),
  );
}

/** Returns the config to save as JSON: the parts of the type, and all other stored ones. */
export function assembleConfig(values: ChannelValues, storedText: string): string {
  const config = parseConfig(storedText);
  for (const name of [...CONFIG_NAMES, "user_id"]) delete config[name];
  for (const part of keyPartsOf(values.type)) {
    const value = keyPartValue(part, values[part.config]);
    if (value !== "") config[part.config] = value;
  }
  const userId = values.user_id.trim();
  if (channelTypeInfo(values.type)?.userId !== undefined && userId !== "") config.user_id = userId;
  return Object.keys(config).length === 0 ? "" : JSON.stringify(config);
}

/** All fields of the channel but id, key and state. An empty priority or weight is left out: it stays as it is. */
function fieldsOf(values: ChannelValues, storedConfig: string) {
  const { priority, weight, soft_limit_usd: softLimit } = values;
  return {
    type: values.type,
    name: values.name.trim(),
    base_url: stripTrailingSlashes(values.base_url.trim()),
    other: effectiveOther(values.type, values.other.trim()),
    models: joinList(values.models),
    group: joinList(values.group),
    tags: joinList(values.tags),
    model_mapping: values.model_mapping.trim(),
    costs: values.costs.trim(),
    overrides: values.overrides.trim(),
    dialect_urls: values.dialect_urls.trim(),
    first_token_seconds: typedNumber(values.first_token_seconds || 0),
    idle_seconds: typedNumber(values.idle_seconds || 0),
    total_seconds: typedNumber(values.total_seconds || 0),
    paused_until: readMomentOr0(values.paused_until),
    key_expires_at: readMomentOr0(values.key_expires_at),
    system_prompt: values.system_prompt,
    organization: values.organization.trim(),
    proxy: values.proxy.trim(),
    soft_limit_usd: softLimit === "" ? 0 : typedNumber(softLimit),
    calc_prompt: values.calc_prompt,
    test_model: values.test_model.trim(),
    scheduled_checks: values.scheduled_checks,
    test_minutes: typedMinutes(values.test_minutes),
    balance_minutes: typedMinutes(values.balance_minutes),
    models_minutes: typedMinutes(values.models_minutes),
    config: assembleConfig(values, storedConfig),
    ...(priority === "" ? {} : { priority: typedNumber(priority) }),
    ...(weight === "" ? {} : { weight: Math.max(0, typedNumber(weight)) }),
  };
}

/** Input that creates a channel, or one per line of the key. */
export function createChannelPayload(values: ChannelValues): CreateChannelInput {
  const status = values.isReserve ? CHANNEL_STATUS.reserve : CHANNEL_STATUS.enabled;
  const [key = "", ...more_keys] = values.isKeyList ? linesOfKey(values) : [assembleKey(values)];
  return { ...fieldsOf(values, ""), key, more_keys, status };
}

/** Input that fetches a provider's models with the first key; an empty key means the stored one. */
export function askModelsPayload(
  values: ChannelValues,
  stored: Channel | undefined,
): z.input<typeof askChannelModels.body> {
  const { type, base_url, dialect_urls, other, config, organization, proxy } = fieldsOf(values, stored?.config ?? "");
  const address = { type, base_url, dialect_urls };
  return { id: stored?.id ?? 0, ...address, other, config, organization, proxy, key: assembleKey(values) };
}

/** Input that saves a stored channel; an empty key keeps the stored one. */
export function updateChannelPayload(values: ChannelValues, channel: Channel): UpdateChannelInput {
  return { id: channel.id, ...fieldsOf(values, channel.config), key: assembleKey(values) };
}
