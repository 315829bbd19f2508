import { OUTAGE_WAIT_MS, outageWaitMs } from "@one-api/database/database-errors";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import { awaitDatabase, createOutageRetry } from "../../platform/await-database.ts";
import type { ChangeFeed } from "../../core/change-feed.ts";
import type { Clock } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { Secrets } from "../../core/secrets.ts";
import type { SharedCache } from "../../platform/shared-cache.ts";
import {
  type ChannelForRelay,
  listRowsForRelay,
  shareChannels,
  toChannelsForRelay,
} from "../../features/channels/index.ts";

export interface ChannelSnapshot {
  serving(group: string, model: string): readonly ChannelForRelay[];
  servingOthers(group: string, model: string): readonly ChannelForRelay[];
  channelsOf(group: string): readonly ChannelForRelay[];
  serves(channelId: number): boolean;
  /** Names of the models that the group may call, sorted. */
  modelsOf(group: string): readonly string[];
}

/**
 * Source of fresh snapshots. Reads again after an announced change, and every second on a database with several servers, which share one read through
 * the cache if CacheChannelEnabled is on.
 */
export interface ChannelSource {
  snapshot(): ChannelSnapshot | Promise<ChannelSnapshot>;
}

const SHARED_DATABASE_FRESH_MS = 1_000;

export interface ChannelSourceParts {
  readonly database: OpenDatabase;
  readonly secrets: Secrets;
  readonly changes: ChangeFeed;
  readonly clock: Clock;
  readonly options: OptionStore;
  readonly log: Logger;
  readonly cache: SharedCache | undefined;
}

/** Builds the source. Reads fail with DatabaseUnavailableError after `silentMs` without an answer. */
export function createChannelSource(
  { database, secrets, changes, clock, options, log, cache }: ChannelSourceParts,
  silentMs = OUTAGE_WAIT_MS,
): ChannelSource {
  const retry = createOutageRetry(clock, outageWaitMs(database.kind));
  const share = cache && shareChannels(cache, secrets, clock);
  let current: ChannelSnapshot | undefined;
  let freshUntilMs = 0;
  let generation = 0;
  /** A change by this server is read from the database, since the cache may be older. */
  let isChanged = false;
  let reading: Promise<ChannelSnapshot> | undefined;
  const forget = () => {
    generation += 1;
    isChanged = true;
    current = undefined;
    reading = undefined;
  };
  changes.subscribe("channels", forget);
  // QuotaPerUnit decides which channels have spent their limit.
  changes.subscribe("options", forget);
  const readRows = async () => {
    const isShared = share !== undefined && database.kind !== "sqlite" && options.flag("CacheChannelEnabled");
    const askedMs = clock.monotonicMs();
    const shared = isShared && !isChanged ? await share.read() : undefined;
    if (shared !== undefined) {
      return { rows: shared.rows, untilMs: askedMs + Math.min(shared.leftMs, SHARED_DATABASE_FRESH_MS) };
    }
    const untilMs = clock.monotonicMs() + SHARED_DATABASE_FRESH_MS;
    const rows = await listRowsForRelay(database.db);
    const leftMs = untilMs - clock.monotonicMs();
    if (isShared && leftMs > 0) void share.write(rows, leftMs);
    return { rows, untilMs };
  };
  const read = async (): Promise<ChannelSnapshot> => {
    const startedIn = generation;
    const { rows, untilMs } = await retry(readRows);
    if (startedIn !== generation) return read();
    const snapshot = indexChannels(toChannelsForRelay(rows, secrets, options.number("QuotaPerUnit"), log));
    current = snapshot;
    freshUntilMs = untilMs;
    isChanged = false;
    reading = undefined;
    return snapshot;
  };
  return {
    snapshot() {
      const isFresh = database.kind === "sqlite" || clock.monotonicMs() < freshUntilMs;
      if (current !== undefined && isFresh) return current;
      reading ??= read().catch((error: unknown) => {
        reading = undefined;
        throw error;
      });
      return awaitDatabase(reading, silentMs);
    },
  };
}

function indexChannels(channels: readonly ChannelForRelay[]): ChannelSnapshot {
  const byGroup = new Map<string, Map<string, ChannelForRelay[]>>();
  for (const channel of channels) {
    for (const group of channel.groups) {
      const models = byGroup.get(group) ?? new Map<string, ChannelForRelay[]>();
      byGroup.set(group, models);
      for (const model of channel.models) {
        const serving = models.get(model);
        if (serving === undefined) models.set(model, [channel]);
        else serving.push(channel);
      }
    }
  }
  const ids = new Set(channels.map(({ id }) => id));
  return {
    serves: (channelId) => ids.has(channelId),
    channelsOf: (group) => channels.filter(({ groups }) => groups.includes(group)),
    serving: (group, model) => byGroup.get(group)?.get(model) ?? [],
    servingOthers: (group, model) =>
      channels.filter(({ models, groups }) => models.has(model) && !groups.includes(group)),
    modelsOf: (group) => [...(byGroup.get(group)?.keys() ?? [])].sort(),
  };
}
