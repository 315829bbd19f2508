import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { type ChannelConfig, channelConfigSchema } from "@one-api/contract/channels/channel-json";
import { joinKey, splitKey, splitKeys, VERTEX_KEY } from "@one-api/contract/channels/channel-key";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import type { ForeignRow } from "@one-api/database/foreign/foreign-database";
import { z } from "zod";
import { objectOf, textOf } from "./old-row.ts";
import type { OldProduct } from "./old-server.ts";

/** One of a channel's keys, with its own status. */
export interface OldKey {
  readonly text: string;
  readonly status: number;
  /** Why and when the old server disabled it itself; empty and 0 if it did not say. Unix seconds. */
  readonly reason: string;
  readonly disabledAt: number;
}

/** Column `channel_info` of new-api. */
const channelInfoSchema = z.looseObject({
  is_multi_key: z.boolean().default(false),
  multi_key_status_list: z.record(z.string(), z.number()).nullish(),
  multi_key_disabled_reason: z.record(z.string(), z.string()).nullish(),
  multi_key_disabled_time: z.record(z.string(), z.number()).nullish(),
  multi_key_mode: z.unknown().optional(),
});
const credentialsSchema = z.looseObject({ project_id: z.string().min(1) });

/** Returns the keys of an old channel, each in the form of this product. */
export function readOldKeys(product: OldProduct, type: number, row: ForeignRow): OldKey[] {
  const text = keyOf(type, row);
  const form = channelTypeInfo(type)?.key;
  if (product === "One API") return splitKeys(form, text).map(enabled);
  const info = infoOf(row);
  const statuses = info?.multi_key_status_list ?? {};
  const isVertex = channelTypeInfo(type)?.name === "vertex";
  const keys = isVertex ? documentsIn(text).map((document) => vertexKey(document, row)) : undefined;
  return (keys ?? splitKeys(form, text)).map((key, index) => ({
    ...enabled(key),
    status: statuses[String(index)] ?? CHANNEL_STATUS.enabled,
    reason: (info?.multi_key_disabled_reason?.[String(index)] ?? "").replaceAll(key, "***"),
    disabledAt: Math.max(0, Math.trunc(info?.multi_key_disabled_time?.[String(index)] ?? 0)),
  }));
}

/** True for a channel of new-api whose keys are used in turn. */
export function takesKeysInTurn(row: ForeignRow): boolean {
  return infoOf(row)?.multi_key_mode === "polling";
}

function infoOf(row: ForeignRow) {
  const info = channelInfoSchema.safeParse(objectOf(row, "channel_info")).data;
  return info?.is_multi_key === true ? info : undefined;
}

function enabled(text: string): OldKey {
  return { text, status: CHANNEL_STATUS.enabled, reason: "", disabledAt: 0 };
}

function keyOf(type: number, row: ForeignRow): string {
  const text = textOf(row, "key");
  const form = channelTypeInfo(type)?.key;
  if (form === undefined || splitKey(form, text) !== undefined) return text;
  const config = configOf(row);
  const parts = form.parts.map((part) => (part.config === undefined ? "" : (config[part.config] ?? "")));
  return joinKey(form, parts) || text;
}

/** Splits one JSON document, a JSON list of documents, or one document a line. */
function documentsIn(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.map((document) => JSON.stringify(document)) : [JSON.stringify(value)];
  } catch {
    return text.split("\n").filter((line) => line.trim() !== "");
  }
}

/** new-api stores the region beside the key, in `other`. Any other text is returned as it is, and refused later. */
function vertexKey(document: string, row: ForeignRow): string {
  try {
    const { project_id } = credentialsSchema.parse(JSON.parse(document));
    return joinKey(VERTEX_KEY, [regionOf(textOf(row, "other")), project_id, document]) || document;
  } catch {
    return document;
  }
}

/** Returns the region, or the default of a map from models to regions. */
function regionOf(other: string): string {
  if (!other.startsWith("{")) return other || "global";
  const region = objectOf({ other }, "other")["default"];
  return typeof region === "string" && region !== "" ? region : "global";
}

function configOf(row: ForeignRow): ChannelConfig {
  return channelConfigSchema.safeParse(objectOf(row, "config")).data ?? {};
}

/** Returns the config without empty fields. new-api stores Cloudflare's account in `other`. */
export function readOldConfig(type: number, row: ForeignRow): ChannelConfig {
  const config = Object.fromEntries(
    Object.entries(configOf(row)).filter(([, value]) => value !== "" && value !== null),
  );
  const account = channelTypeInfo(type)?.userId === "account" ? textOf(row, "other") : "";
  return account === "" || "user_id" in config ? config : { ...config, user_id: account };
}

/** Returns `other`, which newer versions of One API store in the config. Empty for types without it. */
export function readOldOther(type: number, row: ForeignRow): string {
  const meaning = channelTypeInfo(type)?.other;
  if (meaning === undefined) return "";
  const { api_version = "", plugin, library_id } = configOf(row);
  const inConfig = { "api-version": api_version, "model-version": api_version, plugin, "knowledge-base": library_id };
  const found = inConfig[meaning];
  return textOf(row, "other") || (typeof found === "string" ? found : "");
}
