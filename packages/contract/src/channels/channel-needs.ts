import type { ChannelConnection } from "./channel-connection.ts";
import { type KeyPart, splitKey } from "./channel-key.ts";
import { channelTypeInfo, effectiveBaseUrl } from "./channel-types.ts";

/** What a channel can lack beside its key. `known-region`: it has a region, of which the provider has none. */
export type ChannelLack = "base-url" | "account-id" | "project" | "region" | "known-region" | "knowledge-base";

/** The field of the channel that is lacking, and how to fill it in. */
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

/** Cloudflare's AI gateway names the account in its own address. */
export const BEHIND_GATEWAY = /\/workers-ai\/*$/;

/** The part of a channel's key that has a name of its own, else the field of that name in its config. Empty without either. */
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

/** The knowledge base of a channel, by its config or its older field; empty without one. */
export function knowledgeBaseOf({ config, other }: ChannelConnection): string {
  const { library_id: id } = config;
  return (typeof id === "string" && id !== "" ? id : other).trim();
}

/** Finds what a channel of the type lacks to be called, by the declaration of its type; undefined where it is whole. */
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

/** Whether the provider has regions of that form. */
export function isKnownRegion(type: number, region: string): boolean {
  return channelTypeInfo(type)?.regions?.test(region) ?? true;
}

/** A key of one part that is sent as it is needs no region at an address of the channel's own, where the path names none. */
function isRegionFree(type: number, { baseUrl, key }: ChannelConnection): boolean {
  const info = channelTypeInfo(type);
  if (info?.regionInPath === true || baseUrl === "") return false;
  return info?.key === undefined || splitKey(info.key, key) === undefined;
}

function lackOfAddress(type: number, { baseUrl, key }: ChannelConnection): "base-url" | undefined {
  const address = effectiveBaseUrl(type, baseUrl, key);
  // Where a region decides the address there is none of the type.
  if (address === "" && channelTypeInfo(type)?.regions !== undefined) return undefined;
  return URL.canParse(address) ? undefined : "base-url";
}
