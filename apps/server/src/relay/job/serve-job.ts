import { type Failure, ProviderFailedError } from "@one-api/providers/failure";
import type { Asker, UpstreamCall } from "@one-api/providers/provider";
import type { Usage } from "@one-api/providers/usage";
import type { UsageChoice } from "../../features/logs/index.ts";
import type { Checkpoint } from "../../ledger/ledger.ts";
import { noteFailure, noteSilence, noteSuccess } from "../channels/note-outcome.ts";
import type { PricedRoute } from "../channels/route-plans.ts";
import { countAnswer, countStream, guessPromptTokens, limitFor, usageDelivered } from "../counting/count-usage.ts";
import { countsWhatIsPaid } from "../media/complete-usage.ts";
import { hopHeaders } from "../hops.ts";
import { JobReply, type ReplyHead } from "./job-reply.ts";
import { hidesUsage, LeftStream } from "./left-stream.ts";
import {
  completed,
  type Cut,
  endOfError,
  type JobEnd,
  mediaSoFar,
  nameOf,
  resultOf,
  streamUnbooked,
  unsent,
} from "./job-end.ts";
import { nextRoute, unserved } from "./next-route.ts";
import { clampUsage } from "../pricing/clamp-usage.ts";
import { computeCharge } from "../pricing/compute-charge.ts";
import { type RelayDependencies, waitsOf } from "../relay-dependencies.ts";
import { RelayError } from "../relay-error.ts";
import type { JobOwner } from "./job-owner.ts";
import type { RelayJob } from "./relay-job.ts";
import { payerOf } from "../callers/caller-source.ts";
import { bookJob, NotSettledError } from "./settle-request.ts";
import type { AnswerStream, Translation, WrittenRequest } from "../translate/translation.ts";
import type { ByteClaim } from "../upstream/byte-budget.ts";
import { Attempt, type AttemptListener, type UpstreamAnswer } from "../upstream/attempt.ts";
import { answerForFailure, noteOfFailure } from "../upstream/failure-answer.ts";
import { shouldTryAnother } from "../upstream/retry-policy.ts";

/** How a stream ends. */
interface StreamEnding {
  /** Undefined where it is whole. */
  readonly cut: Cut | undefined;
  /** What is held back until the charge is booked. */
  readonly last: Buffer | undefined;
}

const NONE_TRIED: ReadonlySet<number> = new Set();

/**
 * The serving of a request whose quota is set aside: attempt, send, settle. Walks by callbacks; whatever happens, what was set aside is settled
 * exactly once.
 */
export class ServedJob implements AttemptListener, Asker {
  readonly #deps: RelayDependencies;
  readonly #job: RelayJob;
  readonly #owner: JobOwner;
  /** Nothing is booked yet. */
  #isOpen = true;
  #isCallerGone = false;
  #route: PricedRoute | undefined;
  #choice: UsageChoice | undefined;
  #written: WrittenRequest | undefined;
  #translation: Translation | undefined;
  #attempt: Attempt | undefined;
  /** As the attempt was sent. */
  #call: UpstreamCall | undefined;
  #attemptBeganMs = 0;
  #tried = NONE_TRIED;
  #stream: AnswerStream | undefined;
  #firstByteMs = 0;
  /** Of a stream, on the clock for durations. */
  #lastPieceMs = 0;
  #longestPauseMs = 0;
  #room: UpstreamAnswer["room"];
  /** Set once the caller has left a stream that is read on for its provider's report. */
  #left: LeftStream | undefined;
  readonly #reply: JobReply;

  constructor(deps: RelayDependencies, job: RelayJob, owner: JobOwner) {
    this.#deps = deps;
    this.#job = job;
    this.#owner = owner;
    this.#reply = new JobReply(job, owner, deps.bodies.begin(job));
  }

  /** The channel whose stream is passing; undefined without. */
  get streamsFrom(): PricedRoute | undefined {
    return this.#stream === undefined ? undefined : this.#route;
  }

  /** The caller has left, and the provider's report is waited for. */
  get isReadOn(): boolean {
    return this.#left !== undefined && this.#isOpen;
  }

  get isWaiting(): boolean {
    return this.#isOpen;
  }

  takeRoom(bytes: number): void {
    this.#owner.bodyGrew(bytes);
  }

  /** Tries the next channel. */
  begin(lastFailure?: Failure): void {
    if (!this.#isOpen) return;
    const { ask } = this.#job;
    try {
      const deps = this.#deps;
      const { route, choice } = nextRoute(deps, this.#job, this.#tried, lastFailure);
      const translation = deps.translate(ask.format, route.service);
      this.#route = route;
      this.#choice = choice;
      this.#written = translation.writeRequest(ask, {
        model: route.upstreamModel,
        systemPrompt: route.channel.systemPrompt,
        maxTokens: limitFor(this.#job, route.upstreamModel),
        reportUsage: ask.stream && !ask.wantsUsage,
      });
      this.#translation = translation;
      this.#attemptBeganMs = deps.clock.monotonicMs();
      const call = route.service.call(this.#written, route.channel.connection, deps.providerIo, this);
      if (call instanceof Promise) call.then(this.#send, this.#uncalled);
      else this.#send(call);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Tells a failure of the provider that came before the request was sent, or ends the request with another error. */
  readonly #uncalled = (error: unknown): void => {
    if (error instanceof ProviderFailedError) this.failed(error.failure);
    else this.fail(error);
  };

  readonly #send = (call: UpstreamCall): void => {
    const [translation, route] = [this.#translation, this.#route];
    if (!this.#isOpen || translation === undefined || route === undefined) return call.giveUp?.();
    const { ask, hops } = this.#job;
    const { client, timeouts, providerIo } = this.#deps;
    const { fetchPicture } = providerIo;
    this.#call = call;
    this.#attempt = new Attempt({ translation, ask, stream: ask.stream, fetchPicture }, this);
    const headers = hopHeaders(route.channel.connection, hops);
    try {
      this.#attempt.send(client, { ...call, ...waitsOf(timeouts, ask.stream), headers });
    } catch (error) {
      this.fail(error);
    }
  };

  /** The provider failed before anything of its answer was sent on. */
  failed(failure: Failure): void {
    const route = this.#route;
    const call = this.#call;
    this.#call = undefined;
    if (!this.#isOpen || route === undefined) return;
    try {
      // A token in the call had ended: the same attempt is made once more with a new one.
      const renewed = call?.renew?.(failure);
      if (renewed !== undefined) return void renewed.then(this.#send, this.#uncalled);
      call?.giveUp?.();
      this.#noteAttempt(route, failure.status, noteOfFailure(failure));
      noteFailure(this.#deps, route, failure);
      this.#tried = new Set(this.#tried).add(route.id);
      const again = shouldTryAnother({
        failure,
        attempts: this.#tried.size,
        retryTimes: this.#deps.options.number("RetryTimes"),
        answerBegan: false,
        channelPinned: this.#job.pinned,
        callerGone: this.#isCallerGone,
      });
      if (!again) throw unserved(failure);
    } catch (error) {
      return this.fail(error);
    }
    // The next attempt fetches for itself.
    this.#owner.bodyShrank();
    this.begin(failure);
  }

  claimRoom(goOn: () => void): ByteClaim {
    const { answerRoom, clock } = this.#deps;
    const { userId } = this.#job.caller;
    const stalledMs = () => this.#owner.writer.stalledMs(clock.monotonicMs());
    return answerRoom.claim({ userId, goOn, stalledMs, cut: () => this.stalled() });
  }

  /** Books the charge of a whole answer, and only then sends it. */
  answered(answer: UpstreamAnswer): void {
    const route = this.#route;
    if (!this.#isOpen || route === undefined) return answer.room?.release();
    this.#room = answer.room;
    try {
      this.#began(route);
      noteSuccess(this.#deps, route);
      if (answer.usage !== undefined && countsWhatIsPaid(answer.usage, route.price)) {
        return this.#bookAnswer(answer, answer.usage, "usage");
      }
      const { ask } = this.#job;
      const text = () => this.#deps.translate(ask.format, route.service).answerText(answer.bytes);
      this.#usageOf(() => countAnswer(this.#deps.countTokens, ask, route, text)).then(
        ({ usage, rule }) => this.#bookAnswer(answer, usage, rule),
        this.#fail,
      );
    } catch (error) {
      this.fail(error);
    }
  }

  /** What was used where the answer does not say it: what the provider tells when it is asked for that, else what is counted here. */
  async #usageOf(
    count: () => Promise<Usage>,
  ): Promise<{ readonly usage: Usage; readonly rule: "usage" | "estimated" }> {
    const told = await this.#call?.askUsage?.();
    return told === undefined ? { usage: await count(), rule: "estimated" } : { usage: told, rule: "usage" };
  }

  #bookAnswer(answer: UpstreamAnswer, usage: Usage, rule: "usage" | "estimated"): void {
    if (!this.#isOpen) return;
    const end = this.#endOf({ usage, rule, end: "complete", result: "ok", statusCode: answer.status });
    this.#settle(
      end,
      () => unsent(end),
      (error) => {
        if (error !== undefined) return this.#reply.refuse(error);
        this.#deps.keptObjects.noteResponse(answer.keptId, this.#job.caller, this.#route?.id ?? 0);
        const bytes = (end.usage && answer.tellUsage?.(end.usage)) ?? answer.bytes;
        this.#reply.sendWhole(bytes, { written: this.#written, contentType: answer.contentType });
      },
    );
  }

  /** Passes a piece of a stream on. */
  streamed(stream: AnswerStream, bytes: Buffer): void {
    const route = this.#route;
    if (!this.#isOpen || route === undefined || this.#left !== undefined) return;
    try {
      this.#began(route, stream);
      this.#notePause();
      if (!this.#reply.hasBegun) this.#reply.begin(this.#headOf(stream));
      if (!this.#reply.pass(bytes, () => this.#attempt?.resume())) this.#attempt?.pause();
    } catch (error) {
      this.fail(error);
    }
  }

  /** The stream is over: books its charge, and only then sends its end. What came with the end leaves with it. */
  streamEnded(stream: AnswerStream, bytes: Buffer | undefined, failure: Failure | undefined): void {
    const route = this.#route;
    if (!this.#isOpen || route === undefined) return;
    try {
      this.#began(route, stream);
      if (failure === undefined) noteSuccess(this.#deps, route);
      else noteFailure(this.#deps, route, failure);
      // A report that came before a stream broke off may be of its beginning alone.
      if (this.#left !== undefined)
        return this.#closeLeft(route, stream, failure === undefined ? this.#left.usage : undefined);
      if (failure === undefined) return this.#closeStream(route, stream, undefined, bytes);
      this.#reply.begin(this.#headOf(stream));
      if (bytes !== undefined) this.#reply.passLast(bytes);
      this.#closeStream(route, stream, { kind: "failed", failure }, undefined);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Settles a stream. `last` is held back until the charge is booked; a whole stream ends with its format's own end. */
  #closeStream(route: PricedRoute, stream: AnswerStream, cut: Cut | undefined, last: Buffer | undefined): void {
    if (cut !== undefined) this.#leaveProvider();
    const reported = stream.usage;
    const known: JobEnd["rule"] = cut !== undefined ? "partial" : reported === undefined ? "estimated" : "usage";
    const ending = { cut, last };
    if (known === "usage" && reported !== undefined) return this.#bookStream(stream, reported, known, ending);
    const { ask } = this.#job;
    if (ask.media !== undefined) return this.#bookStream(stream, mediaSoFar(stream), known, ending);
    const count = () => countStream(this.#deps.countTokens, ask, route, this.#left ?? stream);
    const counting = cut === undefined ? this.#usageOf(count) : count().then((usage) => ({ usage, rule: known }));
    counting.then(
      ({ usage, rule }) => this.#bookStream(stream, usage, rule, ending),
      () => this.#bookStream(stream, this.#usageSoFar(stream), known, ending),
    );
  }

  #bookStream(stream: AnswerStream, usage: Usage, rule: JobEnd["rule"], { cut, last }: StreamEnding): void {
    if (!this.#isOpen) return;
    const end = this.#endOf({ usage, rule, end: nameOf(cut), result: resultOf(cut), statusCode: 200 });
    const { hasBegun } = this.#reply;
    this.#settle(
      end,
      () => (hasBegun ? end : unsent(end)),
      (error) => {
        // Of what is not paid in full nothing is had later.
        if (cut === undefined && error === undefined)
          this.#deps.keptObjects.noteResponse(stream.keptId, this.#job.caller, this.#route?.id ?? 0);
        this.#sendEnd(stream, end.usage, { cut, last }, error);
      },
    );
  }

  #sendEnd(
    stream: AnswerStream,
    usage: Usage | undefined,
    { cut, last }: StreamEnding,
    unbooked: Error | undefined,
  ): void {
    if (this.#isCallerGone) return;
    if (unbooked !== undefined) {
      if (!this.#reply.hasBegun) return this.#reply.refuse(unbooked);
      if (last !== undefined && unbooked instanceof NotSettledError && unbooked.comesLater) this.#reply.passLast(last);
      this.#reply.closeWithError(stream, streamUnbooked());
    } else if (cut === undefined) {
      const told = usage === undefined ? undefined : stream.tellUsage?.(usage);
      const parts = [...(last ? [last] : []), ...(told?.length ? [told] : []), stream.closing];
      this.#reply.close(this.#headOf(stream), parts);
    } else if (cut.kind === "ended" || cut.kind === "failed") {
      this.#reply.closeWithError(stream, cut.kind === "ended" ? cut.error : answerForFailure(cut.failure));
    } else {
      this.#reply.breakOff();
    }
  }

  /** The first sign of an answer: what the log and the channels' record say of the attempt. */
  #began(route: PricedRoute, stream?: AnswerStream): void {
    if (this.#firstByteMs > 0) return;
    this.#stream = stream;
    const durationMs = this.#noteAttempt(route, 200, "");
    this.#lastPieceMs = this.#attemptBeganMs;
    this.#firstByteMs = Math.max(1, Math.round(this.#deps.clock.monotonicMs() - this.#job.startedMs));
    this.#deps.health.noteLatency(route.id, route.upstreamModel, durationMs);
  }

  /** Between two pieces of a stream, or its last and now. */
  #notePause(): void {
    const nowMs = this.#deps.clock.monotonicMs();
    this.#longestPauseMs = Math.max(this.#longestPauseMs, nowMs - this.#lastPieceMs);
    this.#lastPieceMs = nowMs;
  }

  #headOf({ contentType }: AnswerStream): ReplyHead {
    return { written: this.#written, contentType };
  }

  /** Returns how long the attempt took, in ms. */
  #noteAttempt(route: PricedRoute, status: number, failure: string): number {
    const duration_ms = Math.round(this.#deps.clock.monotonicMs() - this.#attemptBeganMs);
    this.#job.attempts.push({ channel: route.id, status, failure, duration_ms, choice: this.#choice });
    return duration_ms;
  }

  #endOf(end: Pick<JobEnd, "usage" | "rule" | "end" | "result" | "statusCode">): JobEnd {
    const used = end.usage === undefined ? end : completed(this.#job.ask, this.#route, end.usage, end.rule);
    const clamped = used.usage === undefined ? undefined : clampUsage(used.usage, this.#job.most);
    return {
      ...end,
      usage: clamped?.usage,
      notes: clamped?.notes ?? [],
      rule: used.rule,
      route: this.#route,
      firstByteMs: this.#firstByteMs,
      written: this.#written,
    };
  }

  /** Books the end of the request. */
  #settle(end: JobEnd, late: () => JobEnd, done: (error: Error | undefined) => void): void {
    this.#isOpen = false;
    bookJob(this.#deps, this.#job, { end, late }, (error) => {
      try {
        done(error);
      } catch (thrown) {
        this.#reply.breakOff();
        this.#deps.log.error({ err: thrown, requestId: this.#job.requestId }, "a booked answer could not be sent");
      }
      this.#reply.finished(true);
      // At any other end something may be under way still: the request itself, or what a provider is asked before.
      if (end.end === "complete" && this.#attempt?.hasEnded === true) this.#owner.bodyUsed();
      this.#owner.settled();
    });
  }

  readonly #fail = (error: unknown): void => this.fail(error);

  /** Ends the request with an error: a stream that has begun is charged for what was delivered. */
  fail(error: unknown): void {
    const [route, stream] = [this.#route, this.#stream];
    if (!this.#isOpen) return;
    if (stream !== undefined && route !== undefined && this.#left !== undefined) return this.#closeLeft(route, stream);
    this.#leaveProvider();
    if (stream !== undefined && route !== undefined && this.#reply.hasBegun) {
      const told = error instanceof RelayError ? error : this.#owner.explain(error);
      return this.#closeStream(route, stream, { kind: "ended", error: told }, undefined);
    }
    if (error instanceof RelayError) {
      // A refusal is told to the log by whoever tells it to the caller.
      this.#isOpen = false;
      return this.#giveBack(() => {
        this.#owner.refuse(error);
        this.#owner.settled();
      });
    }
    const end = this.#endOf(endOfError(error));
    this.#settle(
      end,
      () => end,
      () => this.#reply.refuse(error),
    );
  }

  /** The rest of the provider's answer is not wanted. */
  #leaveProvider(): void {
    this.#attempt?.abort();
    this.#call?.giveUp?.();
    this.#call = undefined;
  }

  /** Gives everything back, without a row of the log. */
  #giveBack(given: () => void): void {
    this.#reply.finished(false);
    const { requestId, caller } = this.#job;
    const giving = this.#deps.ledger.release({ ...payerOf(caller), requestId });
    if (giving instanceof Promise) void giving.then(given);
    else given();
  }

  /** The connection is done with the answer, or the caller has left before its end. */
  closed(): void {
    this.#isCallerGone = true;
    this.#room?.release();
    const [route, stream] = [this.#route, this.#stream];
    if (!this.#isOpen || this.#left !== undefined) return;
    if (stream !== undefined && route !== undefined) return this.#leave(route, stream, { kind: "caller-gone" });
    this.#leaveProvider();
    if (route !== undefined) noteSilence(this.#deps, route, this.#job, this.#noteAttempt(route, 0, "caller-gone"));
    const nothing = { usage: undefined, rule: "none", statusCode: 0 } as const;
    const end = this.#endOf({ ...nothing, end: "caller-gone", result: "caller-gone" });
    this.#settle(
      end,
      () => end,
      () => undefined,
    );
  }

  /** The caller takes nothing of the answer any more. */
  stalled(): void {
    if (this.#left !== undefined) return;
    const [route, stream] = [this.#route, this.#stream];
    if (!this.#isOpen || route === undefined || stream === undefined) return this.#reply.breakOff();
    this.#leave(route, stream, { kind: "caller-stalled" });
    if (this.#left !== undefined) this.#reply.breakOff();
  }

  /** The server stops: nothing is read on any more. */
  drain(): void {
    const [route, stream] = [this.#route, this.#stream];
    if (this.#left !== undefined && route !== undefined && stream !== undefined) this.#closeLeft(route, stream);
  }

  /** The caller of a stream has left it, or is left: what it had got is charged, and what only the provider's report tells of that. */
  #leave(route: PricedRoute, stream: AnswerStream, cut: Cut): void {
    const { ask } = this.#job;
    const { timeouts, active } = this.#deps;
    this.#notePause();
    const left = { ask, price: route.price, stream, longestPauseMs: this.#longestPauseMs };
    if (timeouts.reportMs === 0 || active.isDraining || !hidesUsage(left))
      return this.#closeStream(route, stream, cut, undefined);
    this.#left = new LeftStream(stream, cut, timeouts.reportMs, () => this.#closeLeft(route, stream));
    this.#attempt?.resume();
  }

  /** Books a stream whose caller has left: by its provider's report, or by what was seen where there is none. */
  #closeLeft(route: PricedRoute, stream: AnswerStream, reported?: Usage): void {
    this.#left?.stop();
    const cut = this.#left?.cut;
    if (reported === undefined) this.#closeStream(route, stream, cut, undefined);
    else this.#bookStream(stream, reported, "partial", { cut, last: undefined });
  }

  /** What a stream has delivered; undefined before anything was. */
  checkpoint(): Checkpoint | undefined {
    const [route, stream] = [this.#route, this.#stream];
    if (!this.#isOpen || route === undefined || stream === undefined) return undefined;
    const { requestId, reserved } = this.#job;
    const delivered = Math.min(reserved, computeCharge(this.#usageSoFar(stream), route.price));
    return { requestId, channelId: route.id, delivered };
  }

  #usageSoFar(stream: AnswerStream): Usage {
    const { ask } = this.#job;
    if (ask.media !== undefined) return completed(ask, this.#route, mediaSoFar(stream), "partial").usage;
    const promptTokens = stream.usage?.promptTokens ?? guessPromptTokens(ask);
    return { ...usageDelivered(this.#left ?? stream), promptTokens };
  }
}
