import type { ChannelCosts } from "@one-api/contract/channels/channel-json";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { type ChannelType, isChannelType } from "@one-api/contract/channels/channel-types";
import { splitList } from "@one-api/contract/texts";
import type { Logger } from "pino";
import { AppError } from "../../core/app-error.ts";
import { placeOf, type Secrets } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { type ChannelOverrides, readOverrides } from "./overrides/read-overrides.ts";
import { openConfig, readCosts, readModelMapping } from "./channel-config.ts";
import { openProxy } from "./channel-proxy.ts";
import { hasSpentLimit } from "./channel.policy.ts";
import { findSealedChannel, listEnabledSealedChannels, type SealedChannelRow } from "./channel.repository.ts";

/** In ms; absent for the server's default. */
export interface ChannelDeadlines {
  /** First content of a stream. */
  readonly firstTokenMs?: number;
  /** Between two pieces of an answer. */
  readonly idleMs?: number;
  /** A whole answer. */
  readonly totalMs?: number;
}

export interface ChannelForRelay {
  readonly id: number;
  readonly type: ChannelType;
  readonly name: string;
  readonly status: number;
  readonly connection: ChannelConnection;
  /** Proxy with its login, `direct`, or empty for the setting HttpProxy. Never put it into logs, errors or answers. */
  readonly proxy: string;
  /** Model names of requests, in the channel's order. */
  readonly models: ReadonlySet<string>;
  readonly groups: readonly string[];
  readonly modelMapping: ReadonlyMap<string, string>;
  /** Costs that differ from the maintained list. */
  readonly costs: ChannelCosts;
  readonly systemPrompt: string;
  /** Deadlines of its own; undefined without. */
  readonly deadlines: ChannelDeadlines | undefined;
  /** Changes of upstream requests; undefined without. */
  readonly overrides: ChannelOverrides | undefined;
  readonly priority: number;
  readonly weight: number;
  readonly softLimitUsd: number;
  readonly usedQuota: number;
  /** End of the dormancy, or of a pause, in Unix seconds; 0 or past if the channel serves. */
  readonly dormantUntil: number;
  /** True if the channel has a hint, which the next successful answer clears. */
  readonly hinted: boolean;
  /** True if the prompt is counted here when the provider does not report it. */
  readonly calcPrompt: boolean;
  /** Model of its tests; empty for the default. */
  readonly testModel: string;
}

/** Enabled channels that have not reached their spending limit. `quotaPerUnit` is the quota of one dollar. */
export async function loadChannelsForRelay(
  queryable: Queryable,
  secrets: Secrets,
  quotaPerUnit: number,
  log: Logger,
): Promise<ChannelForRelay[]> {
  return toChannelsForRelay(await listEnabledSealedChannels(queryable), secrets, quotaPerUnit, log);
}

/** Parses rows. A channel whose secrets cannot be decrypted is logged and skipped, so that the others serve. */
export function toChannelsForRelay(
  rows: readonly SealedChannelRow[],
  secrets: Secrets,
  quotaPerUnit: number,
  log: Logger,
): ChannelForRelay[] {
  return rows.flatMap((row) => {
    if (hasSpentLimit(row, quotaPerUnit)) return [];
    try {
      return [toChannelForRelay(row, secrets)];
    } catch (error) {
      log.error(
        { err: error, channelId: row.id, channelName: row.name },
        "a channel cannot be read and serves nothing until its key is typed again",
      );
      return [];
    }
  });
}

/** A channel in any state. Throws `channel-unreadable` if its secrets cannot be decrypted. */
export async function loadChannelForRelay(
  queryable: Queryable,
  secrets: Secrets,
  id: number,
): Promise<ChannelForRelay | undefined> {
  const row = await findSealedChannel(queryable, id);
  if (row === undefined) return undefined;
  try {
    return toChannelForRelay(row, secrets);
  } catch {
    throw new AppError(
      "channel-unreadable",
      `Channel ${id} cannot be read with the server's master key. Edit it and type its key again.`,
      { field: "key", values: { id } },
    );
  }
}

function toChannelForRelay(row: SealedChannelRow, secrets: Secrets): ChannelForRelay {
  if (!isChannelType(row.type)) throw new Error(`Channel type ${row.type} is not known.`);
  const place = placeOf("channels", row.id, row.name);
  const { open, secret } = openConfig(row, secrets, place);
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    status: row.status,
    connection: {
      baseUrl: row.base_url,
      key: secrets.open("channel-key", row.key_cipher, place),
      organization: row.organization,
      other: row.other,
      config: { ...open, ...secret },
    },
    proxy: openProxy(row, secrets, place),
    models: new Set(splitList(row.models)),
    groups: splitList(row.group),
    modelMapping: readModelMapping(row.model_mapping),
    costs: readCosts(row.costs),
    systemPrompt: row.system_prompt,
    overrides: readOverrides(row.overrides),
    deadlines: readDeadlines(row),
    priority: row.priority,
    weight: row.weight,
    softLimitUsd: row.soft_limit_usd,
    usedQuota: row.used_quota,
    dormantUntil: Math.max(row.awake_time, row.paused_until),
    hinted: row.status_hint !== "",
    calcPrompt: row.calc_prompt === 1,
    testModel: row.test_model,
  };
}

function readDeadlines({
  first_token_seconds: firstToken,
  idle_seconds: idle,
  total_seconds: total,
}: SealedChannelRow): ChannelDeadlines | undefined {
  if (firstToken + idle + total === 0) return undefined;
  return {
    ...(firstToken > 0 && { firstTokenMs: firstToken * 1_000 }),
    ...(idle > 0 && { idleMs: idle * 1_000 }),
    ...(total > 0 && { totalMs: total * 1_000 }),
  };
}
