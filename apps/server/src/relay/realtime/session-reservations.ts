import { contextTokens, maxOutputTokens, UNKNOWN_MAX_OUTPUT_TOKENS } from "@one-api/providers/models/max-output-tokens";
import { createRequestId } from "../../platform/requests/request-id.ts";
import type { Caller } from "../callers/index.ts";
import { chargeUpperBound, type Price, type UsageUpperBound } from "../pricing/index.ts";
import { RelayError } from "../errors/index.ts";
import { reserveAmount } from "../charging/index.ts";
import type { SessionServices } from "./session-services.ts";

/** Quota set aside for one answer of a session. */
export interface Hold {
  readonly requestId: string;
  /** In quota. */
  readonly amount: number;
  readonly most: UsageUpperBound;
}

/** What the next answer can use at the most, in model tokens. */
interface NextAnswer {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** What is set aside in the beginning covers a prompt of so many tokens: half a minute of speech and a page of text. */
const FIRST_PROMPT_TOKENS = 2_048;

/** What a session's models and prices are. */
interface SessionTerms {
  readonly models: readonly string[];
  readonly prices: readonly Price[];
}

/**
 * What is set aside for answers of a session that have not begun. There is always enough for the longest next one, whatever was sent for it:
 * what is set aside grows with what the caller sends, in steps.
 */
export class SessionReservations {
  readonly #services: SessionServices;
  readonly #caller: Caller;
  readonly #terms: SessionTerms;
  readonly #contextTokens: number;
  /** The longest answer of the models, in tokens. */
  readonly longestAnswer: number;
  #free: Hold[] = [];
  #isClosed = false;

  constructor(services: SessionServices, caller: Caller, terms: SessionTerms) {
    this.#services = services;
    this.#caller = caller;
    this.#terms = terms;
    this.#contextTokens = Math.max(...terms.models.map(contextTokens));
    this.longestAnswer = Math.max(...terms.models.map((model) => maxOutputTokens(model) ?? UNKNOWN_MAX_OUTPUT_TOKENS));
  }

  get contextTokens(): number {
    return this.#contextTokens;
  }

  /**
   * Sees to it that enough is set aside for so many answers; undefined where it is already. `firstId` names the first of them. Rejects with a
   * RelayError (403 or 429) that says what is missing.
   */
  ensure(count: number, next: NextAnswer, firstId?: string): Promise<void> | undefined {
    const isEnough = this.#free.length >= count && this.#free.every((hold) => covers(hold, next));
    return isEnough ? undefined : this.#fill(count, next, firstId);
  }

  /** What was set aside for the answer that begins now; undefined where nothing is left. */
  take(): Hold | undefined {
    return this.#free.shift();
  }

  /** Sets aside what an answer of another model, or one that nobody asked for, can use at the most. Rejects with a RelayError. */
  async reserve(most: UsageUpperBound, prices: readonly Price[] = this.#terms.prices): Promise<Hold> {
    return await this.#reserve(createRequestId(), most, prices);
  }

  /** The bound of an answer. */
  boundOf({ promptTokens, completionTokens }: NextAnswer): UsageUpperBound {
    return {
      // Any token may be one of sound.
      promptTokens: 0,
      audioPromptTokens: Math.min(this.#contextTokens, promptTokens),
      believablePromptTokens: this.#contextTokens,
      hasImages: true,
      completionTokens: Math.min(this.longestAnswer, completionTokens),
      wantsAudio: true,
      priceFactor: 1,
      toolFees: 0,
    };
  }

  /** Gives everything back that no answer has taken. */
  close(): void {
    this.#isClosed = true;
    for (const { requestId } of this.#free.splice(0)) this.giveBack(requestId);
  }

  /** Gives back what was set aside for an answer that has not begun. */
  giveBack(requestId: string): void {
    this.#services.ledger.release({ requestId });
  }

  async #fill(count: number, next: NextAnswer, firstId: string | undefined): Promise<void> {
    const short = this.#free.filter((hold) => !covers(hold, next));
    this.#free = this.#free.filter((hold) => covers(hold, next));
    for (const { requestId } of short) this.giveBack(requestId);
    while (this.#free.length < count) {
      const hold = await this.#reserveAmply(firstId ?? createRequestId(), next);
      firstId = undefined;
      if (this.#isClosed) return this.giveBack(hold.requestId);
      this.#free.push(hold);
    }
  }

  /** Sets aside more than is needed now, so that not every event of the caller makes it too little; just enough where that is all there is. */
  async #reserveAmply(requestId: string, next: NextAnswer): Promise<Hold> {
    const ample = this.boundOf({ ...next, promptTokens: Math.max(FIRST_PROMPT_TOKENS, next.promptTokens * 2) });
    try {
      return await this.#reserve(requestId, ample, this.#terms.prices);
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      return await this.#reserve(requestId, this.boundOf(next), this.#terms.prices);
    }
  }

  async #reserve(requestId: string, most: UsageUpperBound, prices: readonly Price[]): Promise<Hold> {
    const amount = chargeUpperBound(most, prices);
    await reserveAmount(this.#services, this.#services.ledger, { requestId, caller: this.#caller }, amount);
    return { requestId, amount, most };
  }
}

function covers({ most }: Hold, { promptTokens, completionTokens }: NextAnswer): boolean {
  return most.audioPromptTokens >= promptTokens && most.completionTokens >= completionTokens;
}
