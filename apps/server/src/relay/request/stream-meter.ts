import type { Failure } from "@one-api/providers/failure";
import type { Usage } from "@one-api/providers/usage";
import type { Checkpoint } from "@one-api/ledger/ledger";
import type { ParsedRequest } from "../body/index.ts";
import type { PricedCandidate } from "../routing/index.ts";
import { type DeliveredStream, guessPromptTokens, isWholeReport, usageDelivered } from "../usage/index.ts";
import type { AnswerStream } from "../translate/index.ts";
import type { UpstreamAnswer } from "../upstream/index.ts";
import { AwaitedAnswer } from "./awaited-answer.ts";
import { completed, type Interruption, makeCheckpoint, mediaSoFar, type ReservedRequest } from "../charging/index.ts";
import { limitIgnored, mostVisibleTokens, OutputWatch } from "./output-limit.ts";

/** A piece so soon after content ends no pause, so it is not parsed, in ms. */
const SOON_MS = 250;
/** Longer pieces have content, in bytes. */
const LONGEST_SIGN_BYTES = 1_024;
/** A longer pause of the provider may hide reasoning, in ms. */
const UNSEEN_REASONING_MS = 3_000;

export interface AbandonedStream {
  readonly parsed: ParsedRequest;
  readonly price: Pick<PricedCandidate["price"], "unit">;
  readonly stream: DeliveredStream;
  /** Longest pause of the provider, before its answer or within it, in ms. */
  readonly longestPauseMs: number;
}

/**
 * True if only the final report has the cost: hidden reasoning, provider tools, media, stored prompts. A disconnect
 * before the report must not make them free.
 */
export function needsReport({ parsed, price, stream, longestPauseMs }: AbandonedStream): boolean {
  if (price.unit !== "token" || parsed.media !== undefined) return false;
  const { hasImages, isOpen, audioPromptTokens, toolFees } = parsed.prompt;
  if (toolFees > 0) return true;
  if ((stream.usage?.promptTokens ?? 0) === 0 && (hasImages || isOpen || audioPromptTokens > 0)) return true;
  return longestPauseMs > UNSEEN_REASONING_MS && (stream.usage?.reasoningTokens ?? 0) === 0;
}

/** Measures a stream: delivered part, report, longest pause. */
export class StreamMeter {
  readonly route: PricedCandidate;
  readonly stream: AnswerStream;
  lastPieceMs: number;
  readonly #request: ReservedRequest;
  #lastContentMs: number;
  #longestPauseMs = 0;
  #lingering: LingeringStream | undefined;
  readonly #watch: OutputWatch;
  /** Delivered part at the time that the answer exceeded its limit. */
  #cutOff: DeliveredStream | undefined;

  /** `startedMs`: start of the attempt, on the monotonic clock. */
  constructor(request: ReservedRequest, route: PricedCandidate, stream: AnswerStream, startedMs: number) {
    this.#request = request;
    this.route = route;
    this.stream = stream;
    this.#lastContentMs = this.lastPieceMs = startedMs;
    this.#watch = new OutputWatch(mostVisibleTokens(request));
  }

  /** True where the answer exceeds its limit with this piece, which must not leave. From then on only earlier pieces count as delivered. */
  #exceedsLimit(piece: Buffer): boolean {
    const { stream } = this;
    const tokens = this.#watch.beyond(piece, () => stream.deliveredTokens());
    if (tokens === undefined) return false;
    const { usage, beside } = stream;
    this.#cutOff = { usage, beside, deliveredTokens: () => tokens };
    return true;
  }

  /** Records a piece for the caller. Comments, pings and empty pieces end no pause: providers send them while they reason. */
  recordPiece(piece: Buffer, nowMs: number): void {
    this.lastPieceMs = nowMs;
    if (nowMs - this.#lastContentMs < SOON_MS) return;
    if (piece.length <= LONGEST_SIGN_BYTES && this.stream.saysSomething?.(piece) === false) return;
    this.recordPause(nowMs);
  }

  recordPause(nowMs: number): void {
    this.#longestPauseMs = Math.max(this.#longestPauseMs, nowMs - this.#lastContentMs);
    this.#lastContentMs = nowMs;
  }

  get needsReport(): boolean {
    const { route, stream } = this;
    return needsReport({
      parsed: this.#request.parsed,
      price: route.price,
      stream,
      longestPauseMs: this.#longestPauseMs,
    });
  }

  /** Retains the delivered part. Later pieces are read for the report only. `timedOut` is called after `waitMs`. */
  linger(cut: Interruption, waitMs: number, timedOut: () => void): void {
    this.#lingering = new LingeringStream(this.stream, cut, waitMs, timedOut);
  }

  /** Returns why a stream ends with these bytes: they exceed the limit, or the provider failed. Undefined otherwise. */
  interruptionAt(bytes: Buffer | undefined, failure: Failure | undefined): Interruption | undefined {
    if (bytes !== undefined && this.#exceedsLimit(bytes)) return { kind: "ended", error: limitIgnored() };
    return failure && { kind: "failed", failure };
  }

  get wholeReport(): Usage | undefined {
    const { usage } = this.delivered;
    return usage !== undefined && isWholeReport(this.#request.parsed, this.route, usage) ? usage : undefined;
  }

  /** Continues an awaited answer with a whole one. Returns the whole report. */
  followWhole({ usage }: UpstreamAnswer): Usage | undefined {
    if (this.stream instanceof AwaitedAnswer) this.stream.answered(usage);
    return this.wholeReport;
  }

  follow(stream: AnswerStream): void {
    if (this.stream instanceof AwaitedAnswer) this.stream.begin(stream);
  }

  /** Stops the timer of a stream that lingers. Returns the reason why it lingers. */
  stopLingering(): Interruption | undefined {
    this.#lingering?.stop();
    return this.#lingering?.cut;
  }

  get delivered(): DeliveredStream {
    return this.#lingering ?? this.#cutOff ?? this.stream;
  }

  /** Usage so far. The prompt is estimated until the provider reports it. */
  usageSoFar(): Usage {
    const { parsed } = this.#request;
    const { route, stream } = this;
    if (parsed.media !== undefined) return completed(parsed, route, mediaSoFar(stream), "partial").usage;
    const promptTokens = stream.usage?.promptTokens || guessPromptTokens(parsed);
    return { ...usageDelivered(this.delivered), promptTokens };
  }

  checkpoint(): Checkpoint {
    return makeCheckpoint(this.#request, this.route, this.usageSoFar());
  }
}

/** A stream that is read for its provider's report alone. */
class LingeringStream implements DeliveredStream {
  readonly cut: Interruption;
  readonly #stream: DeliveredStream;
  readonly #delivered: Usage;
  readonly #reportedBefore: Usage | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(stream: DeliveredStream, cut: Interruption, waitMs: number, timedOut: () => void) {
    this.cut = cut;
    this.#stream = stream;
    this.#delivered = usageDelivered(stream);
    this.#reportedBefore = stream.usage;
    this.#timer = setTimeout(timedOut, waitMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** The report without visible output and visible reasoning that came after the caller was gone. */
  get usage(): Usage | undefined {
    const reported = this.#stream.usage;
    if (reported === undefined) return undefined;
    const { audioCompletionTokens, imageCompletionTokens, completionTokens: seen } = this.#delivered;
    const shown = usageDelivered(this.#stream).completionTokens;
    const hidden = Math.min(reported.reasoningTokens, Math.max(0, reported.completionTokens - shown));
    const before = this.#reportedBefore?.completionTokens ?? 0;
    const completionTokens = Math.max(before, Math.min(reported.completionTokens, hidden + seen));
    return {
      ...reported,
      completionTokens,
      reasoningTokens: Math.min(reported.reasoningTokens, completionTokens),
      audioCompletionTokens: Math.min(reported.audioCompletionTokens, audioCompletionTokens),
      imageCompletionTokens: Math.min(reported.imageCompletionTokens, imageCompletionTokens),
    };
  }

  deliveredTokens(): number {
    const { completionTokens, audioCompletionTokens, imageCompletionTokens } = this.#delivered;
    return completionTokens - audioCompletionTokens - imageCompletionTokens;
  }

  get beside(): DeliveredStream["beside"] {
    return this.#delivered;
  }
}
