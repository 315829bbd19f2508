import type { ProviderSwitches } from "@one-api/providers/provider";
import type { Clock } from "../../platform/clock.ts";
import type { ChannelForRelay, ChannelReason } from "../../features/channels/index.ts";
import type { ModelAliases } from "../../features/model-aliases/index.ts";
import type { ChannelHealth } from "./channel-health.ts";
import type { ChannelSource } from "./channel-snapshot.ts";
import type { RoundRobin } from "./find-candidates.ts";
import type { RetryBudget } from "./retry-budget.ts";
import type { ChannelEvents } from "./record-outcome.ts";
import type { RoutePlans } from "./route-plans.ts";
import type { PoolMode } from "./select-channel.ts";
import type { StoredObjects } from "./stored-objects.ts";

export interface RoutingServices {
  readonly channels: ChannelSource;
  readonly plans: RoutePlans;
  readonly aliases: ModelAliases;
  readonly loadChannel: (channelId: number) => Promise<ChannelForRelay | undefined>;
  readonly health: ChannelHealth;
  readonly roundRobin: RoundRobin;
  readonly retryBudget: RetryBudget;
  readonly events: ChannelEvents;
  readonly disableChannel: (channelId: number, reason: ChannelReason) => void;
  /** Disables a key of a channel in the same way, and the channel if none is left. Never throws. */
  readonly disableKey: (channelId: number, keyId: number, reason: ChannelReason) => void;
  readonly storedObjects: StoredObjects;
  readonly random: () => number;
  readonly clock: Clock;
  readonly poolMode: () => PoolMode;
  /** Option CheapestMaxLatency, in ms; 0 for any. */
  readonly maxLatencyMs: () => number;
  /** Option RetryTimes: attempts after the first. */
  readonly retryTimes: () => number;
  readonly isRoutingSticky: () => boolean;
  readonly providerSwitches: () => ProviderSwitches;
}
