import type { RealtimeEvent, RealtimeSide } from "@one-api/providers/format";
import { completedBy, type Usage } from "@one-api/providers/usage";
import type { Admission } from "../callers/index.ts";
import { type PricedCandidate, recordSuccess } from "../routing/index.ts";
import type { ReservedRequest } from "../charging/index.ts";
import { type AnswerEnd, SessionAnswer } from "./session-answer.ts";
import { tooMany } from "./session-errors.ts";
import type { Hold, SessionReservations } from "./session-reservations.ts";
import type { SessionPrompt } from "./session-prompt.ts";
import type { SessionServices } from "./session-services.ts";

/** What is known of the session. */
interface AnswersParts {
  readonly services: SessionServices;
  readonly side: RealtimeSide;
  readonly route: PricedCandidate;
  /** As of the first answer, which is admitted with the call. */
  readonly job: ReservedRequest;
  readonly holds: SessionReservations;
}

/** What answers ask of their session, and tell it. */
interface AnsweringSession {
  readonly prompt: SessionPrompt;
  readonly isOver: boolean;
  /** What the longest next answer can use. */
  next(): { readonly promptTokens: number; readonly completionTokens: number };
  jobOf(hold: Hold, admission: Admission): ReservedRequest;
  /** An answer cannot be paid or booked. */
  fail(error: unknown): void;
  /** An answer is booked, and its end leaves now. */
  ended(): void;
}

/** An answer under way, and how long the conversation was when it began. */
interface Running {
  readonly answer: SessionAnswer;
  readonly before: ReturnType<SessionPrompt["mark"]>;
  /** The provider's last report, and whether all that has come is in it. */
  report: { readonly usage: Usage; readonly isWhole: boolean } | undefined;
  isInterrupted: boolean;
  /** It has called a tool and may wait for what that says. */
  hasCalled: boolean;
}

/** What is part of an answer, or its end. */
type AnswerEvent = Exclude<Extract<RealtimeEvent, { answerId: string }>, { kind: "usage" | "interrupted" }>;
type AnswerPiece = Exclude<AnswerEvent, { kind: "answer-end" }>;

/** Answers of one session at once at the most, those that are asked for and have not begun among them. */
const MOST_ANSWERS = 16;

/** The answers of a session, from being asked for to being booked, each by itself. */
export class SessionAnswers {
  /** Of the sound that comes without saying how fast it is. */
  bytesPerSecond = 48_000;
  readonly #parts: AnswersParts;
  readonly #session: AnsweringSession;
  /** By the provider's ids. */
  readonly #running = new Map<string, Running>();
  /** Asked for, and not begun. */
  readonly #asked: Admission[] = [];
  /** Of the call itself, for the first answer. */
  #firstAdmission: Admission | undefined;

  constructor(parts: AnswersParts, session: AnsweringSession) {
    this.#parts = parts;
    this.#session = session;
    this.#firstAdmission = parts.job.admission;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Not begun, or not ended. */
  get open(): number {
    return this.#running.size + this.#asked.length;
  }

  /** So many answers must be payable. While one is under way, what only listens for the next one may wait for its end. */
  get needed(): number {
    return Math.max(this.#asked.length, this.#running.size > 0 ? 0 : 1);
  }

  /** True while the provider owes a piece of an answer. */
  get awaitsProvider(): boolean {
    return [...this.#running.values()].some(({ hasCalled }) => !hasCalled);
  }

  /** The caller asks for one. Throws a 429 RelayError where that is too much. */
  ask(): void {
    const { services, job, side } = this.#parts;
    // Several that were asked for in a row may be answered as one; each that begins is admitted then.
    if (side.answersOneByOne === true && this.#asked.length > 0) return;
    if (this.open >= MOST_ANSWERS) throw tooMany(MOST_ANSWERS);
    const { promptTokens, completionTokens } = this.#session.next();
    const admit = () => services.limiter.admit(job.caller.limits, promptTokens + completionTokens);
    this.#asked.push(this.#takeFirstAdmission() ?? admit());
  }

  /** What was asked for may have been refused by the provider; what begins all the same is admitted then. */
  unask(): void {
    this.#asked.shift()?.settle(0);
  }

  /** False, or a promise of it, for what must not be passed on, because the session is over. */
  hear(event: AnswerPiece): boolean | Promise<boolean> {
    const running = this.#running.get(event.answerId);
    if (running === undefined) return this.#begin(event);
    this.#add(running, event);
    return true;
  }

  /** A report of an answer that was counted here because it came without one tells of the conversation alone. */
  report({ answerId, usage }: Extract<RealtimeEvent, { kind: "usage" }>): void {
    const running = this.#running.get(answerId);
    const { prompt } = this.#session;
    if (running !== undefined) running.report = { usage: completedBy(usage, running.report?.usage), isWhole: true };
    else prompt.correct(usage, prompt.mark());
  }

  /** The caller has spoken meanwhile. */
  interrupt(answerId: string): void {
    const running = this.#running.get(answerId);
    if (running !== undefined) running.isInterrupted = true;
  }

  /** Books an answer. Resolves with false where its end must not be passed on, and the session is over. */
  async end(event: Extract<RealtimeEvent, { kind: "answer-end" }>): Promise<boolean> {
    const { prompt } = this.#session;
    if (!this.#running.has(event.answerId) && event.usage !== undefined) await this.#begin(event);
    const running = this.#running.get(event.answerId);
    if (running === undefined) return !this.#session.isOver;
    this.#running.delete(event.answerId);
    const usage = event.usage === undefined ? running.report?.usage : completedBy(event.usage, running.report?.usage);
    const end = running.isInterrupted ? "cancelled" : event.end;
    const isBooked = await this.#settle(running, { usage, end, result: end === "failed" ? "provider-failed" : "ok" });
    if (!isBooked) return false;
    if (usage === undefined) prompt.grow(this.#parts.holds.longestAnswer);
    else if (event.inConversation) prompt.correct(usage, running.before);
    this.#session.ended();
    return true;
  }

  /** The caller answers a call: what called is a whole answer. */
  async endCalled(): Promise<void> {
    const called = [...this.#running.values()];
    this.#running.clear();
    for (const running of called) {
      const usage = running.report?.usage;
      if (!(await this.#settle(running, { usage, end: "complete", result: "ok" }))) return;
      if (usage !== undefined) this.#session.prompt.correct(usage, running.before);
    }
  }

  /** The session is over: what was delivered is charged, and what has not begun counts for nothing. Resolves once all is booked. */
  async close(end: Omit<AnswerEnd, "usage">): Promise<void> {
    for (const admission of [...this.#asked, this.#firstAdmission]) admission?.settle(0);
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

  /** An answer has begun, whoever asked for it. Resolves with false where it cannot be paid, and the session is over. */
  async #begin(event: AnswerEvent): Promise<boolean> {
    const { services, side, route, holds } = this.#parts;
    const { prompt } = this.#session;
    try {
      const hold = holds.take() ?? (await holds.reserve(holds.boundOf(this.#session.next())));
      if (this.#session.isOver) {
        holds.giveBack(hold.requestId);
        return false;
      }
      const admission = this.#asked.shift() ?? this.#takeFirstAdmission() ?? this.#admitUnasked(hold);
      const job = this.#session.jobOf(hold, admission);
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

  /** Whoever speaks is answered without having asked: beyond its limits the session ends. */
  #admitUnasked({ most, requestId }: Hold): Admission {
    const { services, job, holds } = this.#parts;
    try {
      return services.limiter.admit(job.caller.limits, most.audioPromptTokens + most.completionTokens);
    } catch (error) {
      holds.giveBack(requestId);
      throw error;
    }
  }

  /** Resolves with false where the session is over because nothing could be booked. */
  async #settle({ answer }: Running, end: AnswerEnd): Promise<boolean> {
    const unbooked = await answer.settle(end);
    if (unbooked !== undefined) this.#session.fail(unbooked);
    return unbooked === undefined;
  }
}
