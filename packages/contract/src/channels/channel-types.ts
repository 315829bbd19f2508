import { splitKey } from "./channel-key.ts";
import { CHANNEL_TYPE_LIST, type ChannelTypeInfo } from "./channel-type-list.ts";

type Listed = (typeof CHANNEL_TYPE_LIST)[number];

export type ChannelType = Listed["type"];

export type ChannelTypeName = Listed["name"];

export type KnownChannelType = ChannelTypeInfo & Pick<Listed, "type" | "name">;

export const CHANNEL_TYPES: readonly KnownChannelType[] = CHANNEL_TYPE_LIST;

export const DEFAULT_CHANNEL_TYPE = 1 satisfies ChannelType;

const infoOfType = new Map<number, KnownChannelType>(CHANNEL_TYPES.map((info) => [info.type, info]));

export function isChannelType(type: number): type is ChannelType {
  return infoOfType.has(type);
}

export function channelTypeInfo(type: number): KnownChannelType | undefined {
  return infoOfType.get(type);
}

export function channelTypeLabel(type: number, language: string): string | undefined {
  const info = channelTypeInfo(type);
  return language.startsWith("zh") ? (info?.labelZh ?? info?.label) : info?.label;
}

/** Search words besides the label: names in every language, number, name in code. */
export function channelTypeKeywords({ type, name, label, labelZh = "" }: KnownChannelType): string {
  return `${label} ${labelZh} ${name} ${type}`;
}

/** True for a several-part key of a provider that now issues one-part keys. */
export function isOlderKey(type: number, key: string): boolean {
  const form = channelTypeInfo(type)?.key;
  return form?.isOlder === true && splitKey(form, key) !== undefined;
}

/**
 * Address of a channel's requests: its own, else its type's (for an older key, the older API's). Empty if neither is
 * known.
 */
export function effectiveBaseUrl(type: number, baseUrl: string, key = ""): string {
  const info = channelTypeInfo(type);
  const own = isOlderKey(type, key) ? (info?.olderBaseUrl ?? info?.baseUrl) : info?.baseUrl;
  return baseUrl || (own ?? "");
}

/** True if requests go to another address or provider, for which the stored key was not meant. */
export function movesAway(before: ChannelAddress, after: ChannelAddress): boolean {
  const address = ({ type, base_url }: ChannelAddress) => effectiveBaseUrl(type, base_url);
  if (before.type !== after.type || address(before) !== address(after)) return true;
  const known = [address(before), ...addressesIn(before.dialect_urls)];
  return addressesIn(after.dialect_urls).some((one) => !known.includes(one));
}

function addressesIn(text = ""): readonly unknown[] {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null ? Object.values(json) : [];
  } catch {
    return [];
  }
}

interface ChannelAddress {
  readonly type: number;
  readonly base_url: string;
  readonly dialect_urls?: string | undefined;
}

/** The `other` of a channel, or the default of an empty one. */
export function effectiveOther(type: number, other: string): string {
  return other || (channelTypeInfo(type)?.otherDefault ?? "");
}
