import type { LogResult } from "@one-api/contract/logs/log";
import type { RealtimeSide } from "@one-api/providers/format";
import { DeliveredText } from "@one-api/providers/shared/delivered-text";
import { completedBy, NO_USAGE, type Usage } from "@one-api/providers/usage";
import type { Checkpoint } from "@one-api/ledger/ledger";
import type { InFlightRequest } from "../in-flight/index.ts";
import type { PricedCandidate } from "../routing/index.ts";
import { makeCheckpoint, type ReservedRequest, settle, undelivered } from "../charging/index.ts";
import { HEARD_TOKENS_PER_SECOND } from "../media/index.ts";
import { clampUsage } from "../pricing/index.ts";
import type { SessionServices } from "./session-services.ts";

/** By so much a sum of fractions may be too large, in tokens. */
const ROUNDING_TOKENS = 1e-6;

/** How an answer ended. */
export interface AnswerEnd {
  /** What the provider reports; undefined without a report. */
  readonly usage: Usage | undefined;
  /** One of LOG_ENDS, or the code of the refusal that ended the session. */
  readonly end: string;
  readonly result: LogResult;
}

/** What an answer of a session is made of. */
interface SessionAnswerParts {
  readonly services: SessionServices;
  readonly side: Pick<RealtimeSide, "spokenTokensPerSecond">;
  readonly job: ReservedRequest;
  readonly route: PricedCandidate;
  /** About how many tokens were read for it. */
  readonly prompt: Pick<Usage, "promptTokens" | "audioPromptTokens">;
}

/** One answer of a session: what has passed of it, its checkpoints, and its own row of the log. */
export class SessionAnswer implements InFlightRequest {
  readonly socket = undefined;
  readonly parties = undefined;
  readonly #parts: SessionAnswerParts;
  readonly #text: DeliveredText<string>;
  readonly #leave: () => void;
  #spokenSeconds = 0;
  #firstByteMs = 0;
  #isOpen = true;

  constructor(parts: SessionAnswerParts) {
    this.#parts = parts;
    this.#text = new DeliveredText((piece) => piece, parts.services.countTokens.text);
    this.#leave = parts.services.inFlight.add(this);
  }

  addText(text: string): void {
    this.#began();
    this.#text.add(text);
  }

  /** `seconds` of sound. */
  addSound(seconds: number): void {
    this.#began();
    this.#spokenSeconds += seconds;
  }

  #began(): void {
    const { services, job } = this.#parts;
    if (this.#firstByteMs === 0)
      this.#firstByteMs = Math.max(1, Math.round(services.clock.monotonicMs() - job.startedMs));
  }

  /** Books what was used; of what was not wholly delivered, what was. Resolves with the error because of which the end must not be passed on. */
  settle({ usage: reported, end, result }: AnswerEnd): Promise<Error | undefined> {
    const { services, job, route } = this.#parts;
    if (!this.#isOpen) return Promise.resolve(undefined);
    this.#isOpen = false;
    const hasBegun = this.#firstByteMs > 0;
    const used =
      reported === undefined ? (hasBegun ? this.#usageSoFar() : undefined) : this.#wholeOf(reported, hasBegun);
    const clamped = used && clampUsage(used, job.most);
    const isWhole = end === "complete" || end === "cancelled";
    const rule = used === undefined ? "none" : reported !== undefined ? "usage" : isWhole ? "estimated" : "partial";
    const jobEnd = {
      route,
      usage: clamped?.usage,
      notes: clamped?.notes ?? [],
      rule,
      end,
      result,
      statusCode: 200,
      firstByteMs: this.#firstByteMs,
      written: undefined,
    } as const;
    return new Promise((resolve) => {
      settle(services, job, { end: jobEnd, late: () => (hasBegun ? jobEnd : undelivered(jobEnd)) }, (error) => {
        job.admission.settle(0);
        this.#leave();
        resolve(error);
      });
    });
  }

  checkpoint(): Checkpoint | undefined {
    const { job, route } = this.#parts;
    if (!this.#isOpen || this.#firstByteMs === 0) return undefined;
    return makeCheckpoint(job, route, this.#usageSoFar());
  }

  #usageSoFar(): Usage {
    const audioCompletionTokens = Math.max(
      0,
      Math.ceil(this.#spokenSeconds * this.#parts.side.spokenTokensPerSecond - ROUNDING_TOKENS),
    );
    const completionTokens = this.#text.tokens() + audioCompletionTokens;
    return this.#inEveryUnit({ ...NO_USAGE, ...this.#parts.prompt, completionTokens, audioCompletionTokens });
  }

  /**
   * Returns the report, with what has passed where it counts no output of an answer that was delivered. A prompt of zero tokens beside an output is
   * believed: what is known of a session's prompt is an upper bound and no count.
   */
  #wholeOf(reported: Usage, hasBegun: boolean): Usage {
    const isLacking = hasBegun && reported.seconds === 0 && reported.completionTokens === 0;
    return this.#inEveryUnit(isLacking ? completedBy(reported, this.#usageSoFar()) : reported);
  }

  /** What was listened to is priced by tokens or by seconds, and reported in one of them. */
  #inEveryUnit(usage: Usage): Usage {
    const seconds = usage.seconds || Math.ceil(usage.promptTokens / HEARD_TOKENS_PER_SECOND);
    if (this.#parts.route.price.unit === "second") return { ...usage, seconds };
    if (usage.seconds === 0 || usage.promptTokens > 0) return { ...usage, seconds: 0 };
    const heard = usage.seconds * HEARD_TOKENS_PER_SECOND;
    return { ...usage, seconds: 0, promptTokens: heard, audioPromptTokens: heard };
  }

  // The session that it belongs to is asked and told.
  halfClosed(): void {}
  endIfStalled(): void {}
  end(): void {}
}
