import type { RealtimeEvent, RealtimeSide } from "@one-api/providers/realtime-side";
import { completedBy, type Usage } from "@one-api/providers/usage";
import type { Admission } from "../limits/index.ts";
import { type PricedCandidate, recordSuccess } from "../routing/index.ts";
import type { ReservedRequest } from "../charging/index.ts";
import { type AnswerEnd, SessionAnswer } from "./session-answer.ts";
import { tooMany } from "./session-errors.ts";
import type { Reservation, SessionReservations } from "./session-reservations.ts";
import type { SessionPrompt } from "./session-prompt.ts";
import type { SessionServices } from "./session-services.ts";

interface AnswersContext {
  readonly services: SessionServices;
  readonly side: RealtimeSide;
  readonly route: PricedCandidate;
  readonly job: ReservedRequest;
  readonly reservations: SessionReservations;
}

interface AnsweringSession {
  readonly prompt: SessionPrompt;
  readonly isOver: boolean;
  next(): { readonly promptTokens: number; readonly completionTokens: number };
  jobOf(reservation: Reservation, admission: Admission): ReservedRequest;
  fail(error: unknown): void;
  ended(): void;
}

interface Running {
  readonly answer: SessionAnswer;
  readonly before: ReturnType<SessionPrompt["mark"]>;
  report: { readonly usage: Usage; readonly isWhole: boolean } | undefined;
  isInterrupted: boolean;
  /** It called a tool and may wait for the result. */
  hasCalled: boolean;
}

type AnswerEvent = Exclude<Extract<RealtimeEvent, { answerId: string }>, { kind: "usage" | "interrupted" }>;
type AnswerPiece = Exclude<AnswerEvent, { kind: "answer-end" }>;

const MAX_ANSWERS = 16;

export class SessionAnswers {
  /** Of sound without a declared rate. */
  bytesPerSecond = 48_000;
  readonly #context: AnswersContext;
  readonly #session: AnsweringSession;
  readonly #running = new Map<string, Running>();
  readonly #requested: Admission[] = [];
  #firstAdmission: Admission | undefined;

  constructor(context: AnswersContext, session: AnsweringSession) {
    this.#context = context;
    this.#session = session;
    this.#firstAdmission = context.job.admission;
  }

  get running(): number {
    return this.#running.size;
  }

  get open(): number {
    return this.#running.size + this.#requested.length;
  }

  /** Answers that must be reserved. During an answer, an unrequested next one may wait for its end. */
  get needed(): number {
    return Math.max(this.#requested.length, this.#running.size > 0 ? 0 : 1);
  }

  get awaitsProvider(): boolean {
    return [...this.#running.values()].some(({ hasCalled }) => !hasCalled);
  }

  /** Throws or rejects with a 429 RelayError. */
  request(): void | Promise<void> {
    const { services, job, route, side } = this.#context;
    if (side.answersOneByOne === true && this.#requested.length > 0) return;
    if (this.open >= MAX_ANSWERS) throw tooMany(MAX_ANSWERS);
    const { promptTokens, completionTokens } = this.#session.next();
    const need = {
      models: [...new Set([job.parsed.model, route.model])],
      modelTokens: promptTokens + completionTokens,
      isForImages: false,
    };
    const admission = this.#takeFirstAdmission() ?? services.limiter.admit(job.caller.limits, need);
    if (admission instanceof Promise) return admission.then((admitted) => this.#addRequested(admitted));
    this.#addRequested(admission);
  }

  #addRequested(admission: Admission): void {
    if (this.#session.isOver) admission.settle(0);
    else this.#requested.push(admission);
  }

  /** The provider may have refused a requested answer. If it begins anyway, it is admitted then. */
  withdrawRequest(): void {
    this.#requested.shift()?.settle(0);
  }

  receive(event: AnswerPiece): boolean | Promise<boolean> {
    const running = this.#running.get(event.answerId);
    if (running === undefined) return this.#begin(event);
    this.#add(running, event);
    return true;
  }

  /** A late report of a settled answer only corrects the conversation's length. */
  report({ answerId, usage }: Extract<RealtimeEvent, { kind: "usage" }>): void {
    const running = this.#running.get(answerId);
    const { prompt } = this.#session;
    if (running !== undefined) running.report = { usage: completedBy(usage, running.report?.usage), isWhole: true };
    else prompt.correct(usage, prompt.mark());
  }

  interrupt(answerId: string): void {
    const running = this.#running.get(answerId);
    if (running !== undefined) running.isInterrupted = true;
  }

  async end(event: Extract<RealtimeEvent, { kind: "answer-end" }>): Promise<boolean> {
    const { prompt } = this.#session;
    if (!this.#running.has(event.answerId) && event.usage !== undefined) await this.#begin(event);
    const running = this.#running.get(event.answerId);
    if (running === undefined) return !this.#session.isOver;
    this.#running.delete(event.answerId);
    const usage = event.usage === undefined ? running.report?.usage : completedBy(event.usage, running.report?.usage);
    const end = running.isInterrupted ? "cancelled" : event.end;
    const isSettled = await this.#settle(running, { usage, end, result: end === "failed" ? "provider-failed" : "ok" });
    if (!isSettled) return false;
    if (usage === undefined) prompt.grow(this.#context.reservations.longestAnswer);
    else if (event.inConversation) prompt.correct(usage, running.before);
    this.#session.ended();
    return true;
  }

  async endCalled(): Promise<void> {
    const called = [...this.#running.values()];
    this.#running.clear();
    for (const running of called) {
      const usage = running.report?.usage;
      if (!(await this.#settle(running, { usage, end: "complete", result: "ok" }))) return;
      if (usage !== undefined) this.#session.prompt.correct(usage, running.before);
    }
  }

  /** Resolves once all answers are settled. */
  async close(end: Omit<AnswerEnd, "usage">): Promise<void> {
    for (const admission of [...this.#requested, this.#firstAdmission]) admission?.settle(0);
    await Promise.all(
      [...this.#running.values()].map(({ answer, report }) =>
        answer.settle({ ...end, usage: report?.isWhole === true ? report.usage : undefined }),
      ),
    );
  }

  #takeFirstAdmission(): Admission | undefined {
    const first = this.#firstAdmission;
    this.#firstAdmission = undefined;
    return first;
  }

  #add(running: Running, event: AnswerEvent): void {
    const { answer, report } = running;
    if (report !== undefined) running.report = { ...report, isWhole: false };
    running.hasCalled = event.kind === "call";
    if (event.kind === "text" || event.kind === "call") answer.addText(event.text);
    else if (event.kind === "audio")
      answer.addSound("seconds" in event ? event.seconds : event.bytes / this.bytesPerSecond);
  }

  async #begin(event: AnswerEvent): Promise<boolean> {
    const { services, side, route, reservations } = this.#context;
    const { prompt } = this.#session;
    try {
      const reservation =
        reservations.take() ?? (await reservations.reserve(reservations.upperBoundOf(this.#session.next())));
      if (this.#session.isOver) {
        reservations.release(reservation.requestId);
        return false;
      }
      const admission =
        this.#requested.shift() ?? this.#takeFirstAdmission() ?? (await this.#admitUnrequested(reservation));
      if (this.#session.isOver) {
        admission.settle(0);
        reservations.release(reservation.requestId);
        return false;
      }
      const job = this.#session.jobOf(reservation, admission);
      const read = { promptTokens: prompt.about, audioPromptTokens: 0 };
      const answer = new SessionAnswer({ services, side, job, route, prompt: read });
      const before = prompt.mark();
      const running: Running = { answer, before, report: undefined, isInterrupted: false, hasCalled: false };
      this.#running.set(event.answerId, running);
      this.#add(running, event);
      recordSuccess(services, route);
      return true;
    } catch (error) {
      this.#session.fail(error);
      return false;
    }
  }

  /** Speech is answered without a request. Beyond the limits the session ends. */
  async #admitUnrequested({ most, requestId }: Reservation): Promise<Admission> {
    const { services, job, route, reservations } = this.#context;
    const need = {
      models: [...new Set([job.parsed.model, route.model])],
      modelTokens: most.audioPromptTokens + most.completionTokens,
      isForImages: false,
    };
    try {
      return await services.limiter.admit(job.caller.limits, need);
    } catch (error) {
      reservations.release(requestId);
      throw error;
    }
  }

  async #settle({ answer }: Running, end: AnswerEnd): Promise<boolean> {
    const error = await answer.settle(end);
    if (error !== undefined) this.#session.fail(error);
    return error === undefined;
  }
}
