import type { ChannelConfig } from "@one-api/contract/channel";
import type { ChannelType } from "@one-api/contract/channel-types";

type PartName = "ak" | "sk" | "region" | "vertex_ai_project_id" | "vertex_ai_adc";

/** Types whose key is put together from parts that their provider needs one by one, in the order of the key. */
const PARTS_OF_KEY: ReadonlyMap<number, readonly PartName[]> = new Map<ChannelType, readonly PartName[]>([
  [33, ["ak", "sk", "region"]],
  [42, ["region", "vertex_ai_project_id", "vertex_ai_adc"]],
]);

/** The parts of a key as its config names them; empty for types with one secret and for keys of another form. */
export function configOfKey(type: number, key: string): ChannelConfig {
  const names = PARTS_OF_KEY.get(type);
  if (names === undefined) return {};
  const parts = splitInto(key, names.length).map((part) => part.trim());
  if (parts.length < names.length || parts.includes("")) return {};
  return Object.fromEntries(names.map((name, index) => [name, parts[index]]));
}

/** The last part keeps what bars it has: credentials are a JSON document. */
function splitInto(key: string, count: number): string[] {
  const parts = key.split("|");
  return parts.length <= count ? parts : [...parts.slice(0, count - 1), parts.slice(count - 1).join("|")];
}
