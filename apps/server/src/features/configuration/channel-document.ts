import { isDeepStrictEqual } from "node:util";
import type { CreateChannelInput } from "@one-api/contract/channels/channel-input";
import { CHANNEL_STATUS, CHECK_AS_SET } from "@one-api/contract/channels/channel-constants";
import { channelCostsSchema, dialectUrlsSchema, modelMappingSchema } from "@one-api/contract/channels/channel-json";
import { CHANNEL_TYPES, channelTypeInfo } from "@one-api/contract/channels/channel-types";
import type { DOCUMENT_STATUSES, DocumentChannel } from "@one-api/contract/configuration/configuration";
import { joinList, splitList } from "@one-api/contract/texts";
import { z } from "zod";
import type { SealedChannelRow } from "../channels/index.ts";

const objectSchema = z.record(z.string(), z.unknown());

type Status = (typeof DOCUMENT_STATUSES)[number];

const { enabled, disabled, reserve } = CHANNEL_STATUS;

const STATUS_OF: Readonly<Record<Status, number>> = { enabled, disabled, reserve };

const DEFAULTS: Partial<DocumentChannel> = {
  status: "enabled",
  base_url: "",
  dialect_urls: {},
  models: [],
  group: ["default"],
  tags: [],
  priority: 0,
  weight: 0,
  model_mapping: {},
  costs: {},
  overrides: {},
  first_token_seconds: 0,
  idle_seconds: 0,
  total_seconds: 0,
  config: {},
  proxy: "",
  organization: "",
  other: "",
  system_prompt: "",
  soft_limit_usd: 0,
  calc_prompt: true,
  test_model: "",
  scheduled_checks: true,
  test_minutes: CHECK_AS_SET,
  balance_minutes: CHECK_AS_SET,
  models_minutes: CHECK_AS_SET,
};

/** The channel without secrets and default values. Undefined for a type that this version does not know. */
export function writeChannel(row: SealedChannelRow): DocumentChannel | undefined {
  const type = channelTypeInfo(row.type)?.name;
  if (type === undefined) return undefined;
  const { name, base_url, priority, weight, organization, other, system_prompt, soft_limit_usd, test_model } = row;
  const { first_token_seconds, idle_seconds, total_seconds, test_minutes, balance_minutes, models_minutes } = row;
  const fields: DocumentChannel = {
    name,
    type,
    status: row.status === disabled ? "disabled" : row.status === reserve ? "reserve" : "enabled",
    base_url,
    dialect_urls: dialectUrlsSchema.parse(readJson(row.dialect_urls)),
    models: splitList(row.models),
    group: splitList(row.group),
    tags: splitList(row.tags),
    priority,
    weight,
    model_mapping: modelMappingSchema.parse(readJson(row.model_mapping)),
    costs: channelCostsSchema.parse(readJson(row.costs)),
    overrides: objectSchema.parse(readJson(row.overrides)),
    first_token_seconds,
    idle_seconds,
    total_seconds,
    config: objectSchema.parse(readJson(row.config)),
    // A login is a secret.
    ...(row.proxy_cipher === "" ? { proxy: row.proxy } : {}),
    organization,
    other,
    system_prompt,
    soft_limit_usd,
    calc_prompt: row.calc_prompt === 1,
    test_model,
    scheduled_checks: row.scheduled_checks === 1,
    test_minutes,
    balance_minutes,
    models_minutes,
  };
  return withoutDefaults(fields);
}

function withoutDefaults(fields: DocumentChannel): DocumentChannel {
  const kept: DocumentChannel = { ...fields };
  for (const name in DEFAULTS)
    if (isDefaulted(name) && isDeepStrictEqual(kept[name], DEFAULTS[name])) delete kept[name];
  return kept;
}

function isDefaulted(name: string): name is Exclude<keyof DocumentChannel, "name" | "type"> {
  return Object.hasOwn(DEFAULTS, name);
}

/** The channel as the input of a new one. `key` stands in for an absent one. */
export function readChannel(channel: DocumentChannel, key: string): CreateChannelInput {
  const { type, status = "enabled", models, group, tags, model_mapping, costs, overrides, config, ...others } = channel;
  const { dialect_urls, ...rest } = others;
  return {
    ...rest,
    key: channel.key ?? key,
    type: CHANNEL_TYPES.find(({ name }) => name === type)?.type ?? 0,
    status: STATUS_OF[status],
    models: joinList(models ?? []),
    group: joinList(group ?? ["default"]),
    tags: joinList(tags ?? []),
    model_mapping: writeObject(model_mapping),
    costs: writeObject(costs),
    dialect_urls: writeObject(dialect_urls),
    overrides: writeObject(overrides),
    config: writeObject(config),
  };
}

/** The status to set; undefined if the present one is what the document asks for. Only people disable a channel for good. */
export function statusToSet(present: number, { status = "enabled" }: DocumentChannel): number | undefined {
  const isDisabled = present === disabled;
  const isWanted =
    status === "disabled" ? isDisabled : status === "enabled" ? !isDisabled && present !== reserve : !isDisabled;
  return isWanted ? undefined : STATUS_OF[status];
}

/** The stored text if it says the same as the wanted one. */
export function sameJson(stored: string, wanted: string): string {
  return isDeepStrictEqual(readJson(stored), readJson(wanted)) ? stored : wanted;
}

function readJson(text: string): unknown {
  return text === "" ? {} : JSON.parse(text);
}

function writeObject(value: object | undefined): string {
  return value === undefined || Object.keys(value).length === 0 ? "" : JSON.stringify(value);
}
