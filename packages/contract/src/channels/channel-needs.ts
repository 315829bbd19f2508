import type { ChannelConnection } from "./channel-connection.ts";
import { type KeyPart, splitKey } from "./channel-key.ts";
import { channelTypeInfo, effectiveBaseUrl } from "./channel-types.ts";

/** Missing data of a channel beside its key. `known-region`: the provider does not have the channel's region. */
export type ChannelLack = "base-url" | "account-id" | "project" | "region" | "known-region" | "knowledge-base";

export const LACKS: Readonly<
  Record<ChannelLack, { readonly field: "base_url" | "config" | "other"; readonly fix: string }>
> = {
  "base-url": {
    field: "base_url",
    fix: "Fill in base_url: the type has no address of its own, and an address begins with https:// or http://.",
  },
  "account-id": {
    field: "config",
    fix: "Fill in config: user_id, the id of the account at Cloudflare, or a base_url that ends with /workers-ai.",
  },
  project: {
    field: "config",
    fix: "Fill in config: vertex_ai_project_id, the id of the project at Google, or a key region|project id|credentials.",
  },
  region: { field: "config", fix: "Fill in config: region, such as us-east-1 at Amazon and us-central1 at Google." },
  "known-region": {
    field: "config",
    fix: "Fill in a region of the provider in config: region, such as us-east-1 at Amazon and us-central1 at Google.",
  },
  "knowledge-base": { field: "other", fix: "Fill in other, the id of the knowledge base." },
};

export const BEHIND_GATEWAY = /\/workers-ai\/*$/;

/** Returns the named part of a channel's key, else the field of that name in its config. Empty without either. */
export function connectionPart(
  type: number,
  { key, config }: ChannelConnection,
  name: NonNullable<KeyPart["config"]>,
): string {
  const form = channelTypeInfo(type)?.key;
  const index = form?.parts.findIndex((part) => part.config === name) ?? -1;
  const ofKey = form === undefined ? undefined : splitKey(form, key)?.[index];
  return (ofKey ?? config[name] ?? "").trim();
}

/** Returns the channel's knowledge base, from its config or its older field; empty without one. */
export function knowledgeBaseOf({ config, other }: ChannelConnection): string {
  const { library_id: id } = config;
  return (typeof id === "string" && id !== "" ? id : other).trim();
}

/** Returns the first thing that the channel's type requires and the channel lacks; undefined if it is complete. */
export function findLack(type: number, connection: ChannelConnection): ChannelLack | undefined {
  return (
    channelTypeInfo(type)?.needs?.find((lack) => !isMet(lack, type, connection)) ?? lackOfAddress(type, connection)
  );
}

function isMet(lack: ChannelLack, type: number, connection: ChannelConnection): boolean {
  switch (lack) {
    case "account-id":
      return (connection.config.user_id ?? "").trim() !== "" || BEHIND_GATEWAY.test(connection.baseUrl);
    case "project":
      return connectionPart(type, connection, "vertex_ai_project_id") !== "";
    case "region":
      return connectionPart(type, connection, "region") !== "" || isRegionFree(type, connection);
    case "known-region":
      return isKnownRegion(type, connectionPart(type, connection, "region")) || isRegionFree(type, connection);
    case "knowledge-base":
      return knowledgeBaseOf(connection) !== "";
    case "base-url":
      return lackOfAddress(type, connection) === undefined;
  }
}

export function isKnownRegion(type: number, region: string): boolean {
  return channelTypeInfo(type)?.regions?.test(region) ?? true;
}

/**
 * True for a one-part key that is sent unchanged to an address of the channel's own, where the path names no region.
 */
function isRegionFree(type: number, { baseUrl, key }: ChannelConnection): boolean {
  const info = channelTypeInfo(type);
  if (info?.regionInPath === true || baseUrl === "") return false;
  return info?.key === undefined || splitKey(info.key, key) === undefined;
}

function lackOfAddress(type: number, { baseUrl, key }: ChannelConnection): "base-url" | undefined {
  const address = effectiveBaseUrl(type, baseUrl, key);
  // A type whose region decides the address has no fixed one.
  if (address === "" && channelTypeInfo(type)?.regions !== undefined) return undefined;
  return URL.canParse(address) ? undefined : "base-url";
}
