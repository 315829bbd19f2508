import type { ServerResponse } from "node:http";
import type { LogDetail } from "@one-api/contract/log";
import type { Caller } from "./caller.ts";
import type { Route } from "./channels/pick-channel.ts";
import type { RelayAsk } from "./endpoints/read-ask.ts";
import type { LimitHeaders } from "./limits/token-limiter.ts";
import type { Price } from "./pricing/price.ts";

/** A request that was admitted and may be attempted. */
export interface RelayJob {
  readonly requestId: string;
  readonly caller: Caller;
  readonly ask: RelayAsk;
  /** The group whose channels and prices apply. */
  readonly group: string;
  readonly routes: readonly Route[];
  readonly pinned: boolean;
  /** Quota set aside. */
  readonly reserved: number;
  /** Set when the balance pays for less than the model could write: the provider is asked for no more. */
  readonly cappedTokens: number | undefined;
  readonly limitHeaders: LimitHeaders;
  readonly response: ServerResponse;
  readonly arrival: Arrival;
  /** Every attempt so far, for the log. */
  readonly attempts: LogDetail["attempts"];
  priceOf(route: Route): Price;
}

/** When the request came, and whether its caller is still there. */
export interface Arrival {
  /** Unix seconds. */
  readonly at: number;
  readonly startedMs: number;
  /** Resolves when the caller closes the connection before the answer is whole. */
  readonly callerGone: Promise<"caller-gone">;
  isCallerGone(): boolean;
}
