import type { Usage } from "@one-api/providers/usage";
import type { Checkpoint } from "@one-api/ledger/ledger";
import type { PricedCandidate } from "../routing/index.ts";
import { type DeliveredStream, guessPromptTokens, usageDelivered } from "../usage/index.ts";
import type { AnswerStream } from "../translate/index.ts";
import { AwaitedAnswer } from "./awaited-answer.ts";
import { completed, type Interruption, makeCheckpoint, mediaSoFar, type ReservedRequest } from "../charging/index.ts";
import { needsReport, LeftStream } from "./left-stream.ts";
import { mostVisibleTokens, OutputWatch } from "./output-limit.ts";

/** So soon after a piece that says something another one need not be looked at, in ms. */
const SOON_MS = 250;
/** Longer pieces are no mere signs of life, in bytes. */
const LONGEST_SIGN_BYTES = 1_024;

/** A stream that passes from a channel to the caller, or is read on after the caller has left: what is known of it so far. */
export class RunningStream {
  readonly route: PricedCandidate;
  readonly stream: AnswerStream;
  /** When something left to the caller last, on the clock for durations. */
  lastPieceMs: number;
  readonly #job: ReservedRequest;
  /** When something of the answer came last, or up to `SOON_MS` before that; on the clock for durations. */
  #lastSaidMs: number;
  #longestPauseMs = 0;
  #left: LeftStream | undefined;
  readonly #watch: OutputWatch;
  /** What had been delivered when the answer went beyond its limit. */
  #cutOff: DeliveredStream | undefined;

  /** `askedMs`: when the provider was asked, on the clock for durations. */
  constructor(job: ReservedRequest, route: PricedCandidate, stream: AnswerStream, askedMs: number) {
    this.#job = job;
    this.route = route;
    this.stream = stream;
    this.#lastSaidMs = this.lastPieceMs = askedMs;
    this.#watch = new OutputWatch(mostVisibleTokens(job));
  }

  /** True where the answer goes beyond its limit with this piece, which must not leave. What was delivered before it is what counts from then on. */
  goesBeyond(piece: Buffer): boolean {
    const { stream } = this;
    const tokens = this.#watch.beyond(piece, () => stream.deliveredTokens());
    if (tokens === undefined) return false;
    const { usage, beside } = stream;
    this.#cutOff = { usage, beside, deliveredTokens: () => tokens };
    return true;
  }

  /** Notes a piece that leaves to the caller. Comments, pings and empty pieces end no pause: providers send them while they think. */
  notePiece(piece: Buffer, nowMs: number): void {
    this.lastPieceMs = nowMs;
    if (nowMs - this.#lastSaidMs < SOON_MS) return;
    if (piece.length <= LONGEST_SIGN_BYTES && this.stream.saysSomething?.(piece) === false) return;
    this.notePause(nowMs);
  }

  /** A pause ends now. */
  notePause(nowMs: number): void {
    this.#longestPauseMs = Math.max(this.#longestPauseMs, nowMs - this.#lastSaidMs);
    this.#lastSaidMs = nowMs;
  }

  /** Only the provider's report may tell what was used. */
  get needsReport(): boolean {
    const { route, stream } = this;
    return needsReport({ ask: this.#job.ask, price: route.price, stream, longestPauseMs: this.#longestPauseMs });
  }

  /** The caller has left, and the provider's report is waited for. */
  get isLeft(): boolean {
    return this.#left !== undefined;
  }

  /** The caller has left: what comes from now on is read for the report alone. `giveUp` is called after so many ms. */
  linger(cut: Interruption, waitMs: number, giveUp: () => void): void {
    this.#left = new LeftStream(this.stream, cut, waitMs, giveUp);
  }

  /** What comes after the caller has left is this stream, where nothing had come before. */
  readsOn(stream: AnswerStream): void {
    if (this.stream instanceof AwaitedAnswer) this.stream.begin(stream);
  }

  /** The report is not waited for any more. Returns why the caller has left. */
  stopReading(): Interruption | undefined {
    this.#left?.stop();
    return this.#left?.cut;
  }

  /** What the caller has got, and what the provider has reported of that. */
  get delivered(): DeliveredStream {
    return this.#left ?? this.#cutOff ?? this.stream;
  }

  /** What was used until now, the prompt guessed where the provider has not told it yet. */
  usageSoFar(): Usage {
    const { ask } = this.#job;
    const { route, stream } = this;
    if (ask.media !== undefined) return completed(ask, route, mediaSoFar(stream), "partial").usage;
    const promptTokens = stream.usage?.promptTokens || guessPromptTokens(ask);
    return { ...usageDelivered(this.delivered), promptTokens };
  }

  /** What is charged if the server dies now. */
  checkpoint(): Checkpoint {
    return makeCheckpoint(this.#job, this.route, this.usageSoFar());
  }
}
