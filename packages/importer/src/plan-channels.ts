import {
  CHANNEL_LIMITS,
  CHANNEL_STATUS,
  KEY_STATUS,
  MAX_CHANNEL_KEYS,
} from "@one-api/contract/channels/channel-constants";
import { channelProxySchema, createChannelInputSchema } from "@one-api/contract/channels/channel-input";
import { findOverrideProblem } from "@one-api/contract/channels/overrides/overrides";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import type { ForeignRow } from "@one-api/database/foreign/foreign-database";
import type { ChannelInput, CheckedChannel, GatewayRules } from "./gateway-rules.ts";
import type { ImportFindings } from "./import-findings.ts";
import { findChannelType, type FoundChannelType } from "./old-channel-types.ts";
import { type OldKey, readOldConfig, readOldKeys, readOldOther } from "./old-channel-keys.ts";
import { numberOf, objectOf, quotaOf, textOf, wholeOf } from "./old-row.ts";
import type { OldProduct, OldServer } from "./old-server.ts";

const NOUN = "channel";
const DISABLED_THERE = "Disabled automatically by the server that it comes from.";
/** Columns of new-api that change requests. */
const OVERRIDES = ["param_override", "header_override"];
/** Further columns that change requests or responses; they do not exist here. */
const UNREAD_COLUMNS = ["status_code_mapping"];
/** Fields of new-api's column `setting` that are read. */
const READ_SETTINGS = new Set(["system_prompt", "proxy"]);

/** A channel to be written, its secrets in clear text. */
export type PlannedChannel<Channel extends CheckedChannel = CheckedChannel> = Channel & ChannelHistory;

/** A key of a channel that holds several. */
interface PlannedKey {
  readonly key: string;
  readonly status: number;
  readonly status_reason: string;
  readonly disabled_at: number;
}

interface ChannelHistory {
  readonly id: number;
  readonly status: number;
  readonly status_reason: string;
  readonly created_time: number;
  readonly test_time: number;
  readonly response_time: number;
  readonly balance: number;
  readonly balance_updated_time: number;
  readonly used_quota: number;
  /** All of its keys in their order; none for a channel of one key. */
  readonly keys: readonly PlannedKey[];
}

type Rules<Channel extends CheckedChannel> = Pick<GatewayRules<Channel>, "isRefusal" | "checkNewChannels">;

export function planChannels<Channel extends CheckedChannel>(
  { product, channels }: Pick<OldServer, "product" | "channels">,
  rules: Rules<Channel>,
  findings: ImportFindings,
): PlannedChannel<Channel>[] {
  let lastId = Math.max(0, ...channels.map((row) => wholeOf(row, "id")));
  return channels.flatMap((row) => {
    const planned = planChannel(product, row, rules, findings);
    return planned.map((channel, index) => (index === 0 ? channel : { ...channel, id: (lastId += 1) }));
  });
}

function planChannel<Channel extends CheckedChannel>(
  product: OldProduct,
  row: ForeignRow,
  rules: Rules<Channel>,
  findings: ImportFindings,
): PlannedChannel<Channel>[] {
  const name = nameOf(row);
  const found = findChannelType(product, wholeOf(row, "type"));
  if (typeof found === "string") {
    findings.leaveOut(NOUN, name, found);
    return [];
  }
  try {
    const keys = [...new Map(readOldKeys(product, found.type, row).map((key) => [key.text, key])).values()];
    const parts = partsOf(keys);
    const planned: PlannedChannel<Channel>[] = [];
    for (const [index, part] of parts.entries()) {
      const input = readChannelInput(product, row, found, { keys: part, number: index + 1 });
      if (typeof input === "string") {
        findings.leaveOut(NOUN, name, input);
        return [];
      }
      planned.push(...rules.checkNewChannels(input).map((channel) => withHistory(row, channel, { index, keys: part })));
    }
    reportChanges(row, name, parts, findings);
    return planned;
  } catch (error) {
    if (!rules.isRefusal(error)) throw error;
    findings.leaveOut(NOUN, name, error.message);
    return [];
  }
}

/** Keys of each channel: all of them, unless there are more than a channel holds. One part at least. */
function partsOf(keys: readonly OldKey[]): OldKey[][] {
  const count = Math.max(1, Math.ceil(keys.length / MAX_CHANNEL_KEYS));
  return Array.from({ length: count }, (_part, index) =>
    keys.slice(index * MAX_CHANNEL_KEYS, (index + 1) * MAX_CHANNEL_KEYS),
  );
}

function nameOf(row: ForeignRow): string {
  return textOf(row, "name").slice(0, CHANNEL_LIMITS.nameLength) || `channel ${wholeOf(row, "id")}`;
}

/** Returns the channel in the form of the management API, or the problems of its fields. */
function readChannelInput(
  product: OldProduct,
  row: ForeignRow,
  { type, baseUrl }: FoundChannelType,
  { keys, number }: { readonly keys: readonly OldKey[]; readonly number: number },
): ChannelInput | string {
  const [key = "", ...more_keys] = keys.map(({ text }) => text);
  const within = (value: number, most: number) => Math.min(Math.max(value, -most), most);
  const input = createChannelInputSchema.safeParse({
    type,
    name: number === 1 ? nameOf(row) : numbered(nameOf(row), number),
    key,
    more_keys,
    base_url: baseUrlOf(product, type, textOf(row, "base_url")) || baseUrl,
    other: readOldOther(type, row),
    models: textOf(row, "models"),
    group: textOf(row, "group") || "default",
    model_mapping: modelMappingOf(row),
    system_prompt: textOf(row, "system_prompt") || textIn(objectOf(row, "setting"), "system_prompt"),
    organization: textOf(row, "openai_organization") || textOf(row, "organization"),
    proxy: proxyOf(row) ?? "",
    overrides: overridesOf(row) ?? "",
    soft_limit_usd: within(quotaOf(row, "soft_limit_usd"), CHANNEL_LIMITS.softLimitUsd),
    config: JSON.stringify(readOldConfig(type, row)),
    priority: within(wholeOf(row, "priority"), CHANNEL_LIMITS.priority),
    weight: within(quotaOf(row, "weight"), CHANNEL_LIMITS.weight),
    tags: textOf(row, "tag").slice(0, CHANNEL_LIMITS.tagLength),
    test_model: textOf(row, "test_model").slice(0, CHANNEL_LIMITS.testModelLength),
  });
  if (input.success) return input.data;
  return input.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join(" ");
}

function numbered(name: string, number: number): string {
  const end = `-${number}`;
  return name.slice(0, CHANNEL_LIMITS.nameLength - end.length) + end;
}

/** Names that new-api accepts as a base URL. Source: its constant/channel.go (read in November 2026). */
const PLANS_OF_NEW_API: ReadonlyMap<string, string> = new Map([
  ["glm-coding-plan", "https://open.bigmodel.cn/api/coding/paas/v4"],
  ["glm-coding-plan-international", "https://api.z.ai/api/coding/paas/v4"],
  ["kimi-coding-plan", "https://api.kimi.com/coding/v1"],
  ["doubao-coding-plan", "https://ark.cn-beijing.volces.com/api/coding/v3"],
]);

/** Custom channels of new-api have the whole URL of chat completions, and others may have the name of a plan. */
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

/** Adds states and counters. Counters go to the first of the channels of one old channel. */
function withHistory<Channel extends CheckedChannel>(
  row: ForeignRow,
  channel: Channel,
  { index, keys }: { readonly index: number; readonly keys: readonly OldKey[] },
): PlannedChannel<Channel> {
  // A channel serves with any of its keys.
  const best = [CHANNEL_STATUS.enabled, CHANNEL_STATUS.autoDisabled].find((state) =>
    keys.some((key) => key.status === state),
  );
  const ofKeys = best ?? keys[0]?.status ?? CHANNEL_STATUS.enabled;
  const status = statusOf(wholeOf(row, "status", 1), ofKeys);
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
    keys: keys.length > 1 ? keys.map(planKey) : [],
  };
}

function planKey({ text: key, status: there, reason, disabledAt }: OldKey): PlannedKey {
  if (there === CHANNEL_STATUS.enabled) return { key, status: KEY_STATUS.enabled, status_reason: "", disabled_at: 0 };
  if (there !== CHANNEL_STATUS.autoDisabled)
    return { key, status: KEY_STATUS.disabled, status_reason: "", disabled_at: 0 };
  return { key, status: KEY_STATUS.autoDisabled, status_reason: reason || DISABLED_THERE, disabled_at: disabledAt };
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

function reportChanges(row: ForeignRow, name: string, parts: readonly OldKey[][], findings: ImportFindings): void {
  const weight = wholeOf(row, "weight");
  const weights = weight > 0 ? `, each of its whole weight, ${weight}` : "";
  const count = parts.reduce((sum, { length }) => sum + length, 0);
  if (parts.length > 1)
    findings.change(
      NOUN,
      name,
      `has ${count} keys: it became ${parts.length} channels of ${MAX_CHANNEL_KEYS} keys at most${weights}`,
    );
  const columns = overridesOf(row) === undefined ? [...OVERRIDES, ...UNREAD_COLUMNS] : UNREAD_COLUMNS;
  const unreadColumns = columns.filter((column) => Object.keys(objectOf(row, column)).length > 0);
  const settings = Object.entries(objectOf(row, "setting")).filter(
    ([key, value]) => !READ_SETTINGS.has(key) && !!value,
  );
  unreadColumns.push(...settings.map(([key]) => `setting ${key}`));
  if (unreadColumns.length > 0) findings.change(NOUN, name, `its ${unreadColumns.join(", ")} had no place here`);
  if (proxyOf(row) === undefined)
    findings.change(NOUN, name, "its proxy could not be read: it uses the setting HttpProxy until you set its own");
  const unread = textOf(row, "model_mapping") !== "" && modelMappingOf(row) === "";
  if (unread && !/^\{\s*\}$/.test(textOf(row, "model_mapping")))
    findings.change(NOUN, name, "its model_mapping could not be read");
}

/** Returns the proxy in new-api's column `setting`; empty for none, undefined for a text that is no proxy here. */
function proxyOf(row: ForeignRow): string | undefined {
  return channelProxySchema.safeParse(textIn(objectOf(row, "setting"), "proxy")).data;
}

/** Steps and placeholders of new-api's overrides. */
const UNREAD_OVERRIDES = /"operations":|\{(?:api_key|client_header:)/;

/** Returns new-api's overrides; empty for none, undefined for those that this server does not take. */
function overridesOf(row: ForeignRow): string | undefined {
  const [body, headers] = OVERRIDES.map((column) => objectOf(row, column));
  const parts = Object.entries({ headers, body }).filter(([, set]) => Object.keys(set ?? {}).length > 0);
  if (parts.length === 0) return "";
  const text = JSON.stringify(Object.fromEntries(parts.map(([part, set]) => [part, { set }])));
  return UNREAD_OVERRIDES.test(text) || findOverrideProblem(text) !== undefined ? undefined : text;
}

function textIn(value: Readonly<Record<string, unknown>>, name: string): string {
  const text = value[name];
  return typeof text === "string" ? text.trim() : "";
}

/** True if channels of weight 0, which get no requests beside others, are mixed with weighted ones. One API ignores weights. */
export function mixesWeights(channels: readonly PlannedChannel[]): boolean {
  const serving = channels.filter(({ status }) => status === CHANNEL_STATUS.enabled);
  return serving.some(({ fields }) => fields.weight === 0) && serving.some(({ fields }) => fields.weight > 0);
}
