import type { Failure } from "./failure.ts";
import type { Usage } from "./usage.ts";

export interface MeterOptions {
  /** Reports pass because the caller requested them explicitly. */
  readonly passUsage: boolean;
  readonly countText: (text: string) => number;
}

/** Reads usage, finish and end from the events of a passing stream. Most events are only searched, never parsed. */
export interface StreamMeter {
  /**
   * Returns where the events end that hold only pieces of the answer, from byte `from` on; `from` when `look` must read the next. `text` has a
   * letter per byte.
   */
  passing(events: Buffer, text: string, from: number): number;
  look(event: Buffer): EventVerdict;
  readonly usage: Usage | undefined;
  /** Id under which the provider stores the answer; undefined where it does not, or has not reported it yet. */
  readonly storedId?: string | undefined;
  /** The answer is whole, even without an end mark. */
  readonly finished: boolean;
  /** Content of the answer has passed; comments, pings and empty openings do not count. */
  readonly sawContent: boolean;
  /** Completion tokens of the text delivered so far, counted by the gateway. */
  deliveredTokens(): number;
  /** True where whole events hold content other than comments, pings and empty pieces. Parses them. Absent: all do. */
  saysSomething?(events: Buffer): boolean;
  readonly beside?: DeliveredBeside;
}

/** Sound and pictures that a stream delivered, in completion tokens; fees of tools whose results it reported; price factor of its tier. */
export type DeliveredBeside = Partial<
  Pick<Usage, "audioCompletionTokens" | "imageCompletionTokens" | "toolFees" | "priceFactor" | "namesTier" | "tier">
>;

/**
 * Action on an event.
 *
 * | Kind | Action |
 * |---|---|
 * | `forward` | pass it on |
 * | `drop` | omit it |
 * | `end` | end of the stream; the gateway writes the end mark itself |
 * | `last` | end of the stream; pass it on after the charge is committed |
 * | `hold` | as `last`, unless more events follow |
 * | `error` | end with the failure |
 */
export type EventVerdict =
  | { readonly kind: "forward" }
  | { readonly kind: "drop" }
  | { readonly kind: "end" }
  | { readonly kind: "last" }
  | { readonly kind: "hold" }
  | { readonly kind: "error"; readonly failure: Failure };
