import {
  type Channel,
  CHANNEL_STATUS,
  type ChannelHint,
  channelHintSchema,
  type ChannelLastTest,
  channelLastTestSchema,
} from "@one-api/contract/channels/channel";
import { splitList } from "@one-api/contract/fields";
import { changesBetween } from "../../core/audit.ts";
import { MASKED } from "../../platform/logging/mask-secrets.ts";
import { readModelMapping } from "./channel-config.ts";
import type { ChannelSleep } from "./channel-dependencies.ts";
import type { ChannelRow } from "./channel.repository.ts";

/** Longer texts stand in the audit trail by their length only. */
const LONGEST_SHOWN = 10_000;

/** The channel as administrators see it at the time `now` (Unix seconds): without its secrets, dormant while its provider limits all of it. */
export function presentChannel(row: ChannelRow, sleep: ChannelSleep, now: number): Channel {
  const dormancy = readDormancy(row, sleep, now);
  const lastTest = readLastTest(row.last_test);
  const hint = readHint(row.status_hint);
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    key: "",
    status: dormancy.awakeTime === undefined ? row.status : CHANNEL_STATUS.dormant,
    status_reason: row.status_reason,
    base_url: row.base_url,
    other: row.other,
    models: row.models,
    group: row.group,
    model_mapping: row.model_mapping,
    costs: row.costs,
    system_prompt: row.system_prompt,
    organization: row.organization,
    soft_limit_usd: row.soft_limit_usd,
    calc_prompt: row.calc_prompt === 1,
    config: row.config,
    priority: row.priority,
    weight: row.weight,
    tags: row.tags,
    created_time: row.created_time,
    test_time: row.test_time,
    response_time: row.response_time,
    balance: row.balance,
    balance_updated_time: row.balance_updated_time,
    awake_time: dormancy.awakeTime ?? 0,
    used_quota: row.used_quota,
    sleeping_models: dormancy.models,
    ...(lastTest === undefined ? {} : { last_test: lastTest }),
    ...(hint === undefined ? {} : { status_hint: hint }),
  };
}

/** The hint that a column keeps; undefined for none. */
export function readHint(text: string): ChannelHint | undefined {
  return text === "" ? undefined : channelHintSchema.parse(JSON.parse(text));
}

function readLastTest(text: string): ChannelLastTest | undefined {
  return text === "" ? undefined : channelLastTestSchema.parse(JSON.parse(text));
}

/** What a channel is created with as the audit trail keeps it. */
export function describeFields(columns: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, describe(name, value)]));
}

/** What an edit changes as the audit trail keeps it, with what was before. */
export function describeChanges(
  before: object,
  changes: Readonly<Record<string, unknown>>,
): Record<string, { readonly from: unknown; readonly to: unknown }> {
  return Object.fromEntries(
    Object.entries(changesBetween(before, changes)).map(([name, { from, to }]) => [
      name.replace(/_cipher$/, "_secret"),
      { from: describe(name, from), to: describe(name, to) },
    ]),
  );
}

/** Long texts by their length only, sealed ones by nothing. */
function describe(name: string, value: unknown): unknown {
  if (name.endsWith("_cipher")) return value === "" ? "" : MASKED;
  return typeof value === "string" && value.length > LONGEST_SHOWN ? `(${value.length} characters)` : value;
}

interface Dormancy {
  readonly models: Channel["sleeping_models"];
  /** When the channel wakes, or the first part of it, in Unix seconds; undefined while some of it serves. */
  readonly awakeTime: number | undefined;
}

/** Which models of a channel sleep, and until when it sleeps as a whole. Only an enabled channel does. */
export function readDormancy(
  row: Pick<ChannelRow, "id" | "status" | "models" | "model_mapping" | "awake_time">,
  sleep: ChannelSleep,
  now: number,
): Dormancy {
  const awakeTimes = new Map(
    sleep.sleepingModels(row.id).map(({ model, awakeTimeSeconds }) => [model, awakeTimeSeconds]),
  );
  const mapping = readModelMapping(row.model_mapping);
  const served = splitList(row.models);
  const models = served.flatMap((model) => {
    const awakeTime = awakeTimes.get(mapping.get(model) ?? model);
    return awakeTime === undefined ? [] : [{ model, awake_time: awakeTime }];
  });
  if (row.status !== CHANNEL_STATUS.enabled) return { models, awakeTime: undefined };
  if (row.awake_time > now) return { models, awakeTime: row.awake_time };
  const sleepsWhole = served.length > 0 && models.length === served.length;
  return { models, awakeTime: sleepsWhole ? Math.min(...models.map((model) => model.awake_time)) : undefined };
}
