import type { ChannelCosts } from "@one-api/contract/channels/channel-json";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { type ChannelType, isChannelType } from "@one-api/contract/channels/channel-types";
import { splitList } from "@one-api/contract/fields";
import type { Logger } from "pino";
import { AppError } from "../../core/app-error.ts";
import type { Secrets } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { openConfig, readCosts, readModelMapping } from "./channel-config.ts";
import { hasSpentLimit } from "./channel.policy.ts";
import { findSealedChannel, listEnabledSealedChannels, type SealedChannelRow } from "./channel.repository.ts";

/** A channel as the relay uses it, everything parsed once. */
export interface ChannelForRelay {
  readonly id: number;
  readonly type: ChannelType;
  readonly name: string;
  readonly status: number;
  readonly connection: ChannelConnection;
  /** The names that callers use, in the order of the channel. */
  readonly models: ReadonlySet<string>;
  readonly groups: readonly string[];
  /** The model that a caller names to the one that the provider is asked for. */
  readonly modelMapping: ReadonlyMap<string, string>;
  /** What its models cost the operator, where that is not what the maintained list says. */
  readonly costs: ChannelCosts;
  readonly systemPrompt: string;
  readonly priority: number;
  readonly weight: number;
  /** 0 is no limit. */
  readonly softLimitUsd: number;
  /** What was spent through the channel, in quota. */
  readonly usedQuota: number;
  /** Until when the provider limits the whole account, in Unix seconds; 0 or past while it does not. */
  readonly awakeTime: number;
  /** Something stands against the channel; the next answer takes it away. */
  readonly hinted: boolean;
  /** Count the prompt here when the provider does not report it. */
  readonly calcPrompt: boolean;
}

/** Every enabled channel but those that have spent their limit. `quotaPerUnit` is the quota of one dollar. */
export async function loadChannelsForRelay(
  queryable: Queryable,
  secrets: Secrets,
  quotaPerUnit: number,
  log: Logger,
): Promise<ChannelForRelay[]> {
  return toChannelsForRelay(await listEnabledSealedChannels(queryable), secrets, quotaPerUnit, log);
}

/** The same of rows that were read before. One whose secrets do not open is left out and logged: the others must go on serving. */
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
        { err: error, channelId: row.id },
        "a channel cannot be read and serves nothing until its key is typed again",
      );
      return [];
    }
  });
}

/** One channel, whatever its state; undefined when there is none. Throws `channel-unreadable` when its secrets do not open. */
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
  const { open, secret } = openConfig(row, secrets);
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    status: row.status,
    connection: {
      baseUrl: row.base_url,
      key: secrets.open("channel-key", row.key_cipher),
      organization: row.organization,
      other: row.other,
      config: { ...open, ...secret },
    },
    models: new Set(splitList(row.models)),
    groups: splitList(row.group),
    modelMapping: readModelMapping(row.model_mapping),
    costs: readCosts(row.costs),
    systemPrompt: row.system_prompt,
    priority: row.priority,
    weight: row.weight,
    softLimitUsd: row.soft_limit_usd,
    usedQuota: row.used_quota,
    awakeTime: row.awake_time,
    hinted: row.status_hint !== "",
    calcPrompt: row.calc_prompt === 1,
  };
}
