import type { Failure } from "@one-api/providers/failure";
import type { Asker, UpstreamCall } from "@one-api/providers/provider";
import type { Usage } from "@one-api/providers/usage";
import type { UsageChoice } from "../../features/logs/index.ts";
import {
  nextRoute,
  type PricedCandidate,
  recordFailure,
  recordSuccess,
  recordUnanswered,
  shouldTryAnother,
} from "../routing/index.ts";
import { limitOfBalance } from "../usage/index.ts";
import {
  Attempt,
  type AttemptListener,
  describeFailure,
  failureOfUncalled,
  hopHeaders,
  UNPREPARED,
  type UpstreamAnswer,
  waitsOf,
} from "../upstream/index.ts";
import type { AnswerStream, Translation, WrittenRequest } from "../translate/index.ts";
import type { MemoryClaim } from "../../platform/memory/memory-budget.ts";
import { AwaitedAnswer } from "./awaited-answer.ts";
import type { JobOwner } from "./job-owner.ts";
import type { ReservedRequest } from "../charging/index.ts";
import { upstreamFailed } from "../errors/index.ts";
import type { RequestServices } from "./request-services.ts";

/** Who takes the answer of the channel that gives one. What it throws ends the request. */
export interface AnswerTaker {
  /** False once the request has ended: nothing is taken any more. */
  readonly isWaiting: boolean;
  readonly isCallerGone: boolean;
  answered(route: PricedCandidate, answer: UpstreamAnswer): void;
  /** Takes what may go to the caller of a stream, from its first content on. */
  streamed(route: PricedCandidate, stream: AnswerStream, bytes: Buffer): void;
  /** A stream is over: with its last bytes, and the failure unless it is whole. */
  streamEnded(
    route: PricedCandidate,
    stream: AnswerStream,
    bytes: Buffer | undefined,
    failure: Failure | undefined,
  ): void;
  /** No channel answers, or something threw. */
  fail(error: unknown): void;
  /** The caller takes nothing of the answer any more. */
  stalled(): void;
}

const NONE_TRIED: ReadonlySet<number> = new Set();

/** Tries channels until one answers, and keeps the record of it for the log and the channels. Walks by callbacks; none of them throws. */
export class Attempts implements AttemptListener, Asker {
  readonly #services: RequestServices;
  readonly #job: ReservedRequest;
  readonly #owner: JobOwner;
  readonly #taker: AnswerTaker;
  #route: PricedCandidate | undefined;
  #choice: UsageChoice | undefined;
  #written: WrittenRequest | undefined;
  #translation: Translation | undefined;
  #attempt: Attempt | undefined;
  /** As the attempt was sent. */
  #call: UpstreamCall | undefined;
  #beganMs = 0;
  #tried = NONE_TRIED;
  #firstByteMs = 0;
  #room: MemoryClaim | undefined;

  constructor(services: RequestServices, job: ReservedRequest, owner: JobOwner, taker: AnswerTaker) {
    this.#services = services;
    this.#job = job;
    this.#owner = owner;
    this.#taker = taker;
  }

  /** The channel that was tried last; undefined before the first. */
  get route(): PricedCandidate | undefined {
    return this.#route;
  }

  /** What was sent there. */
  get written(): WrittenRequest | undefined {
    return this.#written;
  }

  /** When the last attempt began, on the clock for durations. */
  get beganMs(): number {
    return this.#beganMs;
  }

  /** A provider has begun a stream and not ended it. */
  get hasOpenStream(): boolean {
    return this.#attempt?.openStream !== undefined;
  }

  /** From the request's arrival to the first byte of an answer, in ms; 0 without. */
  get firstByteMs(): number {
    return this.#firstByteMs;
  }

  /** The provider has said everything, and nothing more is sent to it. */
  get hasEnded(): boolean {
    return this.#attempt?.hasEnded === true;
  }

  get isWaiting(): boolean {
    return this.#taker.isWaiting;
  }

  takeRoom(bytes: number): void {
    this.#owner.bodyGrew(bytes);
  }

  /** Tries the next channel. */
  next(lastFailure?: Failure): void {
    if (!this.isWaiting) return;
    try {
      const { route, choice } = nextRoute(this.#services, this.#job, this.#tried, lastFailure);
      this.#choice = choice;
      this.#try(route);
    } catch (error) {
      this.#taker.fail(error);
    }
  }

  /** Prepares the request and sends it. What cannot be prepared is a failed attempt like any other. */
  #try(route: PricedCandidate): void {
    const { ask } = this.#job;
    const services = this.#services;
    this.#route = route;
    this.#beganMs = services.clock.monotonicMs();
    try {
      const translation = services.translate(ask.format, route.service);
      this.#written = translation.writeRequest(ask, {
        model: route.upstreamModel,
        systemPrompt: route.channel.systemPrompt,
        maxTokens: limitOfBalance(this.#job.cappedTokens, route.upstreamModel),
        reportUsage: ask.stream && !ask.wantsUsage,
      });
      this.#translation = translation;
      const call = route.service.call(this.#written, route.channel.connection, services.providerIo, this);
      if (call instanceof Promise) this.#sendLater(call);
      else this.#send(call);
    } catch (error) {
      this.#uncalled(error);
    }
  }

  #sendLater(call: Promise<UpstreamCall>): void {
    call.then(
      (made) => this.#send(made),
      (error: unknown) => this.#uncalled(error),
    );
  }

  /** Takes an error that came before the request was sent: a failed attempt, or a refusal that ends the request. */
  #uncalled(error: unknown): void {
    const { requestId } = this.#job;
    const failure = failureOfUncalled(error, this.#services.log, { channelId: this.#route?.id, requestId });
    if (failure === undefined) this.#taker.fail(error);
    else this.failed(failure);
  }

  #send(call: UpstreamCall): void {
    const [translation, route] = [this.#translation, this.#route];
    if (!this.isWaiting || translation === undefined || route === undefined) return call.giveUp?.();
    const { ask, hops } = this.#job;
    const { client, timeouts, providerIo } = this.#services;
    const { fetchPicture } = providerIo;
    this.#call = call;
    this.#attempt = new Attempt({ translation, ask, stream: ask.stream, fetchPicture }, this);
    const headers = hopHeaders(route.channel.connection, hops);
    try {
      this.#attempt.send(client, { ...call, ...waitsOf(timeouts, ask.stream), headers });
    } catch (error) {
      this.#uncalled(error);
    }
  }

  /** The provider failed before anything of its answer was sent on. */
  failed(failure: Failure): void {
    const route = this.#route;
    const call = this.#call;
    this.#call = undefined;
    if (!this.isWaiting || route === undefined) return;
    try {
      // A token in the call had ended: the same attempt is made once more with a new one.
      const renewed = call?.renew?.(failure);
      if (renewed !== undefined) return this.#sendLater(renewed);
      call?.giveUp?.();
      this.#note(route, failure.status, describeFailure(failure));
      // A fault of the gateway's own code says nothing of the channel: a request that causes it must not rest every channel.
      if (failure.code !== UNPREPARED) recordFailure(this.#services, route, failure);
      this.#tried = new Set(this.#tried).add(route.id);
      const again = shouldTryAnother({
        failure,
        attempts: this.#tried.size,
        retryTimes: this.#services.retryTimes(),
        answerBegan: false,
        channelPinned: this.#job.pinned,
        callerGone: this.#taker.isCallerGone,
      });
      if (!again) throw upstreamFailed(failure);
    } catch (error) {
      return this.#taker.fail(error);
    }
    // The next attempt fetches for itself.
    this.#owner.bodyShrank();
    this.next(failure);
  }

  claimMemory(goOn: () => void): MemoryClaim {
    const { answerMemory, clock } = this.#services;
    const { userId } = this.#job.caller;
    const stalledMs = () => this.#owner.writer.stalledMs(clock.monotonicMs());
    return answerMemory.claim({ userId, resume: goOn, stalledMs, abort: () => this.#taker.stalled() });
  }

  answered(answer: UpstreamAnswer): void {
    const route = this.#route;
    if (!this.isWaiting || route === undefined) return answer.room?.release();
    this.#room = answer.room;
    try {
      this.#answerBegan(route);
      recordSuccess(this.#services, route);
      this.#taker.answered(route, answer);
    } catch (error) {
      this.#taker.fail(error);
    }
  }

  streamed(stream: AnswerStream, bytes: Buffer): void {
    const route = this.#route;
    if (!this.isWaiting || route === undefined) return;
    try {
      this.#answerBegan(route);
      this.#taker.streamed(route, stream, bytes);
    } catch (error) {
      this.#taker.fail(error);
    }
  }

  streamEnded(stream: AnswerStream, bytes: Buffer | undefined, failure: Failure | undefined): void {
    const route = this.#route;
    if (!this.isWaiting || route === undefined) return;
    try {
      this.#answerBegan(route);
      if (failure === undefined) recordSuccess(this.#services, route);
      else recordFailure(this.#services, route, failure);
      this.#taker.streamEnded(route, stream, bytes, failure);
    } catch (error) {
      this.#taker.fail(error);
    }
  }

  /** The first sign of an answer: what the log and the channels' record say of the attempt. */
  #answerBegan(route: PricedCandidate): void {
    if (this.#firstByteMs > 0 || this.#taker.isCallerGone) return;
    const durationMs = this.#note(route, 200, "");
    this.#firstByteMs = Math.max(1, Math.round(this.#services.clock.monotonicMs() - this.#job.startedMs));
    this.#services.health.recordLatency(route.id, route.upstreamModel, durationMs);
  }

  /** Returns how long the attempt took, in ms. */
  #note(route: PricedCandidate, status: number, failure: string): number {
    const duration_ms = Math.round(this.#services.clock.monotonicMs() - this.#beganMs);
    this.#job.attempts.push({ channel: route.id, status, failure, duration_ms, choice: this.#choice });
    return duration_ms;
  }

  /** Asks the provider what was used, where its answer does not say it; undefined where it does not know either. */
  askUsage(): Promise<Usage | undefined> | undefined {
    return this.#call?.askUsage?.();
  }

  pause(): void {
    this.#attempt?.pause();
  }

  resume(): void {
    this.#attempt?.resume();
  }

  /** The rest of the provider's answer is not wanted. */
  leave(): void {
    this.#attempt?.abort();
    this.#call?.giveUp?.();
    this.#call = undefined;
  }

  /**
   * The caller has left before anything of an answer came. Returns the answer that the provider works on, with nothing in it yet; undefined where no
   * provider has the request, and nothing is waited for any more.
   */
  abandonBeforeContent(): { readonly route: PricedCandidate; readonly stream: AnswerStream } | undefined {
    const [route, attempt] = [this.#route, this.#attempt];
    if (route !== undefined) {
      const begun = attempt?.openStream;
      const silentMs = this.#note(route, begun === undefined ? 0 : 200, "caller-gone");
      recordUnanswered(this.#services, route, this.#job, silentMs);
      if (attempt?.isTaken === true) return { route, stream: begun ?? new AwaitedAnswer() };
    }
    this.leave();
    return undefined;
  }

  /** Nobody holds the whole answer any more. */
  releaseMemory(): void {
    this.#room?.release();
  }
}
