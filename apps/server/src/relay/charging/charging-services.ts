import type { Ledger } from "@one-api/ledger/ledger";
import type { Clock } from "../../platform/clock.ts";
import type { RelayTimeouts } from "../relay-timeouts.ts";
import type { Telemetry } from "../telemetry/index.ts";
import type { CountTokens } from "../usage/index.ts";

export interface ChargingServices {
  readonly ledger: Pick<Ledger, "reserve" | "settle" | "release" | "available">;
  readonly countTokens: CountTokens;
  /** Disables a channel that has spent its limit. Never throws. */
  readonly checkSpending: (channelId: number) => void;
  readonly isLogged: () => boolean;
  readonly leastCappedTokens: () => number;
  readonly timeouts: Pick<RelayTimeouts, "settleMs">;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}
