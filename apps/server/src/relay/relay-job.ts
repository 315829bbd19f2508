import type { ServerResponse } from "node:http";
import type { LogDetail } from "@one-api/contract/log";
import { nowSeconds } from "../core/clock.ts";
import type { RelayAsk } from "./body/read-ask.ts";
import type { Caller } from "./callers/caller-source.ts";
import type { Admission } from "./callers/token-limiter.ts";
import type { Route } from "./channels/pick-channel.ts";
import type { Price } from "./pricing/price-model.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";

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
  readonly admission: Admission;
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

/** When a request came and whether its caller is still there. */
export function watchArrival(deps: RelayDependencies, response: ServerResponse, startedMs: number): Arrival {
  let gone = false;
  const callerGone = new Promise<"caller-gone">((resolve) => {
    response.once("close", () => {
      if (response.writableFinished) return;
      gone = true;
      resolve("caller-gone");
    });
  });
  return { at: nowSeconds(deps.clock), startedMs, callerGone, isCallerGone: () => gone };
}
