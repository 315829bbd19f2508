import { type Channel, CHANNEL_STATUS } from "@one-api/contract/channel";
import { splitList } from "@one-api/contract/fields";
import { readModelMapping } from "./channel-config.ts";
import type { ChannelSleep } from "./channel-dependencies.ts";
import type { ChannelRow } from "./channel.repository.ts";

/** Longer texts stand in the audit trail by their length only. */
const LONGEST_SHOWN = 200;

/** The channel as administrators see it: without its secrets, dormant while its provider limits all of it. */
export function presentChannel(row: ChannelRow, sleep: ChannelSleep): Channel {
  const dormancy = readDormancy(row, sleep);
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
    system_prompt: row.system_prompt,
    organization: row.organization,
    soft_limit_usd: row.soft_limit_usd,
    calc_prompt: row.calc_prompt === 1,
    config: row.config,
    priority: row.priority,
    weight: row.weight,
    created_time: row.created_time,
    test_time: row.test_time,
    response_time: row.response_time,
    balance: row.balance,
    balance_updated_time: row.balance_updated_time,
    awake_time: dormancy.awakeTime ?? row.awake_time,
    used_quota: row.used_quota,
    sleeping_models: dormancy.models,
  };
}

/** Columns as the audit trail keeps them: long texts by their length only, sealed ones by name only. */
export function describeFields(columns: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => {
      if (name.endsWith("_cipher")) return [name.replace(/_cipher$/, "_secret"), "(changed)"];
      if (typeof value === "string" && value.length > LONGEST_SHOWN) return [name, `(${value.length} characters)`];
      return [name, value];
    }),
  );
}

interface Dormancy {
  readonly models: Channel["sleeping_models"];
  /** When the first part of the channel wakes, in Unix seconds; undefined while some of it serves. */
  readonly awakeTime: number | undefined;
}

function readDormancy(row: ChannelRow, sleep: ChannelSleep): Dormancy {
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
  const sleepsWhole = served.length > 0 && models.length === served.length;
  const firstAwake = sleepsWhole ? Math.min(...models.map((model) => model.awake_time)) : undefined;
  return { models, awakeTime: sleep.accountSleepsUntil?.(row.id) ?? firstAwake };
}
