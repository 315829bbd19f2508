import { type ChannelConfig, channelConfigSchema } from "@one-api/contract/channel";
import { channelTypeInfo, type ChannelTypeInfo } from "@one-api/contract/channel-types";
import type { ChannelValues } from "./channel-values.ts";

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
