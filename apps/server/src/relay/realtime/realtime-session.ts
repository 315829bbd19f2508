import type { RealtimeConfiguration, RealtimeEvent, RealtimeRequest, RealtimeSide } from "@one-api/providers/format";
import { type JsonRecord, parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import { nowSeconds } from "../../platform/clock.ts";
import type { InFlightRequest, RequestParties } from "../in-flight/index.ts";
import { badField, readBody, type RequestBody } from "../body/index.ts";
import { type Admission, checkModel, explainError, type IdentifiedCall } from "../callers/index.ts";
import { type PricedCandidate, recordFailure } from "../routing/index.ts";
import type { Dialect } from "../dialects/index.ts";
import { answerForFailure, RelayError } from "../errors/index.ts";
import type { ReservedRequest } from "../charging/index.ts";
import { type Message, MessagePipe, type Passed, type SessionEnd } from "./message-pipe.ts";
import { SessionAnswers } from "./session-answers.ts";
import {
  closeEnds,
  closeFrame,
  failureOfCut,
  nameOfCut,
  resultOfCut,
  type SessionCut,
  toCut,
} from "./session-close.ts";
import { idle, stopping } from "./session-errors.ts";
import type { Hold, SessionReservations } from "./session-reservations.ts";
import { SessionPings } from "./session-pings.ts";
import { SessionPrompt } from "./session-prompt.ts";
import { type TranscriptEvent, Transcripts } from "./transcripts.ts";
import { failureOf } from "@one-api/providers/failure";
import type { SessionServices } from "./session-services.ts";

/** A session that was let in, whose provider has opened it too. */
export interface SessionParts {
  readonly services: SessionServices;
  readonly dialect: Dialect;
  readonly side: RealtimeSide;
  readonly caller: SessionEnd;
  readonly provider: SessionEnd;
  readonly route: PricedCandidate;
  /** As of the first answer; others have a request id, an admission and a bound of their own. */
  readonly job: ReservedRequest;
  /** As it was presented. */
  readonly key: string;
  readonly holds: SessionReservations;
  readonly call: IdentifiedCall;
  /** What each side has sent already. */
  readonly early: Readonly<Record<"caller" | "provider", readonly Message[]>>;
  /** What the caller has set the session up with; absent where the address says all. */
  readonly setup?: { readonly message: JsonRecord; readonly mostTokens: number | undefined };
}

/** Of a short frame, what stands before its payload, in bytes, and the same with the mask of a caller's (RFC 6455, 5.2). */
const [FRAME_BYTES, MASKED_FRAME_BYTES] = [2, 6];
/** Events of one caller that are refused before its session ends. */
const MOST_REFUSALS = 100;

/**
 * One session, from both sides' sockets to the booking of its last answer. Messages pass untouched, but for the model's name where the channel has
 * another one; the end of every answer is withheld until its charge is committed.
 */
export class RealtimeSession implements InFlightRequest {
  readonly #parts: SessionParts;
  readonly #prompt: SessionPrompt;
  readonly #transcripts: Transcripts;
  readonly #fromCaller: MessagePipe;
  readonly #fromProvider: MessagePipe;
  readonly #pings: SessionPings;
  readonly #leave: () => void;
  readonly #answers: SessionAnswers;
  #model: string | undefined;
  #transcriptionModel = "";
  #mostTokens = Number.POSITIVE_INFINITY;
  #refusals = 0;
  #isDraining: boolean;
  #hasSaidGoAway = false;
  #isOver = false;

  constructor(parts: SessionParts) {
    const { services, caller, provider } = parts;
    this.#parts = parts;
    this.#prompt = new SessionPrompt(parts.holds.contextTokens);
    this.#transcripts = new Transcripts(parts, (hold, admission, model) => this.#jobOf(hold, admission, model));
    this.#answers = this.#answersOf(parts);
    if (parts.setup !== undefined) {
      const { message, mostTokens } = parts.setup;
      const bytes = Buffer.byteLength(JSON.stringify(message));
      this.#prompt.add("configure", message, bytes);
      this.#mostTokens = mostTokens ?? this.#mostTokens;
    }
    this.#isDraining = services.inFlight.isDraining;
    const nowMs = () => services.clock.monotonicMs();
    this.#pings = new SessionPings({ caller: caller.socket, provider: provider.socket }, nowMs());
    const common = {
      room: services.sessionMemory,
      userId: parts.job.caller.userId,
      nowMs,
      failed: (error: unknown) => this.#fail(error),
      stalled: () => this.#finish({ kind: "caller-stalled" }),
    };
    const fromCaller = (message: Message) => this.#heardCaller(message);
    const fromProvider = (message: Message) => this.#heardProvider(message);
    this.#fromCaller = new MessagePipe({
      ...common,
      from: caller,
      to: provider,
      controlFrameBytes: MASKED_FRAME_BYTES,
      look: fromCaller,
    });
    this.#fromProvider = new MessagePipe({
      ...common,
      from: provider,
      to: caller,
      controlFrameBytes: FRAME_BYTES,
      look: fromProvider,
    });
    this.#leave = services.inFlight.add(this);
  }

  #answersOf(parts: SessionParts): SessionAnswers {
    const isOver = () => this.#isOver;
    return new SessionAnswers(parts, {
      prompt: this.#prompt,
      get isOver() {
        return isOver();
      },
      next: () => this.#next(),
      jobOf: (hold, admission) => this.#jobOf(hold, admission),
      fail: this.#fail,
      ended: () => this.#afterAnswer(),
    });
  }

  /** Lets messages pass. */
  start(): void {
    const { caller, provider } = this.#parts;
    caller.socket.on("close", () => this.#finish({ kind: "caller-gone" }));
    provider.socket.on("close", (code, reason) => {
      this.#fromProvider.whenDrained(() => this.#finish(toCut(code, reason.toString())));
    });
    // What is wrong with a connection is told by its end, which follows.
    for (const { socket } of [caller, provider]) socket.on("error", () => undefined);
    this.#pings.start();
    const { early } = this.#parts;
    this.#fromCaller.start(early.caller);
    this.#fromProvider.start(early.provider);
    if (this.#isDraining) this.drain();
  }

  get socket(): unknown {
    return this.#parts.caller.connection;
  }

  get parties(): RequestParties | undefined {
    const { key, job, route } = this.#parts;
    return this.#isOver ? undefined : { key, model: job.ask.model, channelId: job.pinned ? undefined : route.id };
  }

  /** Its answers have checkpoints of their own. */
  checkpoint(): undefined {
    return undefined;
  }

  halfClosed(): void {
    // A WebSocket that is half closed closes by itself.
  }

  end(error: RelayError): void {
    this.#sayGoAway(0);
    this.#finish({ kind: "ended", error });
  }

  drain(): void {
    this.#isDraining = true;
    if (this.#answers.open + this.#transcripts.open.length === 0) this.end(stopping());
    else this.#sayGoAway(this.#parts.services.timeouts.drainMs / 1_000);
  }

  endIfStalled(nowMs: number): void {
    const { callerStallMs, idleMs, sessionIdleMs } = this.#parts.services.timeouts;
    const isStalled = [this.#fromCaller, this.#fromProvider].some((pipe) => pipe.isStalled(nowMs, callerStallMs));
    if (isStalled) return this.#finish({ kind: "caller-stalled" });
    const silentMs = nowMs - this.#fromProvider.heardMs;
    if (this.#answers.awaitsProvider && silentMs >= idleMs) {
      return this.#finish({ kind: "failed", failure: failureOf("timeout", 0, "The provider stopped in an answer.") });
    }
    if (Math.min(silentMs, nowMs - this.#fromCaller.heardMs) >= sessionIdleMs) return this.end(idle());
    const silent = this.#pings.ping(nowMs);
    if (silent === "caller") this.#finish({ kind: "caller-gone" });
    if (silent === "provider") {
      this.#finish({ kind: "failed", failure: failureOf("broken-stream", 0, "The provider is gone.") });
    }
  }

  /** What the longest next answer can use. */
  #next(): { readonly promptTokens: number; readonly completionTokens: number } {
    const { holds } = this.#parts;
    return {
      promptTokens: this.#prompt.most,
      completionTokens: Math.min(holds.longestAnswer, this.#mostTokens),
    };
  }

  #heardCaller({ bytes }: Message): Passed | Promise<Passed> {
    let passed: Passed;
    let isReply: boolean;
    try {
      const body = readBody(bytes);
      const request = this.#parts.side.readRequest(body.outline);
      passed = this.#admit(request, body);
      isReply = request.kind === "reply";
      this.#transcripts.add(this.#prompt.add(request.kind, body.outline, bytes.length));
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      this.#refuse(error);
      return undefined;
    }
    // What called is booked before it hears, so that each answer has a bound of its own.
    if (isReply && this.#answers.running > 0)
      return this.#answers.endCalled().then(async () => (await this.#fill(), passed));
    const filling = this.#fill();
    return filling === undefined ? passed : filling.then(() => passed);
  }

  /** Sees to it that enough is set aside; undefined where it is. */
  #fill(): Promise<void> | undefined {
    return this.#parts.holds.ensure(this.#answers.needed, this.#next());
  }

  /** What is sent on of a caller's event. Throws a RelayError for what is not. */
  #admit(request: RealtimeRequest, body: RequestBody): Passed {
    const { route, side } = this.#parts;
    if (request.kind === "refused") throw badField(request.field, request.message);
    if (request.kind === "configure") {
      this.#checkConfiguration(request);
      const isRenamed = request.model !== undefined && request.model !== route.upstreamModel;
      return isRenamed ? JSON.stringify(side.withModel(body.json, route.upstreamModel)) : body.bytes;
    }
    if (request.kind === "start") {
      this.#raiseLimit(request.mostTokens);
      this.#answers.ask();
    }
    return body.bytes;
  }

  #checkConfiguration(asked: Extract<RealtimeRequest, { kind: "configure" }>): void {
    const { job, route } = this.#parts;
    if (asked.model !== undefined && asked.model !== job.ask.model && asked.model !== route.upstreamModel)
      throw badField("session.model", "The model of a session cannot be changed. Open another session.");
    const writer = asked.transcriptionModel ?? "";
    if (writer !== "") checkModel(job.caller, writer);
    this.#raiseLimit(asked.mostTokens);
  }

  /** A larger limit counts from when it is asked for, a smaller one once the provider keeps to it. */
  #raiseLimit(tokens: number | undefined): void {
    this.#mostTokens = Math.max(this.#mostTokens, tokens ?? 0);
  }

  #heardProvider({ bytes }: Message): Passed | Promise<Passed> {
    const events = this.#parts.side.readEvents(recordOf(parseJson(bytes.toString())));
    for (const [index, event] of events.entries()) {
      const passes = this.#hear(event);
      if (passes instanceof Promise) {
        return this.#hearRest(passes, events.slice(index + 1)).then((isLeft) => (isLeft ? bytes : undefined));
      }
      if (!passes) return undefined;
    }
    return bytes;
  }

  async #hearRest(first: Promise<boolean>, rest: readonly RealtimeEvent[]): Promise<boolean> {
    let passes = await first;
    for (const event of rest) passes = passes && (await this.#hear(event));
    return passes;
  }

  /** False, or a promise of it, for what must not be passed on. */
  #hear(event: RealtimeEvent): boolean | Promise<boolean> {
    switch (event.kind) {
      case "session":
        return this.#configured(event);
      case "answer-start":
      case "text":
      case "audio":
      case "call":
        return this.#answers.hear(event);
      case "usage":
        this.#answers.report(event);
        return true;
      case "interrupted":
        this.#answers.interrupt(event.answerId);
        return true;
      case "answer-end":
        return this.#answers.end(event);
      case "heard":
        this.#transcripts.heard(event.itemId);
        return true;
      case "transcript":
      case "transcript-end":
        return this.#write(event);
      case "error":
        this.#answers.unask();
        return true;
      case "other":
        return true;
    }
  }

  /** False where the provider says that the session is another one than is charged. */
  #configured({ model, transcriptionModel, bytesPerSecond, mostTokens }: RealtimeConfiguration): boolean {
    if (this.#model !== undefined && model !== undefined && model !== this.#model) {
      const message = "The provider has changed the model of the session.";
      this.#finish({ kind: "failed", failure: failureOf("bad-answer", 0, message) });
      return false;
    }
    this.#model ??= model;
    this.#transcriptionModel = transcriptionModel ?? this.#transcriptionModel;
    this.#answers.bytesPerSecond = bytesPerSecond ?? this.#answers.bytesPerSecond;
    this.#mostTokens = mostTokens ?? this.#mostTokens;
    return true;
  }

  #jobOf({ requestId, amount, most }: Hold, admission: Admission, model?: string): ReservedRequest {
    const { services, job } = this.#parts;
    const begins = { at: nowSeconds(services.clock), startedMs: services.clock.monotonicMs() };
    const ask = model === undefined ? job.ask : { ...job.ask, model };
    return { ...job, ...begins, ask, requestId, reserved: amount, most, admission };
  }

  /** The end of the answer leaves first; then there is enough for the next one, or the session ends. */
  #afterAnswer(): void {
    setImmediate(() => {
      if (this.#isOver) return;
      if (this.#isDraining) return this.drain();
      this.#parts.holds.ensure(1, this.#next())?.catch((error: unknown) => this.#fail(error));
    });
  }

  /** Resolves with false where what was written down must not be passed on, and the session is over. */
  async #write(event: TranscriptEvent): Promise<boolean> {
    try {
      await this.#transcripts.write(event, this.#transcriptionModel || this.#parts.route.upstreamModel);
      return !this.#isOver;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** Once: whoever is told can open the next session while this one still answers. */
  #sayGoAway(seconds: number): void {
    const { goAway } = this.#parts.side;
    if (goAway === undefined || this.#hasSaidGoAway || this.#isOver) return;
    this.#hasSaidGoAway = true;
    this.#send(JSON.stringify(goAway(seconds)));
  }

  #send(text: string): void {
    const { socket } = this.#parts.caller;
    if (socket.readyState === socket.OPEN) socket.send(text);
  }

  #tell(error: RelayError): void {
    const { dialect, side, job } = this.#parts;
    if (side.setup !== undefined) return;
    const told = dialect.writeError(error.forToken(job.caller.customContact, {}), job.requestId);
    this.#send(job.ask.format.errorEvent(told));
  }

  /** An event of the caller is not sent on; whoever goes on so for long must go. */
  #refuse(error: RelayError): void {
    this.#refusals += 1;
    if (this.#refusals > MOST_REFUSALS || this.#parts.side.setup !== undefined)
      return this.#finish({ kind: "ended", error });
    this.#tell(error);
  }

  readonly #fail = (error: unknown): void => {
    const { services, job, call } = this.#parts;
    if (this.#isOver) return;
    this.#finish({ kind: "ended", error: explainError(services, error, job.requestId, call) });
  };

  /** Ends the session, once: what was delivered is charged, everything else is given back. */
  #finish(cut: SessionCut): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { services, side, caller, provider, holds, route } = this.#parts;
    this.#fromCaller.stop();
    this.#fromProvider.stop();
    const isInAnswer = this.#answers.running > 0;
    const failure = failureOfCut(cut, isInAnswer);
    if (failure !== undefined) recordFailure(services, route, failure);
    const error = cut.kind === "ended" ? cut.error : failure && answerForFailure(failure);
    if (error !== undefined) this.#tell(error);
    const end = { end: nameOfCut(cut, failure), result: resultOfCut(cut) };
    const transcripts = this.#transcripts.close().map((answer) => answer.settle({ ...end, usage: undefined }));
    void Promise.all([this.#answers.close(end), ...transcripts]).then(() => this.#leave());
    holds.close();
    const isGone = cut.kind === "caller-gone" || cut.kind === "caller-stalled";
    const own = error === undefined && cut.kind === "closed" ? cut : undefined;
    closeEnds({ caller, provider, isGone, ...(own ?? closeFrame(error, this.#isDraining, side.setup !== undefined)) });
  }
}
