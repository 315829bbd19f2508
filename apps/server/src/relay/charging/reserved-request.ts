import type { UsageDetail } from "../../features/logs/index.ts";
import type { ParsedRequest } from "../body/index.ts";
import type { Admission, Caller } from "../callers/index.ts";
import type { OtherChannel, PricedCandidate } from "../routing/index.ts";
import type { UsageUpperBound } from "../pricing/index.ts";

/** A request that was admitted and has its quota set aside. */
export interface ReservedRequest {
  readonly requestId: string;
  readonly caller: Caller;
  readonly ask: ParsedRequest;
  /** The group whose channels and prices apply. */
  readonly group: string;
  readonly routes: readonly PricedCandidate[];
  /** Channels that serve the model, but not this request. */
  readonly others: readonly OtherChannel[];
  readonly pinned: boolean;
  /** How many gateways it has come through before this one. */
  readonly hops: number;
  /** The number of the conversation that is to stay with the channel that has its prompt in the cache; undefined without. */
  readonly conversation: number | undefined;
  /** Quota set aside. */
  readonly reserved: number;
  /** Set when the balance pays for less than the model could write: the provider is asked for no more. */
  readonly cappedTokens: number | undefined;
  /** What it can use at the most: no report beyond belief is charged above it. */
  readonly most: UsageUpperBound;
  readonly admission: Admission;
  /** When it came, in Unix seconds. */
  readonly at: number;
  /** The same moment on the clock for durations, in ms. */
  readonly startedMs: number;
  /** Every attempt so far, for the log. */
  readonly attempts: UsageDetail["attempts"];
}
