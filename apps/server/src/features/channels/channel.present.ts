import {
  type Channel,
  type ChannelHint,
  channelHintSchema,
  type ChannelLastTest,
  channelLastTestSchema,
} from "@one-api/contract/channels/channel";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { splitList } from "@one-api/contract/texts";
import { changesBetween } from "../../core/audit.ts";
import { MASKED } from "../../platform/logging/mask-secrets.ts";
import { readModelMapping } from "./channel-config.ts";
import type { ChannelCooldowns } from "./channel-dependencies.ts";
import type { ChannelRow } from "./channel.repository.ts";

/** The audit trail shows only the length of longer texts. */
const LONGEST_SHOWN = 10_000;

/** The channel without secrets, as administrators see it at `now` (Unix seconds). */
export function presentChannel(row: ChannelRow, cooldowns: ChannelCooldowns, now: number): Channel {
  const dormancy = readDormancy(row, cooldowns, now);
  const lastTest = readLastTest(row.last_test);
  const hint = readHint(row.status_hint);
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    key: "",
    status: dormancy.dormantUntil === undefined ? row.status : CHANNEL_STATUS.dormant,
    status_reason: row.status_reason,
    base_url: row.base_url,
    other: row.other,
    models: row.models,
    group: row.group,
    model_mapping: row.model_mapping,
    costs: row.costs,
    dialect_urls: row.dialect_urls,
    overrides: row.overrides,
    first_token_seconds: row.first_token_seconds,
    idle_seconds: row.idle_seconds,
    total_seconds: row.total_seconds,
    paused_until: row.paused_until > now ? row.paused_until : 0,
    key_expires_at: row.key_expires_at,
    system_prompt: row.system_prompt,
    organization: row.organization,
    proxy: row.proxy,
    soft_limit_usd: row.soft_limit_usd,
    calc_prompt: row.calc_prompt === 1,
    config: row.config,
    priority: row.priority,
    weight: row.weight,
    tags: row.tags,
    test_model: row.test_model,
    scheduled_checks: row.scheduled_checks === 1,
    test_minutes: row.test_minutes,
    balance_minutes: row.balance_minutes,
    models_minutes: row.models_minutes,
    probe_time: row.status === CHANNEL_STATUS.autoDisabled ? row.probe_time : 0,
    failed_probes: row.failed_probes,
    created_time: row.created_time,
    test_time: row.test_time,
    response_time: row.response_time,
    balance: row.balance,
    balance_updated_time: row.balance_updated_time,
    awake_time: dormancy.dormantUntil ?? 0,
    used_quota: row.used_quota,
    sleeping_models: dormancy.models,
    ...(lastTest === undefined ? {} : { last_test: lastTest }),
    ...(hint === undefined ? {} : { status_hint: hint }),
  };
}

export function readHint(text: string): ChannelHint | undefined {
  return text === "" ? undefined : channelHintSchema.parse(JSON.parse(text));
}

export function readLastTest(text: string): ChannelLastTest | undefined {
  return text === "" ? undefined : channelLastTestSchema.parse(JSON.parse(text));
}

export function describeFields(columns: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, describe(name, value)]));
}

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

function describe(name: string, value: unknown): unknown {
  if (name.endsWith("_cipher")) return value === "" ? "" : MASKED;
  return typeof value === "string" && value.length > LONGEST_SHOWN ? `(${value.length} characters)` : value;
}

interface Dormancy {
  readonly models: Channel["sleeping_models"];
  readonly dormantUntil: number | undefined;
}

/** Models in cooldown, and the end of the dormancy. Only an enabled channel can be dormant. */
export function readDormancy(
  row: Pick<ChannelRow, "id" | "status" | "models" | "model_mapping" | "awake_time" | "paused_until">,
  cooldowns: ChannelCooldowns,
  now: number,
): Dormancy {
  const endTimes = new Map(cooldowns.coolingModels(row.id).map(({ model, endsAtSeconds }) => [model, endsAtSeconds]));
  const mapping = readModelMapping(row.model_mapping);
  const served = splitList(row.models);
  const models = served.flatMap((model) => {
    const endsAt = endTimes.get(mapping.get(model) ?? model);
    return endsAt === undefined ? [] : [{ model, awake_time: endsAt }];
  });
  if (row.status !== CHANNEL_STATUS.enabled) return { models, dormantUntil: undefined };
  const until = Math.max(row.awake_time, row.paused_until);
  if (until > now) return { models, dormantUntil: until };
  const isDormant = served.length > 0 && models.length === served.length;
  return { models, dormantUntil: isDormant ? Math.min(...models.map((model) => model.awake_time)) : undefined };
}
