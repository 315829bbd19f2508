import type { LogResult } from "@one-api/contract/logs/log";
import type { RealtimeSide } from "@one-api/providers/realtime-side";
import { DeliveredText } from "@one-api/providers/shared/delivered-text";
import { completedBy, NO_USAGE, type Usage } from "@one-api/providers/usage";
import type { Checkpoint } from "@one-api/ledger/ledger";
import type { InFlightRequest } from "../in-flight/index.ts";
import type { PricedCandidate } from "../routing/index.ts";
import { makeCheckpoint, type ReservedRequest, settle, undelivered } from "../charging/index.ts";
import { INPUT_TOKENS_PER_SECOND } from "../media/index.ts";
import { clampUsage } from "../pricing/index.ts";
import type { SessionServices } from "./session-services.ts";

const ROUNDING_TOKENS = 1e-6;

export interface AnswerEnd {
  readonly usage: Usage | undefined;
  readonly end: string;
  readonly result: LogResult;
}

interface SessionAnswerContext {
  readonly services: SessionServices;
  readonly side: Pick<RealtimeSide, "spokenTokensPerSecond">;
  readonly job: ReservedRequest;
  readonly route: PricedCandidate;
  readonly prompt: Pick<Usage, "promptTokens" | "audioPromptTokens">;
}

export class SessionAnswer implements InFlightRequest {
  readonly socket = undefined;
  readonly parties = undefined;
  readonly #context: SessionAnswerContext;
  readonly #text: DeliveredText<string>;
  readonly #removeInFlight: () => void;
  #spokenSeconds = 0;
  #firstByteMs = 0;
  #isOpen = true;

  constructor(context: SessionAnswerContext) {
    this.#context = context;
    this.#text = new DeliveredText((piece) => piece, context.services.countTokens.text);
    this.#removeInFlight = context.services.inFlight.add(this);
  }

  addText(text: string): void {
    this.#began();
    this.#text.add(text);
  }

  addSound(seconds: number): void {
    this.#began();
    this.#spokenSeconds += seconds;
  }

  #began(): void {
    const { services, job } = this.#context;
    if (this.#firstByteMs === 0)
      this.#firstByteMs = Math.max(1, Math.round(services.clock.monotonicMs() - job.startedMs));
  }

  /** Charges the reported usage, or the delivered output. Resolves with an error if the end must not be forwarded. */
  settle({ usage: reported, end, result }: AnswerEnd): Promise<Error | undefined> {
    const { services, job, route } = this.#context;
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
      providerMs: undefined,
      written: undefined,
    } as const;
    return new Promise((resolve) => {
      settle(services, job, { end: jobEnd, late: () => (hasBegun ? jobEnd : undelivered(jobEnd)) }, (error) => {
        job.admission.settle(0);
        this.#removeInFlight();
        resolve(error);
      });
    });
  }

  checkpoint(): Checkpoint | undefined {
    const { job, route } = this.#context;
    if (!this.#isOpen || this.#firstByteMs === 0) return undefined;
    return makeCheckpoint(job, route, this.#usageSoFar());
  }

  #usageSoFar(): Usage {
    const audioCompletionTokens = Math.max(
      0,
      Math.ceil(this.#spokenSeconds * this.#context.side.spokenTokensPerSecond - ROUNDING_TOKENS),
    );
    const completionTokens = this.#text.tokens() + audioCompletionTokens;
    return this.#inEveryUnit({ ...NO_USAGE, ...this.#context.prompt, completionTokens, audioCompletionTokens });
  }

  /** A report of an empty prompt is accepted, since the own count is only an upper bound. */
  #wholeOf(reported: Usage, hasBegun: boolean): Usage {
    const isLacking = hasBegun && reported.seconds === 0 && reported.completionTokens === 0;
    return this.#inEveryUnit(isLacking ? completedBy(reported, this.#usageSoFar()) : reported);
  }

  /** Audio input is reported in tokens or seconds. Converts it to the unit of the price. */
  #inEveryUnit(usage: Usage): Usage {
    const seconds = usage.seconds || Math.ceil(usage.promptTokens / INPUT_TOKENS_PER_SECOND);
    if (this.#context.route.price.unit === "second") return { ...usage, seconds };
    if (usage.seconds === 0 || usage.promptTokens > 0) return { ...usage, seconds: 0 };
    const tokens = usage.seconds * INPUT_TOKENS_PER_SECOND;
    return { ...usage, seconds: 0, promptTokens: tokens, audioPromptTokens: tokens };
  }

  // The session handles these events.
  halfClosed(): void {}
  endIfStalled(): void {}
  end(): void {}
}
