import {
  contextTokens,
  maxOutputTokens,
  UNKNOWN_MAX_OUTPUT_TOKENS,
} from "@one-api/providers/model-facts/max-output-tokens";
import { createRequestId } from "../../platform/requests/request-id.ts";
import type { Caller } from "../callers/index.ts";
import { chargeUpperBound, type Price, type UsageUpperBound } from "../pricing/index.ts";
import { RelayError } from "../errors/index.ts";
import { reserveAmount } from "../charging/index.ts";
import type { SessionServices } from "./session-services.ts";

export interface Reservation {
  readonly requestId: string;
  readonly amount: number;
  readonly most: UsageUpperBound;
}

interface NextAnswer {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Prompt covered by the first reservation: half a minute of speech and a page of text. */
const FIRST_PROMPT_TOKENS = 2_048;

interface SessionTerms {
  readonly models: readonly string[];
  readonly prices: readonly Price[];
}

/** Reservations for answers that have not begun. They always cover the longest next answer. */
export class SessionReservations {
  readonly #services: SessionServices;
  readonly #caller: Caller;
  readonly #terms: SessionTerms;
  readonly #contextTokens: number;
  readonly longestAnswer: number;
  #free: Reservation[] = [];
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

  /** Undefined if enough is reserved. `firstId` names the first reservation. Rejects with a RelayError (403 or 429). */
  ensure(count: number, next: NextAnswer, firstId?: string): Promise<void> | undefined {
    const isEnough = this.#free.length >= count && this.#free.every((reservation) => covers(reservation, next));
    return isEnough ? undefined : this.#fill(count, next, firstId);
  }

  take(): Reservation | undefined {
    return this.#free.shift();
  }

  /** Reserves an answer of another model, or an unrequested one. Rejects with a RelayError. */
  async reserve(most: UsageUpperBound, prices: readonly Price[] = this.#terms.prices): Promise<Reservation> {
    return await this.#reserve(createRequestId(), most, prices);
  }

  upperBoundOf({ promptTokens, completionTokens }: NextAnswer): UsageUpperBound {
    return {
      // Any token may be audio.
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

  close(): void {
    this.#isClosed = true;
    for (const { requestId } of this.#free.splice(0)) this.release(requestId);
  }

  release(requestId: string): void {
    this.#services.ledger.release({ requestId });
  }

  async #fill(count: number, next: NextAnswer, firstId: string | undefined): Promise<void> {
    const short = this.#free.filter((reservation) => !covers(reservation, next));
    this.#free = this.#free.filter((reservation) => covers(reservation, next));
    for (const { requestId } of short) this.release(requestId);
    while (this.#free.length < count) {
      const reservation = await this.#reserveAhead(firstId ?? createRequestId(), next);
      firstId = undefined;
      if (this.#isClosed) return this.release(reservation.requestId);
      this.#free.push(reservation);
    }
  }

  /** Reserves twice the current need, so that few events need a new reservation; just the need if quota is short. */
  async #reserveAhead(requestId: string, next: NextAnswer): Promise<Reservation> {
    const ahead = this.upperBoundOf({ ...next, promptTokens: Math.max(FIRST_PROMPT_TOKENS, next.promptTokens * 2) });
    try {
      return await this.#reserve(requestId, ahead, this.#terms.prices);
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      return await this.#reserve(requestId, this.upperBoundOf(next), this.#terms.prices);
    }
  }

  async #reserve(requestId: string, most: UsageUpperBound, prices: readonly Price[]): Promise<Reservation> {
    const amount = chargeUpperBound(most, prices);
    await reserveAmount(this.#services, this.#services.ledger, { requestId, caller: this.#caller }, amount);
    return { requestId, amount, most };
  }
}

function covers({ most }: Reservation, { promptTokens, completionTokens }: NextAnswer): boolean {
  return most.audioPromptTokens >= promptTokens && most.completionTokens >= completionTokens;
}
