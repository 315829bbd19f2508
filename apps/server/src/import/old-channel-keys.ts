import { CHANNEL_STATUS } from "@one-api/contract/channels/channel";
import { type ChannelConfig, channelConfigSchema } from "@one-api/contract/channels/channel-json";
import { joinKey, splitKey, VERTEX_KEY } from "@one-api/contract/channels/channel-key";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import type { ForeignRow } from "@one-api/database/foreign-database";
import { z } from "zod";
import { splitChannelKeys } from "../features/channels/index.ts";
import { objectOf, textOf } from "./old-row.ts";
import type { OldProduct } from "./old-server.ts";

/** One of a channel's keys, and whether it alone was disabled. */
export interface OldKey {
  readonly text: string;
  readonly status: number;
}

/** What new-api keeps of a channel with several keys. */
const channelInfoSchema = z.looseObject({
  is_multi_key: z.boolean().default(false),
  multi_key_status_list: z.record(z.string(), z.number()).nullish(),
});
const credentialsSchema = z.looseObject({ project_id: z.string().min(1) });

/** The keys of an old channel, each as this product writes it. Throws refusals of a key that has not the type's form. */
export function readOldKeys(product: OldProduct, type: number, row: ForeignRow): OldKey[] {
  const text = keyOf(type, row);
  if (product === "One API") return splitChannelKeys(type, text).map(enabled);
  const info = channelInfoSchema.safeParse(objectOf(row, "channel_info")).data;
  const statuses = info?.is_multi_key === true ? (info.multi_key_status_list ?? {}) : {};
  const isVertex = channelTypeInfo(type)?.name === "vertex";
  const keys = isVertex ? documentsIn(text).map((document) => vertexKey(document, row)) : undefined;
  return (keys ?? splitChannelKeys(type, text)).map((key, index) => ({
    text: key,
    status: statuses[String(index)] ?? CHANNEL_STATUS.enabled,
  }));
}

function enabled(text: string): OldKey {
  return { text, status: CHANNEL_STATUS.enabled };
}

/** The key, or what the config says of one whose parts have fields of their own. */
function keyOf(type: number, row: ForeignRow): string {
  const text = textOf(row, "key");
  const form = channelTypeInfo(type)?.key;
  if (form === undefined || splitKey(form, text) !== undefined) return text;
  const config = configOf(row);
  const parts = form.parts.map((part) => (part.config === undefined ? "" : (config[part.config] ?? "")));
  return joinKey(form, parts) || text;
}

/** One JSON document, a list of them, or one on each line. */
function documentsIn(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.map((document) => JSON.stringify(document)) : [JSON.stringify(value)];
  } catch {
    return text.split("\n").filter((line) => line.trim() !== "");
  }
}

/** new-api has the credentials alone in the key, and the region beside it. A key that is no such document stays as it is, and is refused. */
function vertexKey(document: string, row: ForeignRow): string {
  try {
    const { project_id } = credentialsSchema.parse(JSON.parse(document));
    return joinKey(VERTEX_KEY, [regionOf(textOf(row, "other")), project_id, document]) || document;
  } catch {
    return document;
  }
}

/** One region, or one for each model: what is not named goes to the default one. */
function regionOf(other: string): string {
  if (!other.startsWith("{")) return other || "global";
  const region = objectOf({ other }, "other")["default"];
  return typeof region === "string" && region !== "" ? region : "global";
}

function configOf(row: ForeignRow): ChannelConfig {
  return channelConfigSchema.safeParse(objectOf(row, "config")).data ?? {};
}

/** The config without empty fields. new-api has Cloudflare's account in `other`. */
export function readOldConfig(type: number, row: ForeignRow): ChannelConfig {
  const config = Object.fromEntries(
    Object.entries(configOf(row)).filter(([, value]) => value !== "" && value !== null),
  );
  const account = channelTypeInfo(type)?.userId === "account" ? textOf(row, "other") : "";
  return account === "" || "user_id" in config ? config : { ...config, user_id: account };
}

/** What the type means by `other`, which newer versions of One API have in the config; empty where it means nothing. */
export function readOldOther(type: number, row: ForeignRow): string {
  const meaning = channelTypeInfo(type)?.other;
  if (meaning === undefined) return "";
  const { api_version = "", plugin, library_id } = configOf(row);
  const inConfig = { "api-version": api_version, "model-version": api_version, plugin, "knowledge-base": library_id };
  const found = inConfig[meaning];
  return textOf(row, "other") || (typeof found === "string" ? found : "");
}
