import type { ProviderIo } from "@one-api/providers/provider-io";
import type { Logger } from "pino";
import type { Dispatcher } from "undici";
import type { Clock } from "../platform/clock.ts";
import type { OptionStore } from "../core/option-store.ts";
import type { TimeSlices } from "../platform/work/time-slices.ts";
import type { ChannelForRelay, ChannelReason } from "../features/channels/index.ts";
import type { ClientAddress } from "../platform/requests/client-address.ts";
import type { BatchReservations } from "@one-api/ledger/batches";
import type { Ledger } from "@one-api/ledger/ledger";
import type { RelayTimeouts } from "./relay-timeouts.ts";
import type { ActiveRelays } from "./in-flight/in-flight-requests.ts";
import type { BodyKeeper } from "./stored-bodies/body-store.ts";
import type { Billing } from "./callers/answer-billing.ts";
import type { CallerSource } from "./callers/caller-source.ts";
import type { BodyMemory } from "./body/body-memory.ts";
import type { BodyRoom } from "./body/body-room.ts";
import type { RefusalLog } from "./callers/refusal-log.ts";
import type { TokenLimiter } from "./callers/token-limiter.ts";
import type { WrongKeys } from "./callers/wrong-keys.ts";
import type { ChannelHealth } from "./routing/channel-health.ts";
import type { ChannelSource } from "./routing/channel-snapshot.ts";
import type { PoolTurns } from "./routing/find-candidates.ts";
import type { ChannelNotes } from "./routing/record-outcome.ts";
import type { Queryable } from "../core/transaction.ts";
import type { KeptObjects } from "./routing/stored-objects.ts";
import type { RoutePlans } from "./routing/route-plans.ts";
import type { CountTokens } from "./usage/count-usage.ts";
import type { Translate } from "./translate/choose-translation.ts";
import type { ByteBudget } from "../platform/memory/byte-budget.ts";

/** Everything that a relayed request needs. */
export interface RelayDependencies {
  readonly client: Dispatcher;
  readonly ledger: Ledger;
  /** Reservations of batches. */
  readonly batches: BatchReservations;
  readonly callers: CallerSource;
  readonly billing: Billing;
  readonly channels: ChannelSource;
  readonly plans: RoutePlans;
  /** How a caller and a provider understand each other. */
  readonly translate: Translate;
  /** What providers may use beside the request itself. */
  readonly providerIo: ProviderIo;
  readonly loadChannel: (channelId: number) => Promise<ChannelForRelay | undefined>;
  readonly health: ChannelHealth;
  /** Where channels that take turns stand. */
  readonly poolTurns: PoolTurns;
  readonly limiter: TokenLimiter;
  readonly wrongKeys: WrongKeys;
  readonly refusals: RefusalLog;
  readonly options: OptionStore;
  readonly active: ActiveRelays;
  readonly countTokens: CountTokens;
  readonly clock: Clock;
  readonly log: Logger;
  readonly clientAddress: ClientAddress;
  /** Room for the callers' bodies in memory. */
  readonly bodyRoom: BodyRoom;
  readonly bodyMemory: BodyMemory;
  /** What reads long bodies a step at a turn. */
  readonly turns: TimeSlices;
  /** Room for the whole answers in memory. */
  readonly answerRoom: ByteBudget;
  /** Room for what waits of sessions over WebSockets in memory. */
  readonly sessionRoom: ByteBudget;
  /** From 0 up to but not 1. */
  readonly random: () => number;
  readonly timeouts: RelayTimeouts;
  /** Disables a channel that has spent its limit; called after a charge on a channel that has one, never throws. */
  readonly checkSpending: (channelId: number) => void;
  /** Disables a channel whose credential is refused again and again, when the options allow it; never throws. */
  readonly disableChannel: (channelId: number, reason: ChannelReason) => void;
  readonly notes: ChannelNotes;
  readonly bodies: BodyKeeper;
  readonly keptObjects: KeptObjects;
  readonly database: Queryable;
}

/** Services that a relayed request uses. */
export interface RequestServices extends Omit<
  RelayDependencies,
  "ledger" | "batches" | "billing" | "loadChannel" | "database" | "sessionRoom"
> {
  readonly ledger: Pick<Ledger, "reserve" | "settle" | "release" | "available">;
}
