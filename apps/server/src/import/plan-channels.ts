import { CHANNEL_LIMITS, CHANNEL_STATUS, createChannelInputSchema } from "@one-api/contract/channels/channel";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import type { ForeignRow } from "@one-api/database/foreign-database";
import { AppError } from "../core/app-error.ts";
import { checkNewChannels, type CheckedChannel } from "../features/channels/index.ts";
import type { ImportFindings } from "./import-findings.ts";
import { findChannelType, type FoundChannelType } from "./old-channel-types.ts";
import { type OldKey, readOldConfig, readOldKeys, readOldOther } from "./old-channel-keys.ts";
import { numberOf, objectOf, quotaOf, textOf, wholeOf } from "./old-row.ts";
import type { OldProduct, OldServer } from "./old-server.ts";

const NOUN = "channel";
const DISABLED_THERE = "Disabled automatically by the server that it comes from.";
/** What new-api has channels send other than they are asked; nothing here does. */
const OVERRIDES = ["param_override", "header_override", "status_code_mapping"];

/** A channel as it will be, its secrets in clear. The first of an old channel's keys keeps its id. */
export interface PlannedChannel extends CheckedChannel {
  readonly id: number;
  readonly status: number;
  readonly status_reason: string;
  readonly created_time: number;
  readonly test_time: number;
  readonly response_time: number;
  readonly balance: number;
  readonly balance_updated_time: number;
  readonly used_quota: number;
}

/** The channels that come over, one for each key. */
export function planChannels({ product, channels }: OldServer, findings: ImportFindings): PlannedChannel[] {
  let lastId = Math.max(0, ...channels.map((row) => wholeOf(row, "id")));
  return channels.flatMap((row) => {
    const planned = planChannel(product, row, findings);
    return planned.map((channel, index) => (index === 0 ? channel : { ...channel, id: (lastId += 1) }));
  });
}

function planChannel(product: OldProduct, row: ForeignRow, findings: ImportFindings): PlannedChannel[] {
  const name = nameOf(row);
  const found = findChannelType(product, wholeOf(row, "type"));
  if (typeof found === "string") {
    findings.leaveOut(NOUN, name, found);
    return [];
  }
  try {
    // One that stands there twice becomes one channel.
    const keys = [...new Map(readOldKeys(product, found.type, row).map((key) => [key.text, key])).values()];
    const checked = checkNewChannels(readInput(product, row, found, keys));
    noteChanges(row, name, checked.length, findings);
    return checked.map((channel, index) => withPast(row, channel, { index, key: keys[index] }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    findings.leaveOut(NOUN, name, error.message);
    return [];
  }
}

function nameOf(row: ForeignRow): string {
  return textOf(row, "name").slice(0, CHANNEL_LIMITS.nameLength) || `channel ${wholeOf(row, "id")}`;
}

/** The channel as somebody would type it. Throws AppError naming what cannot be. */
function readInput(product: OldProduct, row: ForeignRow, { type, baseUrl }: FoundChannelType, keys: readonly OldKey[]) {
  const within = (value: number, most: number) => Math.min(Math.max(value, -most), most);
  const input = createChannelInputSchema.safeParse({
    type,
    name: nameOf(row),
    key: keys.map(({ text }) => text).join("\n"),
    base_url: baseUrlOf(product, type, textOf(row, "base_url")) || baseUrl,
    other: readOldOther(type, row),
    models: textOf(row, "models"),
    group: textOf(row, "group") || "default",
    model_mapping: modelMappingOf(row),
    system_prompt: textOf(row, "system_prompt") || textIn(objectOf(row, "setting"), "system_prompt"),
    organization: textOf(row, "openai_organization") || textOf(row, "organization"),
    soft_limit_usd: within(quotaOf(row, "soft_limit_usd"), CHANNEL_LIMITS.softLimitUsd),
    config: JSON.stringify(readOldConfig(type, row)),
    priority: within(wholeOf(row, "priority"), CHANNEL_LIMITS.priority),
    weight: within(quotaOf(row, "weight"), CHANNEL_LIMITS.weight),
    tags: textOf(row, "tag").slice(0, CHANNEL_LIMITS.tagLength),
  });
  if (input.success) return input.data;
  const problems = input.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new AppError("invalid-input", problems.join(" "));
}

/** Words that new-api takes for an address, and where they lead. Source: its constant/channel.go (read in November 2026). */
const PLANS_OF_NEW_API: ReadonlyMap<string, string> = new Map([
  ["glm-coding-plan", "https://open.bigmodel.cn/api/coding/paas/v4"],
  ["glm-coding-plan-international", "https://api.z.ai/api/coding/paas/v4"],
  ["kimi-coding-plan", "https://api.kimi.com/coding/v1"],
  ["doubao-coding-plan", "https://ark.cn-beijing.volces.com/api/coding/v3"],
]);

/** new-api's custom channels name the whole address of chats, and some others a plan in the place of an address. */
function baseUrlOf(product: OldProduct, type: number, baseUrl: string): string {
  if (product !== "new-api") return baseUrl;
  const plan = PLANS_OF_NEW_API.get(baseUrl);
  if (plan !== undefined) return plan;
  return channelTypeInfo(type)?.name === "custom" ? baseUrl.replace(/\/chat\/completions\/*$/, "") : baseUrl;
}

function modelMappingOf(row: ForeignRow): string {
  const named = Object.entries(objectOf(row, "model_mapping")).filter(
    ([from, to]) => from !== "" && typeof to === "string" && to !== "",
  );
  return named.length === 0 ? "" : JSON.stringify(Object.fromEntries(named));
}

/** The key's own status and what the old server counted. What only the whole channel has stays with its first key. */
function withPast(
  row: ForeignRow,
  channel: CheckedChannel,
  { index, key }: { readonly index: number; readonly key: OldKey | undefined },
): PlannedChannel {
  const status = statusOf(wholeOf(row, "status", 1), key?.status ?? CHANNEL_STATUS.enabled);
  const ofChannel = index === 0 ? 1 : 0;
  return {
    ...channel,
    id: wholeOf(row, "id"),
    status,
    status_reason: status === CHANNEL_STATUS.autoDisabled ? DISABLED_THERE : "",
    created_time: quotaOf(row, "created_time"),
    test_time: quotaOf(row, "test_time"),
    response_time: quotaOf(row, "response_time"),
    balance: numberOf(row, "balance") * ofChannel,
    balance_updated_time: quotaOf(row, "balance_updated_time") * ofChannel,
    used_quota: quotaOf(row, "used_quota") * ofChannel,
  };
}

function statusOf(ofChannel: number, ofKey: number): number {
  const status = ofChannel === CHANNEL_STATUS.enabled ? ofKey : ofChannel;
  switch (status) {
    case CHANNEL_STATUS.enabled:
    case CHANNEL_STATUS.dormant:
      return CHANNEL_STATUS.enabled;
    case CHANNEL_STATUS.autoDisabled:
    case CHANNEL_STATUS.reserve:
      return status;
    default:
      return CHANNEL_STATUS.disabled;
  }
}

function noteChanges(row: ForeignRow, name: string, count: number, findings: ImportFindings): void {
  if (count > 1) findings.change(NOUN, name, `has ${count} keys: it became ${count} channels of one key each`);
  const overrides = OVERRIDES.filter((column) => Object.keys(objectOf(row, column)).length > 0);
  if (overrides.length > 0) findings.change(NOUN, name, `its ${overrides.join(", ")} had no place here`);
  if (textIn(objectOf(row, "setting"), "proxy") !== "")
    findings.change(NOUN, name, "went through a proxy of its own: here one proxy is set for all channels");
  const unread = textOf(row, "model_mapping") !== "" && modelMappingOf(row) === "";
  if (unread && !/^\{\s*\}$/.test(textOf(row, "model_mapping")))
    findings.change(NOUN, name, "its model_mapping could not be read");
}

function textIn(value: Readonly<Record<string, unknown>>, name: string): string {
  const text = value[name];
  return typeof text === "string" ? text.trim() : "";
}

/** Whether channels of weight 0 stand beside such with one, which leaves them nothing here; One API never looked at weights. */
export function mixesWeights(channels: readonly PlannedChannel[]): boolean {
  const serving = channels.filter(({ status }) => status === CHANNEL_STATUS.enabled);
  return serving.some(({ fields }) => fields.weight === 0) && serving.some(({ fields }) => fields.weight > 0);
}
