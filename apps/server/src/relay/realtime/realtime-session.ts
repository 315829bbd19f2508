import { UNKNOWN_FACTS } from "@one-api/contract/logs/alias-facts";
import type {
  RealtimeConfiguration,
  RealtimeEvent,
  RealtimeRequest,
  RealtimeSide,
} from "@one-api/providers/realtime-side";
import { type JsonRecord, parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import { nowSeconds } from "../../platform/clock.ts";
import type { InFlightRequest, RequestParties } from "../in-flight/index.ts";
import { badField, readBody, type RequestBody } from "../body/index.ts";
import { checkModel, explainError, type IdentifiedCall } from "../callers/index.ts";
import { type PricedCandidate, recordFailure } from "../routing/index.ts";
import type { Dialect } from "../dialects/index.ts";
import type { Admission } from "../limits/index.ts";
import { answerForFailure, RelayError } from "../errors/index.ts";
import type { ReservedRequest } from "../charging/index.ts";
import { type Message, MessagePipe, type Forwarded, type SessionEnd } from "./message-pipe.ts";
import { SessionAnswers } from "./session-answers.ts";
import {
  closeEnds,
  closeFrame,
  failureOfEnding,
  nameOfEnding,
  resultOfEnding,
  type SessionEnding,
  toEnding,
} from "./session-close.ts";
import { idle, stopping } from "./session-errors.ts";
import type { Reservation, SessionReservations } from "./session-reservations.ts";
import { SessionPings } from "./session-pings.ts";
import { SessionPrompt } from "./session-prompt.ts";
import { type TranscriptEvent, Transcripts } from "./transcripts.ts";
import { failureOf } from "@one-api/providers/failure";
import type { SessionServices } from "./session-services.ts";

export interface SessionContext {
  readonly services: SessionServices;
  readonly dialect: Dialect;
  readonly side: RealtimeSide;
  readonly caller: SessionEnd;
  readonly provider: SessionEnd;
  readonly route: PricedCandidate;
  /** For the first answer; later ones have their own request id, admission and upper bound. */
  readonly job: ReservedRequest;
  readonly key: string;
  readonly reservations: SessionReservations;
  readonly call: IdentifiedCall;
  readonly early: Readonly<Record<"caller" | "provider", readonly Message[]>>;
  readonly setup?: { readonly message: JsonRecord; readonly mostTokens: number | undefined };
}

/** Header of a short frame, without and with a caller's mask (RFC 6455, 5.2). */
const [FRAME_BYTES, MASKED_FRAME_BYTES] = [2, 6];
const MAX_REFUSALS = 100;
const NO_ATTEMPTS = { attempts: [], trace: undefined };

/** Messages pass untouched, except for the model's name. The end of every answer is withheld until its charge is committed. */
export class RealtimeSession implements InFlightRequest {
  readonly #context: SessionContext;
  readonly #prompt: SessionPrompt;
  readonly #transcripts: Transcripts;
  readonly #fromCaller: MessagePipe;
  readonly #fromProvider: MessagePipe;
  readonly #pings: SessionPings;
  readonly #removeInFlight: () => void;
  readonly #answers: SessionAnswers;
  #model: string | undefined;
  #transcriptionModel = "";
  #mostTokens = Number.POSITIVE_INFINITY;
  #refusals = 0;
  #isDraining: boolean;
  #hasSentGoAway = false;
  #isOver = false;

  constructor(context: SessionContext) {
    const { services, caller, provider } = context;
    this.#context = context;
    this.#prompt = new SessionPrompt(context.reservations.contextTokens);
    this.#transcripts = new Transcripts(context, (reservation, admission, model) =>
      this.#jobOf(reservation, admission, model),
    );
    this.#answers = this.#answersOf(context);
    if (context.setup !== undefined) {
      const { message, mostTokens } = context.setup;
      const bytes = Buffer.byteLength(JSON.stringify(message));
      this.#prompt.add("configure", message, bytes);
      this.#mostTokens = mostTokens ?? this.#mostTokens;
    }
    this.#isDraining = services.inFlight.isDraining;
    const nowMs = () => services.clock.monotonicMs();
    this.#pings = new SessionPings({ caller: caller.socket, provider: provider.socket }, nowMs());
    const common = {
      memory: services.sessionMemory,
      userId: context.job.caller.userId,
      nowMs,
      failed: (error: unknown) => this.#fail(error),
      stalled: () => this.#finish({ kind: "caller-stalled" }),
    };
    const fromCaller = (message: Message) => this.#receiveFromCaller(message);
    const fromProvider = (message: Message) => this.#receiveFromProvider(message);
    this.#fromCaller = new MessagePipe({
      ...common,
      from: caller,
      to: provider,
      controlFrameBytes: MASKED_FRAME_BYTES,
      transform: fromCaller,
    });
    this.#fromProvider = new MessagePipe({
      ...common,
      from: provider,
      to: caller,
      controlFrameBytes: FRAME_BYTES,
      transform: fromProvider,
    });
    this.#removeInFlight = services.inFlight.add(this);
  }

  #answersOf(context: SessionContext): SessionAnswers {
    const isOver = () => this.#isOver;
    return new SessionAnswers(context, {
      prompt: this.#prompt,
      get isOver() {
        return isOver();
      },
      next: () => this.#next(),
      jobOf: (reservation, admission) => this.#jobOf(reservation, admission),
      fail: this.#fail,
      ended: () => this.#afterAnswer(),
    });
  }

  start(): void {
    const { caller, provider } = this.#context;
    caller.socket.on("close", () => this.#finish({ kind: "caller-gone" }));
    provider.socket.on("close", (code, reason) => {
      this.#fromProvider.whenDrained(() => this.#finish(toEnding(code, reason.toString())));
    });
    // The close event follows and reports the failure.
    for (const { socket } of [caller, provider]) socket.on("error", () => undefined);
    this.#pings.start();
    const { early } = this.#context;
    this.#fromCaller.start(early.caller);
    this.#fromProvider.start(early.provider);
    if (this.#isDraining) this.drain();
  }

  get socket(): unknown {
    return this.#context.caller.connection;
  }

  get parties(): RequestParties | undefined {
    const { key, job, route } = this.#context;
    if (this.#isOver) return undefined;
    return { key, model: job.parsed.model, channelId: job.pinned ? undefined : route.id, isStreaming: true };
  }

  checkpoint(): undefined {
    return undefined;
  }

  halfClosed(): void {
    // ws closes half-closed sockets itself.
  }

  end(error: RelayError): void {
    this.#sendGoAway(0);
    this.#finish({ kind: "ended", error });
  }

  drain(): void {
    this.#isDraining = true;
    if (this.#answers.open + this.#transcripts.open.length === 0) this.end(stopping());
    else this.#sendGoAway(this.#context.services.timeouts.drainMs / 1_000);
  }

  endIfStalled(nowMs: number): void {
    const { callerStallMs, idleMs, sessionIdleMs } = this.#context.services.timeouts;
    const isStalled = [this.#fromCaller, this.#fromProvider].some((pipe) => pipe.isStalled(nowMs, callerStallMs));
    if (isStalled) return this.#finish({ kind: "caller-stalled" });
    const idleProviderMs = nowMs - this.#fromProvider.receivedMs;
    if (this.#answers.awaitsProvider && idleProviderMs >= idleMs) {
      return this.#finish({ kind: "failed", failure: failureOf("timeout", 0, "The provider stopped in an answer.") });
    }
    if (Math.min(idleProviderMs, nowMs - this.#fromCaller.receivedMs) >= sessionIdleMs) return this.end(idle());
    const silent = this.#pings.ping(nowMs);
    if (silent === "caller") this.#finish({ kind: "caller-gone" });
    if (silent === "provider") {
      this.#finish({ kind: "failed", failure: failureOf("broken-stream", 0, "The provider is gone.") });
    }
  }

  #next(): { readonly promptTokens: number; readonly completionTokens: number } {
    const { reservations } = this.#context;
    return {
      promptTokens: this.#prompt.most,
      completionTokens: Math.min(reservations.longestAnswer, this.#mostTokens),
    };
  }

  #receiveFromCaller({ bytes }: Message): Forwarded | Promise<Forwarded> {
    try {
      const body = readBody(bytes);
      const request = this.#context.side.readRequest(body.outline);
      const forwarded = this.#admit(request, body);
      if (!(forwarded instanceof Promise)) return this.#admitted(request, body, forwarded);
      return forwarded.then((admitted) => this.#admitted(request, body, admitted), this.#refuseRelayError);
    } catch (error) {
      return this.#refuseRelayError(error);
    }
  }

  readonly #refuseRelayError = (error: unknown): undefined => {
    if (!(error instanceof RelayError)) throw error;
    this.#refuse(error);
  };

  #admitted(request: RealtimeRequest, body: RequestBody, forwarded: Forwarded): Forwarded | Promise<Forwarded> {
    const isReply = request.kind === "reply";
    this.#transcripts.add(this.#prompt.add(request.kind, body.outline, body.bytes.length));
    // The calling answer is settled before its result is forwarded, so that each answer has its own upper bound.
    if (isReply && this.#answers.running > 0)
      return this.#answers.endCalled().then(async () => (await this.#fill(), forwarded));
    const filling = this.#fill();
    return filling === undefined ? forwarded : filling.then(() => forwarded);
  }

  #fill(): Promise<void> | undefined {
    return this.#context.reservations.ensure(this.#answers.needed, this.#next());
  }

  /** Throws or rejects with a RelayError if the event is refused. */
  #admit(request: RealtimeRequest, body: RequestBody): Forwarded | Promise<Forwarded> {
    const { route, side } = this.#context;
    if (request.kind === "refused") throw badField(request.field, request.message);
    if (request.kind === "configure") {
      this.#checkConfiguration(request);
      const isRenamed = request.model !== undefined && request.model !== route.upstreamModel;
      return isRenamed ? JSON.stringify(side.withModel(body.json, route.upstreamModel)) : body.bytes;
    }
    if (request.kind === "start") {
      this.#raiseLimit(request.mostTokens);
      return this.#answers.request()?.then(() => body.bytes) ?? body.bytes;
    }
    return body.bytes;
  }

  #checkConfiguration(requested: Extract<RealtimeRequest, { kind: "configure" }>): void {
    const { job, route } = this.#context;
    const names = [job.parsed.model, route.model, route.upstreamModel];
    if (requested.model !== undefined && !names.includes(requested.model))
      throw badField("session.model", "The model of a session cannot be changed. Open another session.");
    const writer = requested.transcriptionModel ?? "";
    if (writer !== "") checkModel(job.caller, writer);
    this.#raiseLimit(requested.mostTokens);
  }

  /** A larger limit counts from the request on, a smaller one once the provider confirms it. */
  #raiseLimit(tokens: number | undefined): void {
    this.#mostTokens = Math.max(this.#mostTokens, tokens ?? 0);
  }

  #receiveFromProvider({ bytes }: Message): Forwarded | Promise<Forwarded> {
    const events = this.#context.side.readEvents(recordOf(parseJson(bytes.toString())));
    for (const [index, event] of events.entries()) {
      const mayForward = this.#receive(event);
      if (mayForward instanceof Promise) {
        return this.#receiveRest(mayForward, events.slice(index + 1)).then((isForwarded) =>
          isForwarded ? bytes : undefined,
        );
      }
      if (!mayForward) return undefined;
    }
    return bytes;
  }

  async #receiveRest(first: Promise<boolean>, rest: readonly RealtimeEvent[]): Promise<boolean> {
    let mayForward = await first;
    for (const event of rest) mayForward = mayForward && (await this.#receive(event));
    return mayForward;
  }

  /** Resolves with false if the event must not be forwarded. */
  #receive(event: RealtimeEvent): boolean | Promise<boolean> {
    switch (event.kind) {
      case "session":
        return this.#configured(event);
      case "answer-start":
      case "text":
      case "audio":
      case "call":
        return this.#answers.receive(event);
      case "usage":
        this.#answers.report(event);
        return true;
      case "interrupted":
        this.#answers.interrupt(event.answerId);
        return true;
      case "answer-end":
        return this.#answers.end(event);
      case "speech-committed":
        this.#transcripts.commit(event.itemId);
        return true;
      case "transcript":
      case "transcript-end":
        return this.#write(event);
      case "error":
        this.#answers.withdrawRequest();
        return true;
      case "other":
        return true;
    }
  }

  /** False if the provider reports another model than the one charged. */
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

  #jobOf({ requestId, amount, most }: Reservation, admission: Admission, model?: string): ReservedRequest {
    const { services, job } = this.#context;
    const begins = { at: nowSeconds(services.clock), startedMs: services.clock.monotonicMs() };
    const ofModel =
      model === undefined ? {} : { parsed: { ...job.parsed, model }, alias: "", aliasFacts: UNKNOWN_FACTS };
    return { ...job, ...begins, ...ofModel, requestId, reserved: amount, most, admission };
  }

  /** After the end is sent: ensures the next reservation, or ends the session. */
  #afterAnswer(): void {
    setImmediate(() => {
      if (this.#isOver) return;
      if (this.#isDraining) return this.drain();
      this.#context.reservations.ensure(1, this.#next())?.catch((error: unknown) => this.#fail(error));
    });
  }

  async #write(event: TranscriptEvent): Promise<boolean> {
    try {
      await this.#transcripts.write(event, this.#transcriptionModel || this.#context.route.upstreamModel);
      return !this.#isOver;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** Sent once: the caller can open the next session while this one still answers. */
  #sendGoAway(seconds: number): void {
    const { goAway } = this.#context.side;
    if (goAway === undefined || this.#hasSentGoAway || this.#isOver) return;
    this.#hasSentGoAway = true;
    this.#send(JSON.stringify(goAway(seconds)));
  }

  #send(text: string): void {
    const { socket } = this.#context.caller;
    if (socket.readyState === socket.OPEN) socket.send(text);
  }

  #sendError(error: RelayError): void {
    const { dialect, side, job } = this.#context;
    if (side.setup !== undefined) return;
    const body = dialect.writeError(error.forToken(job.caller.customContact, {}), job.requestId);
    this.#send(job.parsed.format.errorEvent(body));
  }

  #refuse(error: RelayError): void {
    this.#refusals += 1;
    if (this.#refusals > MAX_REFUSALS || this.#context.side.setup !== undefined)
      return this.#finish({ kind: "ended", error });
    this.#sendError(error);
  }

  readonly #fail = (error: unknown): void => {
    const { services, dialect, job, call } = this.#context;
    if (this.#isOver) return;
    this.#finish({ kind: "ended", error: explainError(services, error, { ...job, dialect }, call, NO_ATTEMPTS) });
  };

  #finish(ending: SessionEnding): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { services, side, caller, provider, reservations, route } = this.#context;
    this.#fromCaller.stop();
    this.#fromProvider.stop();
    const isInAnswer = this.#answers.running > 0;
    const failure = failureOfEnding(ending, isInAnswer);
    if (failure !== undefined) recordFailure(services, route, failure);
    const error = ending.kind === "ended" ? ending.error : failure && answerForFailure(failure);
    if (error !== undefined) this.#sendError(error);
    const end = { end: nameOfEnding(ending, failure), result: resultOfEnding(ending) };
    const transcripts = this.#transcripts.close().map((answer) => answer.settle({ ...end, usage: undefined }));
    void Promise.all([this.#answers.close(end), ...transcripts]).then(() => this.#removeInFlight());
    reservations.close();
    const isGone = ending.kind === "caller-gone" || ending.kind === "caller-stalled";
    const closing = error === undefined && ending.kind === "closed" ? ending : undefined;
    closeEnds({
      caller,
      provider,
      isGone,
      ...(closing ?? closeFrame(error, this.#isDraining, side.setup !== undefined)),
    });
  }
}
