import { splitKey } from "./channel-key.ts";
import { CHANNEL_TYPE_LIST, type ChannelTypeInfo } from "./channel-type-list.ts";

type Listed = (typeof CHANNEL_TYPE_LIST)[number];

/** Number of a known kind of channel. */
export type ChannelType = Listed["type"];

/** What the code calls a kind of channel. */
export type ChannelTypeName = Listed["name"];

/** A known kind of channel. */
export type KnownChannelType = ChannelTypeInfo & Pick<Listed, "type" | "name">;

/** Every kind of channel, by number. */
export const CHANNEL_TYPES: readonly KnownChannelType[] = CHANNEL_TYPE_LIST;

/** What a new channel is until another type is chosen. */
export const DEFAULT_CHANNEL_TYPE = 1 satisfies ChannelType;

const infoOfType = new Map<number, KnownChannelType>(CHANNEL_TYPES.map((info) => [info.type, info]));

/** True when the number is a known kind of channel. */
export function isChannelType(type: number): type is ChannelType {
  return infoOfType.has(type);
}

/** The facts about a kind of channel; undefined for an unknown number. */
export function channelTypeInfo(type: number): KnownChannelType | undefined {
  return infoOfType.get(type);
}

/** What readers of a language know a kind of channel as; undefined for an unknown number. */
export function channelTypeLabel(type: number, language: string): string | undefined {
  const info = channelTypeInfo(type);
  return language.startsWith("zh") ? (info?.labelZh ?? info?.label) : info?.label;
}

/** What finds a kind of channel, beside its label: its names in every language, its number and what the code calls it. */
export function channelTypeKeywords({ type, name, label, labelZh = "" }: KnownChannelType): string {
  return `${label} ${labelZh} ${name} ${type}`;
}

/** True for a key of several parts of a provider whose keys are of one part today. */
export function isOlderKey(type: number, key: string): boolean {
  const form = channelTypeInfo(type)?.key;
  return form?.isOlder === true && splitKey(form, key) !== undefined;
}

/**
 * Where a channel's requests go in the end: the type's own address unless the channel names another; that of its older API with a key for that. Empty
 * where neither is known.
 */
export function effectiveBaseUrl(type: number, baseUrl: string, key = ""): string {
  const info = channelTypeInfo(type);
  const own = isOlderKey(type, key) ? (info?.olderBaseUrl ?? info?.baseUrl) : info?.baseUrl;
  return baseUrl || (own ?? "");
}

/** True if requests go to another address or provider, for which the stored key was not meant. */
export function movesAway(before: ChannelAddress, after: ChannelAddress): boolean {
  const address = ({ type, base_url }: ChannelAddress) => effectiveBaseUrl(type, base_url);
  return before.type !== after.type || address(before) !== address(after);
}

interface ChannelAddress {
  readonly type: number;
  readonly base_url: string;
}

/** The `other` of a channel, or what an empty one stands for. */
export function effectiveOther(type: number, other: string): string {
  return other || (channelTypeInfo(type)?.otherDefault ?? "");
}
