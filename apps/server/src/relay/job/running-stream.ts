import type { Usage } from "@one-api/providers/usage";
import type { Checkpoint } from "../../ledger/ledger.ts";
import type { PricedRoute } from "../channels/route-plans.ts";
import { type DeliveredStream, guessPromptTokens, usageDelivered } from "../counting/count-usage.ts";
import { computeCharge } from "../pricing/compute-charge.ts";
import type { AnswerStream } from "../translate/translation.ts";
import { completed, type Cut, mediaSoFar } from "./job-end.ts";
import { hidesUsage, LeftStream } from "./left-stream.ts";
import type { RelayJob } from "./relay-job.ts";

/** A stream that passes from a channel to the caller, or is read on after the caller has left: what is known of it so far. */
export class RunningStream {
  readonly route: PricedRoute;
  readonly stream: AnswerStream;
  readonly #job: RelayJob;
  /** On the clock for durations. */
  #lastPieceMs: number;
  #longestPauseMs = 0;
  #left: LeftStream | undefined;

  /** `askedMs`: when the provider was asked, on the clock for durations. */
  constructor(job: RelayJob, route: PricedRoute, stream: AnswerStream, askedMs: number) {
    this.#job = job;
    this.route = route;
    this.stream = stream;
    this.#lastPieceMs = askedMs;
  }

  /** Notes the pause between two pieces, or the last and now. */
  notePause(nowMs: number): void {
    this.#longestPauseMs = Math.max(this.#longestPauseMs, nowMs - this.#lastPieceMs);
    this.#lastPieceMs = nowMs;
  }

  /** Only the provider's report may tell what was used. */
  get hidesUsage(): boolean {
    const { route, stream } = this;
    return hidesUsage({ ask: this.#job.ask, price: route.price, stream, longestPauseMs: this.#longestPauseMs });
  }

  /** The caller has left, and the provider's report is waited for. */
  get isLeft(): boolean {
    return this.#left !== undefined;
  }

  /** The caller has left: what comes from now on is read for the report alone. `giveUp` is called after so many ms. */
  readOn(cut: Cut, waitMs: number, giveUp: () => void): void {
    this.#left = new LeftStream(this.stream, cut, waitMs, giveUp);
  }

  /** The report is not waited for any more. Returns why the caller has left. */
  stopReading(): Cut | undefined {
    this.#left?.stop();
    return this.#left?.cut;
  }

  /** What the caller has got, and what the provider has reported of that. */
  get delivered(): DeliveredStream {
    return this.#left ?? this.stream;
  }

  /** What was used until now, the prompt guessed where the provider has not told it yet. */
  usageSoFar(): Usage {
    const { ask } = this.#job;
    const { route, stream } = this;
    if (ask.media !== undefined) return completed(ask, route, mediaSoFar(stream), "partial").usage;
    const promptTokens = stream.usage?.promptTokens ?? guessPromptTokens(ask);
    return { ...usageDelivered(this.delivered), promptTokens };
  }

  /** What is charged if the server dies now. */
  checkpoint(): Checkpoint {
    const { requestId, reserved } = this.#job;
    const { id: channelId, price } = this.route;
    return { requestId, channelId, delivered: Math.min(reserved, computeCharge(this.usageSoFar(), price)) };
  }
}
