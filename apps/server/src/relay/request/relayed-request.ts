import type { IncomingHttpHeaders } from "node:http";
import type { CallerResponse } from "@one-api/http1/server/caller-exchange";
import type { Checkpoint } from "@one-api/ledger/ledger";
import type { Failure } from "@one-api/providers/failure";
import type { Usage } from "@one-api/providers/usage";
import { nowSeconds } from "../../platform/clock.ts";
import { IncomingBody, inflateBody, type ParsedRequest } from "../body/index.ts";
import {
  type Caller,
  explainError,
  type IdentifiedCall,
  identifyCaller,
  type PresentedKey,
  readPinnedChannel,
  readPresentedKey,
} from "../callers/index.ts";
import { type Interruption, type Outcome, paysPrompt, type Reservation, reserve } from "../charging/index.ts";
import { type CallPath, type Dialect, queryOf } from "../dialects/index.ts";
import { NotSettledError, RelayError, UpstreamFailedError } from "../errors/index.ts";
import type { InFlightRequest, RequestParties } from "../in-flight/index.ts";
import { moderatePrompt } from "../own-calls/index.ts";
import type { PricedCandidate, RoutePlan } from "../routing/index.ts";
import type { AnswerStream } from "../translate/index.ts";
import { readHops, type UpstreamAnswer } from "../upstream/index.ts";
import { type AttemptEvents, Attempts } from "./attempts.ts";
import {
  type MeasuredAnswer,
  type MeasuredUsage,
  measureAnswer,
  measureStream,
  reportedUsage,
  type StreamMeasuring,
} from "./measure-usage.ts";
import { HeldAdmission } from "./held-admission.ts";
import { parseRequest } from "./parse-request.ts";
import { type PlannedCall, planRequest, type PlannedRequest, withReservation } from "./plan-request.ts";
import { probeCaller } from "./probe-caller.ts";
import { Reply, type ReplyTarget, type StreamEnding } from "./reply.ts";
import { ReplyWriter } from "./reply-writer.ts";
import type { RequestServices } from "./request-services.ts";
import {
  type ServedRequest,
  settleAnswer,
  settleStream,
  type SettlingRequest,
  settleUnanswered,
} from "./settle-reply.ts";
import type { State } from "./states.ts";
import { StreamMeter } from "./stream-meter.ts";
import { type RefusedRequest, writeRefusal } from "./write-refusal.ts";

interface AuthenticatedCall extends IdentifiedCall {
  readonly parsed: ParsedRequest | undefined;
}

export interface RelayedRequestParts extends RefusedRequest {
  readonly services: RequestServices;
  readonly callPath: CallPath;
}

/**
 * A relayed request, from its headers to its settlement: its state and all events; `states.ts` has the table. Promises only for waits: first use of a
 * key, database, moderation, count.
 */
export class RelayedRequest
  implements AttemptEvents, ReplyTarget, PlannedRequest, StreamMeasuring, SettlingRequest, InFlightRequest
{
  readonly response: CallerResponse;
  readonly dialect: Dialect;
  readonly writer: ReplyWriter;
  isCallerGone = false;
  readonly #services: RequestServices;
  readonly #parts: RelayedRequestParts;
  readonly startedMs: number;
  readonly at: number;
  readonly body: IncomingBody;
  readonly #leave: () => void;
  hops = 0;
  #state: State = "authenticating";
  #key: PresentedKey = { key: "", channel: undefined };
  #call: AuthenticatedCall | undefined;
  readonly #admission = new HeldAdmission();
  #served: ServedRequest | undefined;
  #meter: StreamMeter | undefined;
  /** End of the stream that is counted. A count for an older one is void. */
  #ending: StreamEnding | undefined;

  constructor(parts: RelayedRequestParts) {
    this.#parts = parts;
    this.#services = parts.services;
    this.startedMs = this.#services.clock.monotonicMs();
    this.at = nowSeconds(this.#services.clock);
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
    if (this.#state !== "authenticating") return;
    const { services, request } = this.#parts;
    const known = { startedMs: this.startedMs, parsed: undefined };
    try {
      // A refusal of a known token names it in the log.
      this.#call = found && { caller: found, pinnedChannel: undefined, ...known };
      const caller = identifyCaller(services, request, found);
      this.#call = { caller, pinnedChannel: readPinnedChannel(this.#key, caller), ...known };
      this.hops = readHops(request.headers);
      this.#state = "receiving";
      this.body.read(caller.userId);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #received(bytes: Buffer): void {
    try {
      const parsed = parseRequest(this.#services, this.#parts, this.#call, this, bytes);
      if (parsed instanceof Promise) parsed.then((request) => this.#parsed(request), this.#refused);
      else this.#parsed(parsed);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #parsed(parsed: ParsedRequest): void {
    if (this.#state !== "receiving") return;
    this.#state = "planning";
    try {
      if (this.#call === undefined) throw new Error("A relayed request was not authenticated.");
      const call = { ...this.#call, parsed };
      this.#call = call;
      const plan = planRequest(this.#services, call, this.#admission);
      if (plan instanceof Promise) plan.then((found) => this.#planned(found, call), this.#refused);
      else this.#planned(plan, call);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #planned(plan: RoutePlan, call: PlannedCall): void {
    if (this.#state !== "planning") return;
    this.#state = "reserving";
    const { requestId } = this;
    const { caller, parsed } = call;
    try {
      const prices = plan.routes.map((route) => route.price);
      const reserved = reserve(this.#services, { requestId, caller, parsed, routes: plan.routes, prices });
      if (!(reserved instanceof Promise)) return this.#reserved(plan, call, reserved);
      reserved.then(
        (reservation) => this.#reserved(plan, call, reservation),
        (error: unknown) => this.#notReserved(error),
      );
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** After an error of the database the reservation may exist. */
  #notReserved(error: unknown): void {
    if (!(error instanceof RelayError)) this.#services.ledger.release(this);
    this.#refuse(error);
  }

  #reserved(plan: RoutePlan, call: PlannedCall, reservation: Reservation): void {
    const services = this.#services;
    if (this.isCallerGone) {
      this.#services.ledger.release(this);
      return this.#finish();
    }
    const request = withReservation(services, this, plan, call, this.#admission.admission, reservation);
    const attempts = new Attempts(services, request, this);
    this.#served = { request, attempts, reply: new Reply(request, this, services.bodies.begin(request)) };
    this.#state = "trying";
    // A request for a judgement is not judged before.
    if (call.caller.moderated && call.parsed.endpoint !== "moderations") {
      moderatePrompt(services, call.caller, call.parsed).then(
        () => attempts.next(),
        (error: unknown) => this.end(error),
      );
    } else attempts.next();
  }

  /** Created where something waits: most requests never do. */
  get #refused(): (error: unknown) => void {
    return (error) => this.#refuse(error);
  }

  #refuse(error: unknown): void {
    if (this.#served !== undefined || this.#state === "sending" || this.#state === "done") return;
    this.refuse(error);
    this.body.discard();
    this.#finish();
  }

  refuse(error: unknown): string {
    return this.isCallerGone ? "" : writeRefusal(this.#parts, this.explain(error));
  }

  explain(error: unknown): RelayError {
    return explainError(this.#services, error, this, this.#call, this.#served?.request);
  }

  get isAwaited(): boolean {
    return this.#state === "trying" || this.#state === "streaming" || this.#state === "lingering";
  }

  get #serving(): ServedRequest {
    if (this.#served === undefined) throw new Error("A relayed request has no reservation.");
    return this.#served;
  }

  answered(route: PricedCandidate, answer: UpstreamAnswer): void {
    const { request, attempts } = this.#serving;
    if (this.#state === "lingering" && this.#meter !== undefined) {
      attempts.releaseMemory();
      return this.#endLingering(this.#meter, this.#meter.followWhole(answer));
    }
    const reported = reportedUsage(request, route, answer);
    if (reported !== undefined) return this.#settleAnswer(answer, { usage: reported, rule: "usage", visibleTokens: 0 });
    this.#state = "counting";
    measureAnswer(this.#services, request, route, answer, attempts).then(
      (measured) => {
        if (this.#state === "counting") this.#settleAnswer(answer, measured);
      },
      (error: unknown) => this.end(error),
    );
  }

  #settleAnswer(answer: UpstreamAnswer, measured: MeasuredAnswer): void {
    this.#state = "settling";
    settleAnswer(this.#services, this.#serving, this, answer, measured);
  }

  streamed(route: PricedCandidate, stream: AnswerStream, bytes: Buffer): void {
    const { attempts, reply } = this.#serving;
    const meter = this.#meterOf(route, stream);
    if (this.#state === "lingering") return meter.follow(stream);
    meter.recordPiece(bytes, this.#services.clock.monotonicMs());
    if (this.#state === "trying")
      reply.begin({ written: attempts.written, model: attempts.route?.model, contentType: stream.contentType });
    this.#state = "streaming";
    const cut = meter.interruptionAt(bytes, undefined);
    if (cut !== undefined) return this.#interrupt(meter, cut);
    if (!reply.pass(bytes, () => attempts.resume())) attempts.pause();
  }

  streamEnded(
    route: PricedCandidate,
    stream: AnswerStream,
    bytes: Buffer | undefined,
    failure: Failure | undefined,
  ): void {
    const { attempts, reply } = this.#serving;
    const meter = this.#meterOf(route, stream);
    if (this.#state === "lingering") {
      meter.follow(stream);
      // The report of a stream that failed later may cover its beginning alone.
      return this.#endLingering(meter, failure === undefined ? meter.wholeReport : undefined);
    }
    const cut = meter.interruptionAt(bytes, failure);
    if (cut === undefined) return this.#endStream(meter, { cut, last: bytes });
    reply.begin({ written: attempts.written, model: attempts.route?.model, contentType: stream.contentType });
    if (cut.kind === "failed" && bytes !== undefined) reply.passLast(bytes);
    this.#interrupt(meter, cut);
  }

  #meterOf(route: PricedCandidate, stream: AnswerStream): StreamMeter {
    const { request, attempts } = this.#serving;
    return (this.#meter ??= new StreamMeter(request, route, stream, attempts.beganMs));
  }

  #interrupt(meter: StreamMeter, cut: Interruption | undefined): void {
    this.#endStream(meter, { cut, last: undefined });
  }

  #endStream(meter: StreamMeter, ending: StreamEnding): void {
    const { request, attempts } = this.#serving;
    if (ending.cut !== undefined) attempts.abort();
    this.#state = "counting";
    this.#ending = ending;
    measureStream(this.#services, request, attempts, meter, ending, this);
  }

  streamMeasured(meter: StreamMeter, measured: MeasuredUsage, ending: StreamEnding): void {
    if (this.#state === "counting" && this.#ending === ending) this.#settleStream(meter, measured, ending);
  }

  #settleStream(meter: StreamMeter, measured: MeasuredUsage, ending: StreamEnding): void {
    this.#state = "settling";
    settleStream(this.#services, this.#serving, this, meter, measured, ending);
  }

  settled({ end }: Outcome): void {
    // At another end the body may still be on its way to a provider.
    if (end === "complete" && this.#serving.attempts.hasEnded) this.body.discard();
    this.#finish();
  }

  /** Ends the request with an error. A started stream is charged for its delivered part. */
  end(error: unknown): void {
    const { isAwaited } = this;
    if (!isAwaited && (this.#state !== "counting" || this.#isAbandoned)) return;
    const { attempts, reply } = this.#serving;
    const meter = this.#meter;
    if (this.#state === "lingering" && meter !== undefined)
      return error instanceof UpstreamFailedError ? this.#endUnanswered() : this.#endLingering(meter);
    attempts.abort();
    if (meter !== undefined && reply.hasBegun)
      return this.#interrupt(meter, {
        kind: "ended",
        error: error instanceof RelayError ? error : this.explain(error),
      });
    if (!(error instanceof RelayError)) {
      this.#state = "settling";
      return settleUnanswered(this.#services, this.#serving, this, error);
    }
    // A refusal has its row in the refusal log.
    reply.finished(false);
    this.#services.ledger.release(this);
    reply.writeRefusal(error);
    this.#finish();
  }

  /** Releases everything, and awaits the caller; it is done without one. */
  #finish(): void {
    this.body.release();
    this.#admission.release();
    this.#state = "sending";
    if (!this.isCallerGone) return;
    this.#state = "done";
    this.#leave();
  }

  /** The connection has taken the whole answer, or the caller has disconnected. */
  #closed(): void {
    this.isCallerGone = true;
    this.#served?.attempts.releaseMemory();
    switch (this.#state) {
      case "authenticating":
      case "receiving":
      case "planning":
        return this.#finish();
      case "trying":
        this.#leaveUnanswered();
        break;
      case "streaming":
      case "counting":
        this.#abandon({ kind: "caller-gone" });
        break;
      case "sending":
        return this.#finish();
      default:
    }
    // The report of a request that lingers may refer to its body.
    if (this.#state !== "lingering") this.body.release();
  }

  #leaveUnanswered(): void {
    const { request, attempts } = this.#serving;
    const begun = attempts.abandonBeforeContent();
    if (begun === undefined || !paysPrompt(request.parsed, begun.route.price)) return this.#endUnanswered();
    this.#meterOf(begun.route, begun.stream);
    this.#abandon({ kind: "caller-gone" });
  }

  /** Ends a request whose caller is gone and whose answer never began: no charge. */
  #endUnanswered(): void {
    this.#meter?.stopLingering();
    this.#serving.attempts.abort();
    this.#state = "settling";
    settleUnanswered(this.#services, this.#serving, this);
  }

  stalled(): void {
    if (this.#state === "lingering") return;
    const isMeasured = this.#state === "streaming" || this.#state === "counting";
    if (!isMeasured || this.#meter === undefined) return void this.response.destroy();
    this.#abandon({ kind: "caller-stalled" });
  }

  drain(): void {
    if (this.#state === "lingering" && this.#meter !== undefined) this.#endLingering(this.#meter);
  }

  endFenced(): void {
    if (!this.isAwaited && this.#state !== "counting") return;
    const { attempts, reply } = this.#serving;
    const [meter, isAbandoned] = [this.#meter, this.#state === "lingering" || this.#isAbandoned];
    meter?.stopLingering();
    attempts.abort();
    const error = new NotSettledError("The server was declared dead.", false);
    if (meter === undefined) reply.refuse(error);
    else if (!isAbandoned) reply.endUnbooked(meter.stream, { cut: undefined, last: undefined }, error);
    // Only a stream has a checkpoint that another server charges.
    reply.finished(meter !== undefined);
    this.#finish();
  }

  /** The caller has disconnected or receives nothing more, and the outcome has it already. */
  get #isAbandoned(): boolean {
    const kind = this.#ending?.cut?.kind;
    return kind === "caller-gone" || kind === "caller-stalled";
  }

  /** Charges what the caller of a stream received; lingers first where only the provider's report contains its cost. */
  #abandon(cut: Interruption): void {
    const meter = this.#meter;
    // A whole answer that is being counted is charged.
    if (meter === undefined || this.#isAbandoned) return;
    const { timeouts, inFlight, clock } = this.#services;
    meter.recordPause(clock.monotonicMs());
    const mayReport = this.#state !== "counting" && timeouts.reportMs > 0 && !inFlight.isDraining;
    if (!mayReport || !meter.needsReport) return this.#interrupt(meter, cut);
    this.#state = "lingering";
    if (cut.kind === "caller-stalled") this.response.destroy();
    meter.linger(cut, timeouts.reportMs, () => this.#endLingering(meter));
    this.#serving.attempts.resume();
  }

  /** Charges a lingering stream by its provider's report, or by a count of the delivered part. */
  #endLingering(meter: StreamMeter, reported?: Usage): void {
    const cut = meter.stopLingering();
    if (reported === undefined) this.#interrupt(meter, cut);
    else this.#settleStream(meter, { usage: reported, rule: "partial" }, { cut, last: undefined });
  }

  get requestId(): string {
    return this.#parts.requestId;
  }

  get headers(): IncomingHttpHeaders {
    return this.#parts.request.headers;
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
    return this.#meter === undefined ? undefined : this.#served?.reply.comment;
  }

  get parties(): RequestParties | undefined {
    const call = this.#call;
    if (call?.parsed === undefined || this.#state === "sending" || this.#state === "done") return undefined;
    const channelId = call.pinnedChannel === undefined ? this.#meter?.route.id : undefined;
    return { key: this.#key.key, model: call.parsed.model, channelId, isStreaming: this.#meter !== undefined };
  }

  checkpoint(): Checkpoint | undefined {
    const isOpen = this.#state === "streaming" || this.#state === "lingering" || this.#state === "counting";
    return isOpen ? this.#meter?.checkpoint() : undefined;
  }

  keepAlive(nowMs: number): void {
    const isOpen = this.#state === "trying" || this.#state === "streaming" || this.#state === "counting";
    if (!isOpen || this.isCallerGone || this.writer.stalledMs(nowMs) > 0) return;
    const { attempts, reply } = this.#serving;
    if (this.#meter === undefined && !attempts.hasOpenStream) return;
    reply.keepAlive(attempts.written, nowMs, this.#meter?.lastPieceMs ?? attempts.beganMs);
  }

  endIfStalled(nowMs: number): void {
    if (this.#served === undefined) return;
    if (this.writer.stalledMs(nowMs) >= this.#services.timeouts.callerStallMs) this.stalled();
  }
}
