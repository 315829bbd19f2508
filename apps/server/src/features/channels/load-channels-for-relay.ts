import { KEY_STATUS } from "@one-api/contract/channels/channel-constants";
import type { ChannelCosts, DialectUrls } from "@one-api/contract/channels/channel-json";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { type ChannelType, isChannelType } from "@one-api/contract/channels/channel-types";
import { splitList } from "@one-api/contract/texts";
import type { Logger } from "pino";
import { AppError } from "../../core/app-error.ts";
import { placeOf, type Secrets } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { type ChannelOverrides, readOverrides } from "./overrides/read-overrides.ts";
import { openConfig, readCosts, readDialectUrls, readModelMapping } from "./channel-config.ts";
import { listSealedKeys, type SealedKeyRow } from "./keys/key.repository.ts";
import { openProxy } from "./channel-proxy.ts";
import { hasSpentLimit } from "./channel.policy.ts";
import { findSealedChannel, listEnabledSealedChannels, type SealedChannelRow } from "./channel.repository.ts";

export interface ChannelDeadlines {
  /** First content of a stream. */
  readonly firstTokenMs?: number;
  /** Between two pieces of an answer. */
  readonly idleMs?: number;
  /** A whole answer. */
  readonly totalMs?: number;
}

/** A key of a channel that holds several. The key is in clear: never put it into logs, errors or answers. */
export interface ChannelKeyForRelay {
  readonly id: number;
  readonly key: string;
  readonly end: string;
  readonly weight: number;
}

export type RelayRow = SealedChannelRow & { readonly keys: readonly SealedKeyRow[] };

export interface ChannelForRelay {
  readonly id: number;
  readonly type: ChannelType;
  readonly name: string;
  readonly status: number;
  readonly connection: ChannelConnection;
  readonly dialectUrls: DialectUrls | undefined;
  readonly keys: readonly ChannelKeyForRelay[] | undefined;
  /** Id of the key in `connection`; undefined for a channel of one key. */
  readonly keyInUse: number | undefined;
  /** Proxy with its login, `direct`, or empty for the setting HttpProxy. Never put it into logs, errors or answers. */
  readonly proxy: string;
  /** Model names of requests, in the channel's order. */
  readonly models: ReadonlySet<string>;
  readonly groups: readonly string[];
  readonly modelMapping: ReadonlyMap<string, string>;
  readonly costs: ChannelCosts;
  readonly systemPrompt: string;
  readonly deadlines: ChannelDeadlines | undefined;
  readonly overrides: ChannelOverrides | undefined;
  readonly priority: number;
  readonly weight: number;
  readonly softLimitUsd: number;
  readonly usedQuota: number;
  /** End of the dormancy, or of a pause, in Unix seconds; 0 or past if the channel serves. */
  readonly dormantUntil: number;
  readonly hinted: boolean;
  /** True if the prompt is counted here when the provider does not report it. */
  readonly calcPrompt: boolean;
  readonly testModel: string;
}

/** Enabled channels that have not reached their spending limit. `quotaPerUnit` is the quota of one dollar. */
export async function loadChannelsForRelay(
  queryable: Queryable,
  secrets: Secrets,
  quotaPerUnit: number,
  log: Logger,
): Promise<ChannelForRelay[]> {
  return toChannelsForRelay(await listRowsForRelay(queryable), secrets, quotaPerUnit, log);
}

/** Rows of the enabled channels, with their keys. */
export async function listRowsForRelay(queryable: Queryable): Promise<RelayRow[]> {
  const rows = await listEnabledSealedChannels(queryable);
  const keys = await listSealedKeys(queryable);
  return rows.map((row) => ({ ...row, keys: keys.get(row.id) ?? [] }));
}

/** Parses rows. A channel whose secrets cannot be decrypted is logged and skipped, so that the others serve. One without an enabled key is skipped. */
export function toChannelsForRelay(
  rows: readonly RelayRow[],
  secrets: Secrets,
  quotaPerUnit: number,
  log: Logger,
): ChannelForRelay[] {
  return rows.flatMap((row) => {
    if (hasSpentLimit(row, quotaPerUnit) || lacksKey(row)) return [];
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
    const keys = (await listSealedKeys(queryable, id)).get(id) ?? [];
    return toChannelForRelay({ ...row, keys }, secrets);
  } catch {
    throw channelUnreadable(id);
  }
}

export function channelUnreadable(id: number): AppError {
  return new AppError(
    "channel-unreadable",
    `Channel ${id} cannot be read with the server's master key. Edit it and type its key again.`,
    { field: "key", values: { id } },
  );
}

function lacksKey({ keys }: RelayRow): boolean {
  return keys.length > 0 && keys.every(({ status }) => status !== KEY_STATUS.enabled);
}

/** The first enabled key; without one, those that the gateway disabled take turns, probe by probe. */
function keyToUse({ keys, failed_probes: failedProbes }: RelayRow): SealedKeyRow | undefined {
  const enabled = keys.find(({ status }) => status === KEY_STATUS.enabled);
  const refused = keys.filter(({ status }) => status === KEY_STATUS.autoDisabled);
  return enabled ?? refused[failedProbes % Math.max(1, refused.length)] ?? keys[0];
}

function openKeys({ keys }: RelayRow, secrets: Secrets, place: string): readonly ChannelKeyForRelay[] | undefined {
  if (keys.length === 0) return undefined;
  return keys
    .filter(({ status }) => status === KEY_STATUS.enabled)
    .map(({ id, key_cipher, key_end: end, weight }) => {
      return { id, key: secrets.open("channel-key", key_cipher, place), end: end === "" ? `#${id}` : end, weight };
    });
}

function toChannelForRelay(row: RelayRow, secrets: Secrets): ChannelForRelay {
  if (!isChannelType(row.type)) throw new Error(`Channel type ${row.type} is not known.`);
  const place = placeOf("channels", row.id, row.name);
  const { open, secret } = openConfig(row, secrets, place);
  const inUse = keyToUse(row);
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    status: row.status,
    connection: {
      baseUrl: row.base_url,
      key: secrets.open("channel-key", (inUse ?? row).key_cipher, place),
      organization: row.organization,
      other: row.other,
      config: { ...open, ...secret },
    },
    dialectUrls: row.dialect_urls === "" ? undefined : readDialectUrls(row.dialect_urls),
    keys: openKeys(row, secrets, place),
    keyInUse: inUse?.id,
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
