import type { CallerResponse } from "@one-api/http1/server/caller-exchange";
import type { Checkpoint } from "@one-api/ledger/ledger";
import type { Failure } from "@one-api/providers/failure";
import type { Usage } from "@one-api/providers/usage";
import { nowSeconds } from "../../platform/clock.ts";
import { IncomingBody, inflateBody, type ParsedRequest } from "../body/index.ts";
import {
  type Admission,
  type Caller,
  explainError,
  type IdentifiedCall,
  identifyCaller,
  type PresentedKey,
  readPinnedChannel,
  readPresentedKey,
} from "../callers/index.ts";
import {
  type Interruption,
  type Outcome,
  paysPrompt,
  type Reservation,
  reserve,
  type ReservedRequest,
} from "../charging/index.ts";
import { type CallPath, type Dialect, queryOf } from "../dialects/index.ts";
import { RelayError, UpstreamFailedError } from "../errors/index.ts";
import type { InFlightRequest, RequestParties } from "../in-flight/index.ts";
import { moderatePrompt } from "../own-calls/index.ts";
import type { PricedCandidate, RoutePlan } from "../routing/index.ts";
import type { AnswerStream } from "../translate/index.ts";
import { readHops, type UpstreamAnswer } from "../upstream/index.ts";
import { isWholeReport } from "../usage/index.ts";
import { type AttemptEvents, Attempts } from "./attempts.ts";
import { AwaitedAnswer } from "./awaited-answer.ts";
import {
  knownUsage,
  type MeasuredAnswer,
  measureAnswer,
  measureStream,
  reportedUsage,
  ruleWithoutReport,
} from "./measure-usage.ts";
import { limitIgnored } from "./output-limit.ts";
import { parseRequest } from "./parse-request.ts";
import { admitRequest, conversationOf, planRequest } from "./plan-request.ts";
import { probeCaller } from "./probe-caller.ts";
import { Reply, type ReplyHead, type ReplyTarget, type StreamEnding } from "./reply.ts";
import { ReplyWriter } from "./reply-writer.ts";
import type { RequestServices } from "./request-services.ts";
import { RunningStream } from "./running-stream.ts";
import {
  type ServedRequest,
  settleAnswer,
  settleFailed,
  settleStream,
  type SettlingRequest,
  settleUnanswered,
} from "./settle-reply.ts";
import { type RefusedRequest, writeRefusal } from "./write-refusal.ts";

interface AuthenticatedCall extends IdentifiedCall {
  readonly ask: ParsedRequest | undefined;
}

/** What a relayed request starts with. */
export interface RelayedRequestParts extends RefusedRequest {
  readonly services: RequestServices;
  readonly callPath: CallPath;
}

/**
 * A relayed request, from its headers to its settlement. Promises only where it has to wait: a key's first use, a reservation in the database,
 * moderation, a count.
 */
export class RelayedRequest implements AttemptEvents, ReplyTarget, SettlingRequest, InFlightRequest {
  readonly response: CallerResponse;
  readonly dialect: Dialect;
  readonly writer: ReplyWriter;
  isCallerGone = false;
  readonly #services: RequestServices;
  readonly #parts: RelayedRequestParts;
  readonly #startedMs: number;
  readonly #at: number;
  readonly body: IncomingBody;
  readonly #leave: () => void;
  #hops = 0;
  #isSettled = false;
  #isReserving = false;
  /** The request is reserved, and its outcome is not known. */
  #isOpen = false;
  /** A whole answer has come. */
  #hasAnswer = false;
  #key: PresentedKey = { key: "", channel: undefined };
  #call: AuthenticatedCall | undefined;
  #admission: Admission | undefined;
  #served: ServedRequest | undefined;
  #running: RunningStream | undefined;

  constructor(parts: RelayedRequestParts) {
    this.#parts = parts;
    this.#services = parts.services;
    this.#startedMs = this.#services.clock.monotonicMs();
    this.#at = nowSeconds(this.#services.clock);
    this.response = parts.response;
    this.dialect = parts.dialect;
    this.writer = new ReplyWriter(parts.response, this.#services.clock);
    this.body = new IncomingBody(
      inflateBody(parts.request, (error) => this.#refuse(error)),
      this.#services,
      (bytes) => this.#received(bytes),
      (error) => this.#refuse(error),
    );
    this.#leave = this.#services.inFlight.add(this);
    parts.response.once("close", () => this.#closed());
  }

  /** Starts with the lookup of the key. */
  begin(): void {
    const { dialect, request } = this.#parts;
    try {
      this.#key = readPresentedKey(dialect.readCredential(request.headers, queryOf(request.url)));
      const { callers } = this.#services;
      const found = callers.find(this.#key.key);
      if (found instanceof Promise) found.then((caller) => this.#identified(caller), this.#refused);
      else this.#identified(found);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #identified(found: Caller | undefined): void {
    if (this.isCallerGone) return;
    const { services, request } = this.#parts;
    const known = { startedMs: this.#startedMs, ask: undefined };
    try {
      // A refusal of a known token names it in the log.
      this.#call = found && { caller: found, pinnedChannel: undefined, ...known };
      const caller = identifyCaller(services, request, found);
      this.#call = { caller, pinnedChannel: readPinnedChannel(this.#key, caller), ...known };
      this.#hops = readHops(request.headers);
      this.body.read(caller.userId);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #received(bytes: Buffer): void {
    try {
      const parsed = parseRequest(this.#services, this.#parts, this, bytes);
      if (parsed instanceof Promise) parsed.then((request) => this.#parsed(request), this.#refused);
      else this.#parsed(parsed);
    } catch (error) {
      this.#refuse(error);
    }
  }

  get userId(): number {
    return this.#call?.caller.userId ?? 0;
  }

  #parsed(parsed: ParsedRequest): void {
    if (this.isCallerGone) return;
    try {
      if (this.#call === undefined) throw new Error("A relayed request was not authenticated.");
      this.#call = { ...this.#call, ask: parsed };
      const { caller, pinnedChannel } = this.#call;
      this.#admission = admitRequest(this.#services, caller, parsed);
      const plan = planRequest(this.#services, caller, pinnedChannel, parsed);
      if (plan instanceof Promise) plan.then((found) => this.#planned(found, parsed, caller), this.#refused);
      else this.#planned(plan, parsed, caller);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #planned(plan: RoutePlan, parsed: ParsedRequest, caller: Caller): void {
    if (this.isCallerGone) return;
    const { requestId } = this.#parts;
    try {
      const prices = plan.routes.map((route) => route.price);
      const reserved = reserve(this.#services, { requestId, caller, ask: parsed, routes: plan.routes, prices });
      if (!(reserved instanceof Promise)) return this.#reserved(plan, parsed, caller, reserved);
      this.#isReserving = true;
      reserved.then(
        (reservation) => this.#reserved(plan, parsed, caller, reservation),
        (error: unknown) => this.#notReserved(error),
      );
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** After an error of the database the reservation may exist. */
  #notReserved(error: unknown): void {
    if (!(error instanceof RelayError)) this.#release();
    this.#refuse(error);
  }

  #reserved(plan: RoutePlan, parsed: ParsedRequest, caller: Caller, reservation: Reservation): void {
    const [services, admission] = [this.#services, this.#admission];
    if (this.isCallerGone || admission === undefined) {
      this.#release();
      return this.#settled();
    }
    const request: ReservedRequest = {
      requestId: this.#parts.requestId,
      caller,
      ask: parsed,
      group: plan.group,
      routes: plan.routes,
      others: plan.others,
      pinned: this.#call?.pinnedChannel !== undefined,
      hops: this.#hops,
      conversation: conversationOf(services, plan, parsed, caller, this.#parts.request.headers),
      reserved: reservation.amount,
      cappedTokens: reservation.cappedTokens,
      most: reservation.most,
      admission,
      at: this.#at,
      startedMs: this.#startedMs,
      attempts: [],
    };
    const attempts = new Attempts(services, request, this);
    this.#served = { request, attempts, reply: new Reply(request, this, services.bodies.begin(request)) };
    this.#isOpen = true;
    // A request for a judgement is not judged before.
    if (caller.moderated && parsed.endpoint !== "moderations") {
      moderatePrompt(services, caller, parsed).then(
        () => attempts.next(),
        (error: unknown) => this.end(error),
      );
    } else attempts.next();
  }

  /** Releases the reservation without a row of the log. */
  #release(): void {
    this.#services.ledger.release({ requestId: this.#parts.requestId });
  }

  /** Created where something waits: most requests never do. */
  get #refused(): (error: unknown) => void {
    return (error) => this.#refuse(error);
  }

  /** Ends a request without a reservation. */
  #refuse(error: unknown): void {
    if (this.#isSettled) return;
    this.refuse(error);
    this.body.discard();
    this.#settled();
  }

  refuse(error: unknown): string {
    return this.isCallerGone ? "" : writeRefusal(this.#parts, this.explain(error));
  }

  explain(error: unknown): RelayError {
    return explainError(this.#services, error, this.#parts.requestId, this.#call);
  }

  get isAwaited(): boolean {
    return this.#isOpen;
  }

  get #serving(): ServedRequest {
    if (this.#served === undefined) throw new Error("A relayed request has no reservation.");
    return this.#served;
  }

  /** Commits the charge of a whole answer, and sends it after that. */
  answered(route: PricedCandidate, answer: UpstreamAnswer): void {
    const { request, attempts } = this.#serving;
    const running = this.#running;
    if (running?.isLeft === true) {
      attempts.releaseMemory();
      if (running.stream instanceof AwaitedAnswer) running.stream.answered(answer.usage);
      return this.#endLingering(running, running.delivered.usage);
    }
    this.#hasAnswer = true;
    const reported = reportedUsage(request, route, answer);
    if (reported !== undefined) return this.#settleAnswer(answer, { usage: reported, rule: "usage", visibleTokens: 0 });
    measureAnswer(this.#services, request, route, answer, () => attempts.askUsage()).then(
      (measured) => this.#settleAnswer(answer, measured),
      (error: unknown) => this.end(error),
    );
  }

  #settleAnswer(answer: UpstreamAnswer, measured: MeasuredAnswer): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    settleAnswer(this.#services, this.#serving, this, answer, measured);
  }

  streamed(route: PricedCandidate, stream: AnswerStream, bytes: Buffer): void {
    const { attempts, reply } = this.#serving;
    const running = this.#runningOf(route, stream);
    if (running.isLeft) return running.readsOn(stream);
    running.notePiece(bytes, this.#services.clock.monotonicMs());
    if (!reply.hasBegun) reply.begin(this.#headOf(stream));
    if (running.goesBeyond(bytes)) return this.#interrupt(running, { kind: "ended", error: limitIgnored() });
    if (!reply.pass(bytes, () => attempts.resume())) attempts.pause();
  }

  /** Commits the charge of a stream, and sends its end after that, together with its last bytes. */
  streamEnded(
    route: PricedCandidate,
    stream: AnswerStream,
    bytes: Buffer | undefined,
    failure: Failure | undefined,
  ): void {
    const { reply } = this.#serving;
    const running = this.#runningOf(route, stream);
    if (running.isLeft) {
      running.readsOn(stream);
      // The report of a stream that failed later may cover its beginning alone.
      return this.#endLingering(running, failure === undefined ? running.delivered.usage : undefined);
    }
    const isBeyond = bytes !== undefined && running.goesBeyond(bytes);
    if (failure === undefined && !isBeyond) return this.#endStream(running, { cut: undefined, last: bytes });
    reply.begin(this.#headOf(stream));
    if (isBeyond || failure === undefined) return this.#interrupt(running, { kind: "ended", error: limitIgnored() });
    if (bytes !== undefined) reply.passLast(bytes);
    this.#interrupt(running, { kind: "failed", failure });
  }

  #runningOf(route: PricedCandidate, stream: AnswerStream): RunningStream {
    const { request, attempts } = this.#serving;
    return (this.#running ??= new RunningStream(request, route, stream, attempts.beganMs));
  }

  #headOf({ contentType }: AnswerStream): ReplyHead {
    return { written: this.#serving.attempts.written, contentType };
  }

  #interrupt(running: RunningStream, cut: Interruption | undefined): void {
    this.#endStream(running, { cut, last: undefined });
  }

  #endStream(running: RunningStream, ending: StreamEnding): void {
    const { request, attempts } = this.#serving;
    const { route, stream } = running;
    const isWhole = ending.cut === undefined;
    if (!isWhole) attempts.abort();
    const known = knownUsage(request, route, stream, isWhole);
    if (known !== undefined) return this.#settleStream(running, known.usage, known.rule, ending);
    const askUsage = isWhole ? () => attempts.askUsage() : undefined;
    measureStream(this.#services, request, route, running.delivered, askUsage).then(
      ({ usage, rule }) => this.#settleStream(running, usage, rule, ending),
      () => this.#settleStream(running, running.usageSoFar(), ruleWithoutReport(isWhole), ending),
    );
  }

  #settleStream(running: RunningStream, usage: Usage, rule: Outcome["rule"], ending: StreamEnding): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    settleStream(this.#services, this.#serving, this, running, usage, rule, ending);
  }

  settled({ end }: Outcome): void {
    // At another end the body may still be on its way to a provider.
    if (end === "complete" && this.#serving.attempts.hasEnded) this.body.discard();
    this.#settled();
  }

  /** Ends the request with an error. A stream that has begun is charged for what was delivered. */
  end(error: unknown): void {
    const running = this.#running;
    if (!this.#isOpen) return;
    const { attempts, reply } = this.#serving;
    if (running?.isLeft === true)
      return error instanceof UpstreamFailedError ? this.#endUnanswered(running) : this.#endLingering(running);
    attempts.abort();
    if (running !== undefined && reply.hasBegun) {
      const told = error instanceof RelayError ? error : this.explain(error);
      return this.#interrupt(running, { kind: "ended", error: told });
    }
    // A refusal has its row in the refusal log.
    if (error instanceof RelayError) {
      this.#isOpen = false;
      reply.finished(false);
      this.#release();
      reply.writeRefusal(error);
      return this.#settled();
    }
    this.#isOpen = false;
    settleFailed(this.#services, this.#serving, this, error);
  }

  #settled(): void {
    this.#isSettled = true;
    this.body.release();
    this.#admission?.settle(0);
    if (this.isCallerGone) this.#leave();
  }

  /** The connection has taken the whole answer, or the caller has disconnected. */
  #closed(): void {
    this.isCallerGone = true;
    const wasSettled = this.#isSettled;
    this.#served?.attempts.releaseMemory();
    if (this.#isOpen) this.#callerLeft();
    // A lingering request retains its body.
    if (!this.#isOpen || this.#running?.isLeft !== true) this.body.release();
    if (wasSettled) this.#leave();
    else if (this.#served === undefined && !this.#isReserving) this.#settled();
  }

  #callerLeft(): void {
    const { request, attempts } = this.#serving;
    const running = this.#running;
    // A whole answer that is being counted is charged.
    if (this.#hasAnswer || running?.isLeft === true) return;
    if (running !== undefined) return this.#abandon(running, { kind: "caller-gone" });
    const begun = attempts.abandonBeforeContent();
    if (begun === undefined || !paysPrompt(request.ask, begun.route.price)) return this.#endUnanswered(undefined);
    this.#abandon(this.#runningOf(begun.route, begun.stream), { kind: "caller-gone" });
  }

  /** Ends a request whose caller is gone and whose answer never began: no charge. */
  #endUnanswered(running: RunningStream | undefined): void {
    running?.stopReading();
    this.#serving.attempts.abort();
    this.#isOpen = false;
    settleUnanswered(this.#services, this.#serving, this);
  }

  /** The caller takes nothing more of the answer. */
  stalled(): void {
    const running = this.#running;
    if (running?.isLeft === true) return;
    if (!this.#isOpen || running === undefined) return void this.response.destroy();
    this.#abandon(running, { kind: "caller-stalled" });
    if (running.isLeft) this.response.destroy();
  }

  drain(): void {
    if (this.#running?.isLeft === true) this.#endLingering(this.#running);
  }

  /** Charges what the caller of a stream received; lingers first where only the provider's report contains its cost. */
  #abandon(running: RunningStream, cut: Interruption): void {
    const { timeouts, inFlight, clock } = this.#services;
    running.notePause(clock.monotonicMs());
    if (timeouts.reportMs === 0 || inFlight.isDraining || !running.needsReport) return this.#interrupt(running, cut);
    running.linger(cut, timeouts.reportMs, () => this.#endLingering(running));
    this.#serving.attempts.resume();
  }

  /** Charges an abandoned stream by its provider's report, or by a count of what was delivered. */
  #endLingering(running: RunningStream, reported?: Usage): void {
    const { request } = this.#serving;
    const cut = running.stopReading();
    if (reported === undefined || !isWholeReport(request.ask, running.route, reported)) this.#interrupt(running, cut);
    else this.#settleStream(running, reported, "partial", { cut, last: undefined });
  }

  get socket(): unknown {
    return this.#parts.request.socket;
  }

  get httpVersion(): string {
    return this.#parts.request.httpVersion;
  }

  halfClosed(): void {
    probeCaller(this);
  }

  get comment(): string | undefined {
    return this.#running === undefined ? undefined : this.#served?.reply.comment;
  }

  get parties(): RequestParties | undefined {
    const call = this.#call;
    if (call?.ask === undefined || this.#isSettled) return undefined;
    const channelId = call.pinnedChannel === undefined ? this.#running?.route.id : undefined;
    return { key: this.#key.key, model: call.ask.model, channelId };
  }

  checkpoint(): Checkpoint | undefined {
    return this.#isOpen ? this.#running?.checkpoint() : undefined;
  }

  /** Sends a comment in a silent stream. Before the first content another candidate may still be tried. */
  keepAlive(nowMs: number): void {
    if (!this.#isOpen || this.isCallerGone || this.writer.stalledMs(nowMs) > 0) return;
    const running = this.#running;
    if (running?.isLeft === true) return;
    const { attempts, reply } = this.#serving;
    if (running === undefined && !attempts.hasOpenStream) return;
    reply.keepAlive(attempts.written, nowMs, running?.lastPieceMs ?? attempts.beganMs);
  }

  endIfStalled(nowMs: number): void {
    if (this.#served === undefined) return;
    if (this.writer.stalledMs(nowMs) >= this.#services.timeouts.callerStallMs) this.stalled();
  }
}
