import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import type { ChangeFeed } from "../../core/change-feed.ts";
import type { Clock } from "../../core/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { Secrets } from "../../core/secrets.ts";
import { type ChannelForRelay, loadChannelsForRelay } from "../../features/channels/index.ts";

/** The enabled channels as they stood at one moment, by what they serve. */
export interface ChannelSnapshot {
  /** Channels that serve the model to the group, in no order. */
  serving(group: string, model: string): readonly ChannelForRelay[];
  /** Channels that serve the model to other groups alone, in no order. */
  servingOthers(group: string, model: string): readonly ChannelForRelay[];
  /** True while the channel may serve. */
  serves(channelId: number): boolean;
  /** Names of the models that the group can call, sorted. */
  modelsOf(group: string): readonly string[];
}

/** Keeps the snapshot fresh: read again after an announced change, and every second where other machines may change the database. */
export interface ChannelSource {
  snapshot(): ChannelSnapshot | Promise<ChannelSnapshot>;
}

const SHARED_DATABASE_FRESH_MS = 1_000;

/** What the source is made of. */
export interface ChannelSourceParts {
  readonly database: OpenDatabase;
  readonly secrets: Secrets;
  readonly changes: ChangeFeed;
  readonly clock: Clock;
  readonly options: OptionStore;
  readonly log: Logger;
}

/** Builds the source of channel snapshots. */
export function createChannelSource({
  database,
  secrets,
  changes,
  clock,
  options,
  log,
}: ChannelSourceParts): ChannelSource {
  let current: ChannelSnapshot | undefined;
  let readAtMs = 0;
  let generation = 0;
  let reading: Promise<ChannelSnapshot> | undefined;
  const forget = () => {
    generation += 1;
    current = undefined;
    reading = undefined;
  };
  changes.subscribe("channels", forget);
  // What a dollar is worth decides which channels have spent their limit.
  changes.subscribe("options", forget);
  const read = async (): Promise<ChannelSnapshot> => {
    const startedIn = generation;
    const snapshot = indexChannels(
      await loadChannelsForRelay(database.db, secrets, options.number("QuotaPerUnit"), log),
    );
    if (startedIn !== generation) return read();
    current = snapshot;
    readAtMs = clock.monotonicMs();
    reading = undefined;
    return snapshot;
  };
  return {
    snapshot() {
      const fresh = database.kind === "sqlite" || clock.monotonicMs() - readAtMs < SHARED_DATABASE_FRESH_MS;
      if (current !== undefined && fresh) return current;
      reading ??= read().catch((error: unknown) => {
        reading = undefined;
        throw error;
      });
      return reading;
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
    serving: (group, model) => byGroup.get(group)?.get(model) ?? [],
    servingOthers: (group, model) =>
      channels.filter(({ models, groups }) => models.has(model) && !groups.includes(group)),
    modelsOf: (group) => [...(byGroup.get(group)?.keys() ?? [])].sort(),
  };
}
