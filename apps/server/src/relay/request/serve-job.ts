import type { Failure } from "@one-api/providers/failure";
import type { Usage } from "@one-api/providers/usage";
import type { Checkpoint } from "@one-api/ledger/ledger";
import { nowSeconds } from "../../platform/clock.ts";
import { payerOf } from "../callers/index.ts";
import type { PricedCandidate } from "../routing/index.ts";
import { countAnswer, countStream, isWholeReport } from "../usage/index.ts";
import { computeCharge } from "../pricing/index.ts";
import { RelayError, UpstreamFailedError } from "../errors/index.ts";
import type { AnswerStream } from "../translate/index.ts";
import type { UpstreamAnswer } from "../upstream/index.ts";
import { AwaitedAnswer } from "./awaited-answer.ts";
import {
  describeOutcome,
  endOfError,
  type Interruption,
  mediaSoFar,
  nameOf,
  type Outcome,
  paysPrompt,
  type ReservedRequest,
  resultOf,
  settle,
  undelivered,
} from "../charging/index.ts";
import type { JobOwner } from "./job-owner.ts";
import { Reply, type ReplyHead, type StreamEnding } from "./reply.ts";
import { limitIgnored, mostVisibleTokens } from "./output-limit.ts";
import { RunningStream } from "./running-stream.ts";
import { type AnswerTaker, Attempts } from "./attempts.ts";
import { ARRAY_COMMENT } from "../dialects/index.ts";
import type { RequestServices } from "./request-services.ts";

/** What a whole answer used, and how that is known. */
interface KnownUsage {
  readonly usage: Usage;
  readonly rule: "usage" | "estimated";
}

/** Streams are looked at every five seconds, so that none is silent for more than fifteen. */
const SILENT_MS = 10_000;

/**
 * The serving of a request whose quota is set aside: attempt, send, settle. Walks by callbacks; whatever happens, what was set aside is settled
 * exactly once.
 */
export class ServedJob implements AnswerTaker {
  readonly #services: RequestServices;
  readonly #job: ReservedRequest;
  readonly #owner: JobOwner;
  readonly #tries: Attempts;
  readonly #reply: Reply;
  /** Nothing is booked yet. */
  #isOpen = true;
  #isCallerGone = false;
  /** When the caller of a silent stream was told last that it goes on, on the clock for durations. */
  #keptAliveMs = 0;
  /** A whole answer has come. */
  #hasAnswer = false;
  #running: RunningStream | undefined;

  constructor(services: RequestServices, job: ReservedRequest, owner: JobOwner) {
    this.#services = services;
    this.#job = job;
    this.#owner = owner;
    this.#tries = new Attempts(services, job, owner, this);
    this.#reply = new Reply(job, owner, services.bodies.begin(job));
  }

  /** The channel whose stream is passing; undefined without. */
  get streamsFrom(): PricedCandidate | undefined {
    return this.#running?.route;
  }

  /** The caller has left, and the provider's report is waited for. */
  get isReadOn(): boolean {
    return this.#running?.isLeft === true && this.#isOpen;
  }

  get isWaiting(): boolean {
    return this.#isOpen;
  }

  get isCallerGone(): boolean {
    return this.#isCallerGone;
  }

  /** Tries channels until one answers. */
  begin(): void {
    this.#tries.next();
  }

  /** Books the charge of a whole answer, and only then sends it. */
  answered(route: PricedCandidate, answer: UpstreamAnswer): void {
    const running = this.#running;
    if (running?.isLeft === true) {
      this.#tries.releaseMemory();
      if (running.stream instanceof AwaitedAnswer) running.stream.answered(answer.usage);
      return this.#closeLeft(running, running.delivered.usage);
    }
    this.#hasAnswer = true;
    const { usage: reported } = answer;
    const { ask } = this.#job;
    const isKnown = reported !== undefined && isWholeReport(ask, route, reported);
    if (isKnown && reported.completionTokens <= mostVisibleTokens(this.#job))
      return this.#bookAnswer(answer, { usage: reported, rule: "usage" });
    const text = () => this.#services.translate(ask.format, route.service).answerText(answer.bytes);
    if (isKnown) return void this.#bookLong(answer, { usage: reported, rule: "usage" }, text);
    this.#usageOf(() => countAnswer(this.#services.countTokens, ask, route, text, reported)).then(
      (known) => this.#bookLong(answer, known, text),
      (error: unknown) => this.fail(error),
    );
  }

  /** Books an answer that may have gone beyond its limit: all that is visible of it is charged, and it is not sent where the balance does not pay that. */
  async #bookLong(answer: UpstreamAnswer, { usage, rule }: KnownUsage, readText: () => string): Promise<void> {
    const { clock, ledger, countTokens } = this.#services;
    const { caller, reserved } = this.#job;
    const { route } = this.#tries;
    if (usage.completionTokens <= mostVisibleTokens(this.#job)) return this.#bookAnswer(answer, { usage, rule });
    try {
      const visible = countTokens.text(readText());
      const charge = route === undefined ? 0 : computeCharge(usage, route.price);
      if (visible > mostVisibleTokens(this.#job) && charge > reserved) {
        const balance = await ledger.available(payerOf(caller), nowSeconds(clock));
        if (charge - reserved > balance) throw new UpstreamFailedError(limitIgnored(), "bad-answer", answer.status);
      }
      this.#bookAnswer(answer, { usage, rule }, visible);
    } catch (error) {
      this.fail(error);
    }
  }

  /** What was used where the answer does not say it: what the provider tells when it is asked for that, else what is counted here. */
  async #usageOf(count: () => Promise<Usage>): Promise<KnownUsage> {
    const told = await this.#tries.askUsage();
    return told === undefined ? { usage: await count(), rule: "estimated" } : { usage: told, rule: "usage" };
  }

  /** `visibleTokens`: as counted here, of an answer that may have gone beyond its limit. */
  #bookAnswer(answer: UpstreamAnswer, { usage, rule }: KnownUsage, visibleTokens = 0): void {
    if (!this.#isOpen) return;
    const statusCode = answer.status;
    const { ask, most } = this.#job;
    const completionTokens = Math.max(most.completionTokens, visibleTokens);
    const end = describeOutcome({ ask, most: { ...most, completionTokens } }, this.#tries, {
      usage,
      rule,
      end: "complete",
      result: "ok",
      statusCode,
    });
    this.#settle(
      end,
      () => undelivered(end),
      (error) => {
        if (error !== undefined) return this.#reply.refuse(error);
        this.#services.storedObjects.recordResponse(answer.keptId, this.#job.caller, end.route?.id ?? 0);
        const told = usage === answer.usage ? undefined : end.usage && answer.tellUsage?.(end.usage);
        const bytes = told ?? answer.bytes;
        this.#reply.sendWhole(bytes, { written: end.written, contentType: answer.contentType });
      },
    );
  }

  /** Passes a piece of a stream on. */
  streamed(route: PricedCandidate, stream: AnswerStream, bytes: Buffer): void {
    const running = this.#runningOf(route, stream);
    if (running.isLeft) return running.readsOn(stream);
    running.notePiece(bytes, this.#services.clock.monotonicMs());
    if (!this.#reply.hasBegun) this.#reply.begin(this.#headOf(stream));
    if (running.goesBeyond(bytes)) return this.#cutStream(running, { kind: "ended", error: limitIgnored() });
    if (!this.#reply.pass(bytes, () => this.#tries.resume())) this.#tries.pause();
  }

  /** Tells the caller of a silent stream that it goes on, from the provider's head on. What it asks of other channels before the first word is unchanged. */
  keepAlive(nowMs: number): void {
    const running = this.#running;
    const { format, media, inArray } = this.#job.ask;
    if (!this.#isOpen || this.#isCallerGone || media !== undefined || format.keepAlive === undefined) return;
    if (running?.isLeft === true || (running === undefined && !this.#tries.hasOpenStream)) return;
    const lastMs = Math.max(running?.lastPieceMs ?? this.#tries.beganMs, this.#keptAliveMs);
    if (nowMs - lastMs < SILENT_MS) return;
    this.#keptAliveMs = nowMs;
    this.#reply.keepAlive(this.#tries.written, inArray ? ARRAY_COMMENT : format.keepAlive);
  }

  /** The stream is over: books its charge, and only then sends its end. What came with the end leaves with it. */
  streamEnded(
    route: PricedCandidate,
    stream: AnswerStream,
    bytes: Buffer | undefined,
    failure: Failure | undefined,
  ): void {
    const running = this.#runningOf(route, stream);
    // A report that came before a stream broke off may be of its beginning alone.
    if (running.isLeft) {
      running.readsOn(stream);
      return this.#closeLeft(running, failure === undefined ? running.delivered.usage : undefined);
    }
    const isBeyond = bytes !== undefined && running.goesBeyond(bytes);
    if (failure === undefined && !isBeyond) return this.#closeStream(running, { cut: undefined, last: bytes });
    this.#reply.begin(this.#headOf(stream));
    if (isBeyond || failure === undefined) return this.#cutStream(running, { kind: "ended", error: limitIgnored() });
    if (bytes !== undefined) this.#reply.passLast(bytes);
    this.#cutStream(running, { kind: "failed", failure });
  }

  #runningOf(route: PricedCandidate, stream: AnswerStream): RunningStream {
    return (this.#running ??= new RunningStream(this.#job, route, stream, this.#tries.beganMs));
  }

  #headOf({ contentType }: AnswerStream): ReplyHead {
    return { written: this.#tries.written, contentType };
  }

  #cutStream(running: RunningStream, cut: Interruption | undefined): void {
    this.#closeStream(running, { cut, last: undefined });
  }

  /** Settles a stream. What is held back leaves once the charge is booked; a whole stream ends with its format's own end. */
  #closeStream(running: RunningStream, ending: StreamEnding): void {
    const { cut } = ending;
    if (cut !== undefined) this.#tries.leave();
    const { route, stream } = running;
    const reported = stream.usage;
    const { ask } = this.#job;
    const isWhole = reported !== undefined && isWholeReport(ask, route, reported);
    const known: Outcome["rule"] = cut !== undefined ? "partial" : isWhole ? "usage" : "estimated";
    if (known === "usage" && reported !== undefined) return this.#bookStream(running, reported, known, ending);
    if (ask.media !== undefined && ask.media.kind !== "ranking")
      return this.#bookStream(running, mediaSoFar(stream), known, ending);
    const count = () => countStream(this.#services.countTokens, ask, route, running.delivered);
    const counting = cut === undefined ? this.#usageOf(count) : count().then((usage) => ({ usage, rule: known }));
    counting.then(
      ({ usage, rule }) => this.#bookStream(running, usage, rule, ending),
      () => this.#bookStream(running, running.usageSoFar(), known, ending),
    );
  }

  #bookStream({ stream }: RunningStream, usage: Usage, rule: Outcome["rule"], ending: StreamEnding): void {
    if (!this.#isOpen) return;
    const { cut } = ending;
    const statusCode = stream instanceof AwaitedAnswer ? stream.statusCode : 200;
    const how = { usage, rule, end: nameOf(cut), result: resultOf(cut), statusCode };
    const end = describeOutcome(this.#job, this.#tries, how);
    const { hasBegun } = this.#reply;
    this.#settle(
      end,
      () => (hasBegun ? end : undelivered(end)),
      (error) => {
        // Of what is not paid in full nothing is had later.
        if (cut === undefined && error === undefined)
          this.#services.storedObjects.recordResponse(stream.keptId, this.#job.caller, end.route?.id ?? 0);
        if (this.#isCallerGone) return;
        if (error === undefined) this.#reply.endStream(stream, this.#headOf(stream), ending, end.usage);
        else this.#reply.endUnbooked(stream, ending, error);
      },
    );
  }

  /** Books the end of the request. */
  #settle(end: Outcome, late: () => Outcome, done: (error: Error | undefined) => void): void {
    this.#isOpen = false;
    settle(this.#services, this.#job, { end, late }, (error) => {
      try {
        done(error);
      } catch (thrown) {
        this.#reply.breakOff();
        this.#services.log.error({ err: thrown, requestId: this.#job.requestId }, "a booked answer could not be sent");
      }
      this.#reply.finished(true);
      // At any other end something may be under way still: the request itself, or what a provider is asked before.
      if (end.end === "complete" && this.#tries.hasEnded) this.#owner.bodyUsed();
      this.#owner.settled();
    });
  }

  /** Ends the request with an error: a stream that has begun is charged for what was delivered. */
  fail(error: unknown): void {
    const running = this.#running;
    if (!this.#isOpen) return;
    if (running?.isLeft === true)
      return error instanceof UpstreamFailedError ? this.#endUnanswered(running) : this.#closeLeft(running);
    this.#tries.leave();
    if (running !== undefined && this.#reply.hasBegun) {
      const told = error instanceof RelayError ? error : this.#owner.explain(error);
      return this.#cutStream(running, { kind: "ended", error: told });
    }
    if (error instanceof RelayError) {
      // A refusal is told to the log by whoever tells it to the caller.
      this.#isOpen = false;
      return this.#giveBack(() => {
        this.#reply.tellRefusal(error);
        this.#owner.settled();
      });
    }
    const end = describeOutcome(this.#job, this.#tries, endOfError(error));
    this.#settle(
      end,
      () => end,
      () => this.#reply.refuse(error),
    );
  }

  /** Gives everything back, without a row of the log. */
  #giveBack(given: () => void): void {
    this.#reply.finished(false);
    this.#services.ledger.release({ requestId: this.#job.requestId });
    given();
  }

  /** The connection is done with the answer, or the caller has left before its end. */
  closed(): void {
    this.#isCallerGone = true;
    this.#tries.releaseMemory();
    const running = this.#running;
    // An answer that is there and is being counted is booked as it is.
    if (!this.#isOpen || this.#hasAnswer || running?.isLeft === true) return;
    if (running !== undefined) return this.#leave(running, { kind: "caller-gone" });
    const begun = this.#tries.abandonBeforeContent();
    if (begun === undefined || !paysPrompt(this.#job.ask, begun.route.price)) return this.#endUnanswered(undefined);
    this.#leave(this.#runningOf(begun.route, begun.stream), { kind: "caller-gone" });
  }

  /** The caller has left, and no answer began. */
  #endUnanswered(running: RunningStream | undefined): void {
    running?.stopReading();
    this.#tries.leave();
    const nothing = { usage: undefined, rule: "none", statusCode: 0 } as const;
    const end = describeOutcome(this.#job, this.#tries, { ...nothing, end: "caller-gone", result: "caller-gone" });
    this.#settle(
      end,
      () => end,
      () => undefined,
    );
  }

  /** The caller takes nothing of the answer any more. */
  stalled(): void {
    const running = this.#running;
    if (running?.isLeft === true) return;
    if (!this.#isOpen || running === undefined) return this.#reply.breakOff();
    this.#leave(running, { kind: "caller-stalled" });
    if (running.isLeft) this.#reply.breakOff();
  }

  /** The server stops: nothing is read on any more. */
  drain(): void {
    const running = this.#running;
    if (running?.isLeft === true) this.#closeLeft(running);
  }

  /** The caller of a stream has left it, or is left: what it had got is charged, and what only the provider's report tells of that. */
  #leave(running: RunningStream, cut: Interruption): void {
    const { timeouts, inFlight, clock } = this.#services;
    running.notePause(clock.monotonicMs());
    if (timeouts.reportMs === 0 || inFlight.isDraining || !running.needsReport) return this.#cutStream(running, cut);
    running.linger(cut, timeouts.reportMs, () => this.#closeLeft(running));
    this.#tries.resume();
  }

  /** Books a stream whose caller has left: by its provider's report, or by what was seen where there is none. */
  #closeLeft(running: RunningStream, reported?: Usage): void {
    const cut = running.stopReading();
    if (reported === undefined || !isWholeReport(this.#job.ask, running.route, reported)) this.#cutStream(running, cut);
    else this.#bookStream(running, reported, "partial", { cut, last: undefined });
  }

  /** What a stream has delivered; undefined before anything was. */
  checkpoint(): Checkpoint | undefined {
    return this.#isOpen ? this.#running?.checkpoint() : undefined;
  }
}
