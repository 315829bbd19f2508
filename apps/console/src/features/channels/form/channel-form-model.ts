import type { UseFormReturnType } from "@mantine/form";
import {
  type Channel,
  CHANNEL_STATUS,
  type ChannelConfig,
  channelConfigSchema,
  type CreateChannelInput,
  DEFAULT_AZURE_API_VERSION,
  type UpdateChannelInput,
} from "@one-api/contract/channel";
import { AZURE_TYPE, channelTypeInfo, type ChannelTypeInfo } from "@one-api/contract/channel-types";
import { joinList, splitList, stripTrailingSlashes } from "@one-api/contract/fields";

/** The lines of a key text that hold something. */
export function keyLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** What the channel form edits. Number fields hold a text while they are empty. */
export interface ChannelValues {
  type: number;
  name: string;
  /** Typed anew; a stored key never comes back. */
  key: string;
  /** One channel per line of the key. */
  isBatch: boolean;
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
  system_prompt: string;
  organization: string;
  soft_limit_usd: number | string;
  calc_prompt: boolean;
  priority: number | string;
  weight: number | string;
  /** A new channel waits until restocking enables it. */
  isReserve: boolean;
}

/** The form's state, as its sections take it. */
export type ChannelFormState = UseFormReturnType<ChannelValues>;

const OPENAI_TYPE = 1;

/** Values of the form for a new channel. */
export function newChannelValues(): ChannelValues {
  return {
    type: OPENAI_TYPE,
    name: "",
    key: "",
    isBatch: false,
    base_url: "",
    other: "",
    ...configValues({}),
    models: [],
    group: ["default"],
    model_mapping: "",
    system_prompt: "",
    organization: "",
    soft_limit_usd: 0,
    calc_prompt: true,
    priority: 0,
    weight: 0,
    isReserve: false,
  };
}

/** Values of the form for a stored channel. */
export function storedChannelValues(channel: Channel): ChannelValues {
  const {
    type,
    name,
    base_url,
    other,
    model_mapping,
    system_prompt,
    organization,
    soft_limit_usd,
    calc_prompt,
    priority,
    weight,
  } = channel;
  return {
    ...newChannelValues(),
    type,
    name,
    base_url,
    other,
    model_mapping,
    system_prompt,
    organization,
    soft_limit_usd,
    calc_prompt,
    priority,
    weight,
    ...configValues(parseConfig(channel.config)),
    models: splitList(channel.models),
    group: splitList(channel.group),
  };
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

/** A part of a key that has a field of its own. */
export type KeyPart = NonNullable<ChannelTypeInfo["keyParts"]>[number];

const AWS_TYPE = 33;

/** Order of the parts in the key, which is not the order of the fields. */
const AWS_KEY_ORDER: readonly KeyPart[] = ["ak", "sk", "region"];

const OWN_NAMES = ["region", "ak", "sk", "vertex_ai_project_id", "vertex_ai_adc", "user_id"] as const;

/** The fields that a type's key is assembled from; none where the key is one secret. */
export function keyPartsOf(type: number): readonly KeyPart[] {
  return channelTypeInfo(type)?.keyParts ?? [];
}

/** The stored config; an empty one when there is none or it is broken. */
export function parseConfig(text: string): ChannelConfig {
  try {
    return channelConfigSchema.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}

/** A part as it goes into key and config: credentials stand on one line. */
function partValue(values: ChannelValues, part: KeyPart): string {
  const value = values[part].trim();
  if (part !== "vertex_ai_adc") return value;
  try {
    return JSON.stringify(JSON.parse(value));
  } catch {
    return value;
  }
}

/**
 * The key to save: what was typed, or for types with parts `ak|sk|region` (33) and `region|project id|credentials` (42).
 * Empty while a part is missing, which keeps a stored key.
 */
export function assembleKey(values: ChannelValues): string {
  const parts = values.type === AWS_TYPE ? AWS_KEY_ORDER : keyPartsOf(values.type);
  if (parts.length === 0) return values.key.trim();
  const texts = parts.map((part) => partValue(values, part));
  return texts.includes("") ? "" : texts.join("|");
}

/** The config to save as JSON: the parts that mean something for the type, and whatever else was stored. */
export function assembleConfig(values: ChannelValues, storedText: string): string {
  const config = parseConfig(storedText);
  for (const name of OWN_NAMES) delete config[name];
  for (const part of keyPartsOf(values.type)) {
    const value = partValue(values, part);
    if (value !== "") config[part] = value;
  }
  const userId = values.user_id.trim();
  if (channelTypeInfo(values.type)?.userId !== undefined && userId !== "") config.user_id = userId;
  return Object.keys(config).length === 0 ? "" : JSON.stringify(config);
}

function wholeNumber(value: number | string): number | undefined {
  return typeof value === "number" ? Math.trunc(value) : undefined;
}

function otherOf({ type, other }: ChannelValues): string {
  const text = other.trim();
  return type === AZURE_TYPE && text === "" ? DEFAULT_AZURE_API_VERSION : text;
}

/** All fields of the channel but id, key and state. An empty priority or weight is left out: it stays as it is. */
function fieldsOf(values: ChannelValues, storedConfig: string) {
  const priority = wholeNumber(values.priority);
  const weight = wholeNumber(values.weight);
  return {
    type: values.type,
    name: values.name.trim(),
    base_url: stripTrailingSlashes(values.base_url.trim()),
    other: otherOf(values),
    models: joinList(values.models),
    group: joinList(values.group),
    model_mapping: values.model_mapping.trim(),
    system_prompt: values.system_prompt,
    organization: values.organization.trim(),
    soft_limit_usd: wholeNumber(values.soft_limit_usd) ?? 0,
    calc_prompt: values.calc_prompt,
    config: assembleConfig(values, storedConfig),
    ...(priority === undefined ? {} : { priority }),
    ...(weight === undefined ? {} : { weight: Math.max(0, weight) }),
  };
}

/** What creates the channel, or one channel per line of the key. */
export function createChannelPayload(values: ChannelValues): CreateChannelInput {
  const status = values.isReserve ? CHANNEL_STATUS.reserve : CHANNEL_STATUS.enabled;
  return { ...fieldsOf(values, ""), key: assembleKey(values), status };
}

/** What saves a stored channel: all of it, with an empty key where the stored one stays. */
export function updateChannelPayload(values: ChannelValues, channel: Channel): UpdateChannelInput {
  return { id: channel.id, ...fieldsOf(values, channel.config), key: assembleKey(values) };
}
