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
  /** Requested name, if it is an alias; else empty. */
  readonly alias: string;
  readonly routes: readonly PricedCandidate[];
  /** Channels that serve the model, but not this request. */
  readonly others: readonly OtherChannel[];
  readonly pinned: boolean;
  /** Gateways that it came through before this one. */
  readonly hops: number;
  /** Number of its conversation, for sticky routing to the channel that has the prompt cached; undefined without. */
  readonly conversation: number | undefined;
  readonly reserved: number;
  /** Limit of the completion, where the balance pays for less than the model could write. */
  readonly cappedTokens: number | undefined;
  /** Upper bound of the usage, to which reports are clamped. */
  readonly most: UsageUpperBound;
  readonly admission: Admission;
  /** Time of arrival, in Unix seconds. */
  readonly at: number;
  /** Time of arrival on the monotonic clock, in ms. */
  readonly startedMs: number;
  /** The whole body had arrived, on the monotonic clock, in ms. */
  readonly receivedMs: number;
  /** All attempts so far, for the log. */
  readonly attempts: UsageDetail["attempts"];
  /** Undefined without tracing. */
  readonly trace: RequestTrace | undefined;
}
