import type { UsageDetail } from "../../features/logs/index.ts";
import type { ParsedRequest } from "../body/index.ts";
import type { Caller } from "../callers/index.ts";
import type { Admission } from "../limits/index.ts";
import type { OtherChannel, PricedCandidate } from "../routing/index.ts";
import type { UsageUpperBound } from "../pricing/index.ts";
import type { Arrival, RequestTrace } from "../telemetry/index.ts";

export interface ReservedRequest extends Arrival {
  readonly caller: Caller;
  readonly parsed: ParsedRequest;
  readonly alias: string;
  /** Facts of a request for an alias, as the log stores them. */
  readonly aliasFacts: number;
  readonly routes: readonly PricedCandidate[];
  readonly others: readonly OtherChannel[];
  readonly pinned: boolean;
  readonly hops: number;
  /** Number of its conversation, for sticky routing to the channel that has the prompt cached; undefined without. */
  readonly conversation: number | undefined;
  readonly reserved: number;
  readonly cappedTokens: number | undefined;
  /** Upper bound of the usage, to which reports are clamped. */
  readonly most: UsageUpperBound;
  readonly admission: Admission;
  /** Time of arrival, in Unix seconds. */
  readonly at: number;
  /** Time of arrival on the monotonic clock, in ms. */
  readonly startedMs: number;
  readonly receivedMs: number;
  readonly attempts: UsageDetail["attempts"];
  readonly trace: RequestTrace | undefined;
}
