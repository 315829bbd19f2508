import type { RealtimeConfiguration, RealtimeEvent, RealtimeRequest, RealtimeSide } from "@one-api/providers/format";
import { parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import { nowSeconds } from "../../core/clock.ts";
import type { ActiveRelay, RelayParties } from "../active-relays.ts";
import { answerError, type KnownCall } from "../answer-error.ts";
import { badField, readBody, type RelayBody } from "../body/read-ask.ts";
import type { Admission } from "../callers/token-limiter.ts";
import { noteFailure, noteSuccess } from "../channels/note-outcome.ts";
import type { PricedRoute } from "../channels/route-plans.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { ownAsk } from "../dialects/openai.ts";
import type { RelayDependencies } from "../relay-dependencies.ts";
import { RelayError } from "../relay-error.ts";
import type { RelayJob } from "../relay-job.ts";
import { modelNotAllowed } from "../relay-request.ts";
import { answerForFailure, failureOf } from "../upstream/failure-answer.ts";
import { type Message, MessagePipe, type Passed, type SessionEnd } from "./message-pipe.ts";
import { SessionAnswer } from "./session-answer.ts";
import {
  closeEnds,
  codeOfError,
  failureOfCut,
  nameOfCut,
  resultOfCut,
  type SessionCut,
  toCut,
} from "./session-close.ts";
import type { Hold, SessionHolds } from "./session-holds.ts";
import { SessionPings } from "./session-pings.ts";
import { SessionPrompt } from "./session-prompt.ts";
import { type TranscriptEvent, Transcripts } from "./transcripts.ts";

/** A session that was let in, whose provider has opened it too. */
export interface SessionParts {
  readonly deps: RelayDependencies;
  readonly dialect: Dialect;
  readonly side: RealtimeSide;
  readonly caller: SessionEnd;
  readonly provider: SessionEnd;
  readonly route: PricedRoute;
  /** As of the first answer; others have a request id, an admission and a bound of their own. */
  readonly job: RelayJob;
  /** As it was presented. */
  readonly key: string;
  readonly holds: SessionHolds;
  readonly call: KnownCall;
}

/** An answer under way, and how long the conversation was when it began. */
interface Running {
  readonly answer: SessionAnswer;
  readonly before: ReturnType<SessionPrompt["mark"]>;
}

/** Answers of one session at once at the most, those that are asked for and have not begun among them. */
const MOST_ANSWERS = 16;
/** Events of one caller that are refused before its session ends. */
const MOST_REFUSALS = 100;

/**
 * One session, from both sides' sockets to the booking of its last answer. Messages pass untouched, but for the model's name where the channel has
 * another one; the end of every answer is withheld until its charge is committed.
 */
export class RealtimeSession implements ActiveRelay {
  readonly #parts: SessionParts;
  readonly #prompt: SessionPrompt;
  readonly #transcripts: Transcripts;
  readonly #fromCaller: MessagePipe;
  readonly #fromProvider: MessagePipe;
  readonly #pings: SessionPings;
  readonly #leave: () => void;
  /** By the provider's ids. */
  readonly #running = new Map<string, Running>();
  /** Asked for, and not begun. */
  readonly #asked: Admission[] = [];
  /** Of the call itself, for the first answer. */
  #firstAdmission: Admission | undefined;
  #model: string | undefined;
  #transcriptionModel = "";
  #bytesPerSecond = 48_000;
  #mostTokens = Number.POSITIVE_INFINITY;
  #refusals = 0;
  #isDraining: boolean;
  #isOver = false;

  constructor(parts: SessionParts) {
    const { deps, caller, provider } = parts;
    this.#parts = parts;
    this.#prompt = new SessionPrompt(parts.holds.contextTokens);
    this.#transcripts = new Transcripts(parts, (hold, admission, model) => this.#jobOf(hold, admission, model));
    this.#firstAdmission = parts.job.admission;
    this.#isDraining = deps.active.isDraining;
    const nowMs = () => deps.clock.monotonicMs();
    this.#pings = new SessionPings({ caller: caller.socket, provider: provider.socket }, nowMs());
    const common = { room: deps.sessionRoom, nowMs, failed: (error: unknown) => this.#fail(error) };
    const fromCaller = (message: Message) => this.#heardCaller(message);
    const fromProvider = (message: Message) => this.#heardProvider(message);
    this.#fromCaller = new MessagePipe({ ...common, from: caller, to: provider, look: fromCaller });
    this.#fromProvider = new MessagePipe({ ...common, from: provider, to: caller, look: fromProvider });
    this.#leave = deps.active.add(this);
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
    this.#fromCaller.start();
    this.#fromProvider.start();
    if (this.#isDraining) this.drain();
  }

  get socket(): unknown {
    return this.#parts.caller.connection;
  }

  get parties(): RelayParties | undefined {
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
    this.#finish({ kind: "ended", error });
  }

  drain(): void {
    this.#isDraining = true;
    if (this.#running.size + this.#asked.length + this.#transcripts.open.length === 0) this.end(stopping());
  }

  cutIfStalled(nowMs: number): void {
    const { callerStallMs, idleMs, sessionIdleMs } = this.#parts.deps.timeouts;
    const isStalled = [this.#fromCaller, this.#fromProvider].some((pipe) => pipe.isStalled(nowMs, callerStallMs));
    if (isStalled) return this.#finish({ kind: "caller-stalled" });
    const silentMs = nowMs - this.#fromProvider.heardMs;
    if (this.#running.size > 0 && silentMs >= idleMs) {
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
    const { side, holds } = this.#parts;
    let passed: Passed;
    try {
      const body = readBody(bytes);
      const request = side.readRequest(body.outline);
      passed = this.#admit(request, body);
      const said = this.#prompt.add(request, body.outline, bytes.length);
      this.#transcripts.add(said);
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      this.#refuse(error);
      return undefined;
    }
    // While an answer is under way, what only listens for the next one may wait for its end.
    const needed = Math.max(this.#asked.length, this.#running.size > 0 ? 0 : 1);
    const filling = holds.ensure(needed, this.#next());
    return filling === undefined ? passed : filling.then(() => passed);
  }

  /** What is sent on of a caller's event. Throws a RelayError for what is not. */
  #admit(request: RealtimeRequest, body: RelayBody): Passed {
    const { deps, job, route, side } = this.#parts;
    const { bytes, outline } = body;
    if (request.kind === "configure") {
      this.#checkConfiguration(request);
      const isRenamed = request.model !== undefined && request.model !== route.upstreamModel;
      return isRenamed ? JSON.stringify(side.withModel(body.json, route.upstreamModel)) : bytes;
    }
    if (request.kind !== "start") return bytes;
    if (recordOf(outline["response"])["model"] !== undefined)
      throw badField("response.model", "The model of a session cannot be changed. Open another session.");
    if (this.#running.size + this.#asked.length >= MOST_ANSWERS) throw tooMany();
    this.#raiseLimit(request.mostTokens);
    this.#asked.push(this.#takeFirstAdmission() ?? deps.limiter.admit(job.caller.limits, this.#nextTokens()));
    return bytes;
  }

  #nextTokens(): number {
    const { promptTokens, completionTokens } = this.#next();
    return promptTokens + completionTokens;
  }

  #takeFirstAdmission(): Admission | undefined {
    const first = this.#firstAdmission;
    this.#firstAdmission = undefined;
    return first;
  }

  #checkConfiguration(asked: Extract<RealtimeRequest, { kind: "configure" }>): void {
    const { job, route } = this.#parts;
    if (asked.isOther) throw badField("session.type", "Sessions that only write down what they hear are not offered.");
    if (asked.model !== undefined && asked.model !== job.ask.model && asked.model !== route.upstreamModel)
      throw badField("session.model", "The model of a session cannot be changed. Open another session.");
    const { models } = job.caller;
    const writer = asked.transcriptionModel ?? "";
    if (writer !== "" && models !== undefined && !models.has(writer)) throw modelNotAllowed(writer);
    this.#raiseLimit(asked.mostTokens);
  }

  /** A larger limit counts from when it is asked for, a smaller one once the provider keeps to it. */
  #raiseLimit(tokens: number | undefined): void {
    this.#mostTokens = Math.max(this.#mostTokens, tokens ?? 0);
  }

  #heardProvider({ bytes }: Message): Passed | Promise<Passed> {
    const event = this.#parts.side.readEvent(recordOf(parseJson(bytes.toString())));
    switch (event.kind) {
      case "session":
        return this.#configured(event) ? bytes : undefined;
      case "answer-start":
      case "text":
      case "audio": {
        const running = this.#running.get(event.answerId);
        if (running === undefined) return this.#begin(event).then((begun) => (begun ? bytes : undefined));
        this.#add(running.answer, event);
        return bytes;
      }
      case "answer-end":
        return this.#end(event).then((isBooked) => (isBooked ? bytes : undefined));
      case "heard":
        this.#transcripts.heard(event.itemId);
        return bytes;
      case "transcript":
      case "transcript-end":
        return this.#write(event).then((isBooked) => (isBooked ? bytes : undefined));
      case "error":
        // What was asked for may have been refused by it; what begins all the same is admitted then.
        this.#asked.shift()?.settle(0);
        return bytes;
      case "other":
        return bytes;
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
    this.#bytesPerSecond = bytesPerSecond ?? this.#bytesPerSecond;
    this.#mostTokens = mostTokens ?? this.#mostTokens;
    return true;
  }

  #add(answer: SessionAnswer, event: Extract<RealtimeEvent, { answerId: string }>): void {
    if (event.kind === "text") answer.addText(event.text);
    else if (event.kind === "audio") answer.addSound(event.bytes / this.#bytesPerSecond);
  }

  /** An answer has begun, whoever asked for it. Resolves with false where it cannot be paid, and the session is over. */
  async #begin(event: Extract<RealtimeEvent, { answerId: string }>): Promise<boolean> {
    const { deps, route, holds } = this.#parts;
    try {
      const hold = holds.take() ?? (await holds.reserve(holds.boundOf(this.#next())));
      if (this.#isOver) {
        holds.giveBack(hold.requestId);
        return false;
      }
      const admission = this.#asked.shift() ?? this.#takeFirstAdmission() ?? this.#admitUnasked(hold);
      const about = this.#prompt.about;
      const prompt = { promptTokens: about, audioPromptTokens: 0 };
      const answer = new SessionAnswer({ deps, job: this.#jobOf(hold, admission), route, prompt });
      this.#running.set(event.answerId, { answer, before: this.#prompt.mark() });
      this.#add(answer, event);
      noteSuccess(deps, route);
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** Whoever speaks is answered without having asked: beyond its limits the session ends. */
  #admitUnasked({ most, requestId }: Hold): Admission {
    const { deps, job, holds } = this.#parts;
    try {
      return deps.limiter.admit(job.caller.limits, most.audioPromptTokens + most.completionTokens);
    } catch (error) {
      holds.giveBack(requestId);
      throw error;
    }
  }

  #jobOf({ requestId, amount, most }: Hold, admission: Admission, model?: string): RelayJob {
    const { deps, job } = this.#parts;
    const begins = { at: nowSeconds(deps.clock), startedMs: deps.clock.monotonicMs() };
    const ask = model === undefined ? job.ask : ownAsk("realtime", { model, stream: true });
    return { ...job, ...begins, ask, requestId, reserved: amount, most, admission };
  }

  /** Books an answer. Resolves with false where its end must not be passed on, and the session is over. */
  async #end(event: Extract<RealtimeEvent, { kind: "answer-end" }>): Promise<boolean> {
    if (!this.#running.has(event.answerId) && event.usage !== undefined) await this.#begin({ ...event });
    const running = this.#running.get(event.answerId);
    if (running === undefined) return !this.#isOver;
    this.#running.delete(event.answerId);
    const { usage, end } = event;
    const result = end === "failed" ? "provider-failed" : "ok";
    const unbooked = await running.answer.settle({ usage, end, result });
    if (unbooked !== undefined) {
      this.#fail(unbooked);
      return false;
    }
    if (usage === undefined) this.#prompt.grow(this.#parts.holds.longestAnswer);
    else if (event.inConversation) this.#prompt.correct(usage, running.before);
    this.#afterAnswer();
    return true;
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

  #tell(error: RelayError): void {
    const { caller, dialect, job } = this.#parts;
    const told = dialect.writeError(error.forToken(job.caller.customContact, {}), job.requestId);
    if (caller.socket.readyState === caller.socket.OPEN) caller.socket.send(job.ask.format.errorEvent(told));
  }

  /** An event of the caller is not sent on; whoever goes on so for long must go. */
  #refuse(error: RelayError): void {
    this.#refusals += 1;
    if (this.#refusals > MOST_REFUSALS) return this.end(error);
    this.#tell(error);
  }

  readonly #fail = (error: unknown): void => {
    const { deps, job, call } = this.#parts;
    if (!this.#isOver) this.end(answerError(deps, error, job.requestId, call));
  };

  /** Ends the session, once: what was delivered is charged, everything else is given back. */
  #finish(cut: SessionCut): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { deps, caller, provider, holds, route } = this.#parts;
    this.#fromCaller.stop();
    this.#fromProvider.stop();
    const isInAnswer = this.#running.size > 0;
    const failure = failureOfCut(cut, isInAnswer);
    if (failure !== undefined) noteFailure(deps, route, failure);
    const error = cut.kind === "ended" ? cut.error : failure && answerForFailure(failure);
    if (error !== undefined) this.#tell(error);
    const open = [...[...this.#running.values()].map(({ answer }) => answer), ...this.#transcripts.close()];
    const end = { usage: undefined, end: nameOfCut(cut, failure), result: resultOfCut(cut) };
    void Promise.all(open.map((answer) => answer.settle(end))).then(() => this.#leave());
    holds.close();
    for (const admission of [...this.#asked, this.#firstAdmission]) admission?.settle(0);
    const isGone = cut.kind === "caller-gone" || cut.kind === "caller-stalled";
    const own = error === undefined && cut.kind === "closed" ? cut : undefined;
    const code = own?.code ?? codeOfError(error, this.#isDraining);
    closeEnds({ caller, provider, isGone, code, reason: own?.reason ?? error?.code ?? "" });
  }
}

function stopping(): RelayError {
  return new RelayError({
    status: 503,
    code: "gateway_stopped",
    message: "The gateway is stopping. Open the session again in a moment.",
    retryAfterSeconds: 2,
  });
}

function idle(): RelayError {
  const message = "Nothing was said in this session for a long time, so it ends. Open another one.";
  return new RelayError({ status: 408, type: "invalid_request_error", code: "session_idle", message });
}

function tooMany(): RelayError {
  const message = `A session answers ${MOST_ANSWERS} times at once at the most. Wait for response.done.`;
  return new RelayError({ status: 429, type: "requests", code: "rate_limit_exceeded", message });
}
