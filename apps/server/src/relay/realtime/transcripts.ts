import type { RealtimeEvent, RealtimeSide } from "@one-api/providers/realtime-side";
import { type Admission, UNLIMITED } from "../limits/index.ts";
import type { PricedCandidate } from "../routing/index.ts";
import { costOfModel, type UsageUpperBound } from "../pricing/index.ts";
import { INPUT_TOKENS_PER_SECOND } from "../media/index.ts";
import type { ReservedRequest } from "../charging/index.ts";
import { SessionAnswer } from "./session-answer.ts";
import type { Reservation, SessionReservations } from "./session-reservations.ts";
import type { SessionServices } from "./session-services.ts";

/** Spoken items awaiting a transcript. Older ones get the bound of the newest. */
const MAX_WAITING = 64;
const WRITTEN_TOKENS_PER_SECOND = 10;
/** Half a minute, for items of unknown length. */
const UNKNOWN_TOKENS = 30 * INPUT_TOKENS_PER_SECOND;

interface TranscriptsContext {
  readonly services: SessionServices;
  readonly reservations: SessionReservations;
  readonly side: RealtimeSide;
  readonly route: PricedCandidate;
}

export type TranscriptEvent = Extract<RealtimeEvent, { itemId: string; text: string }>;

type JobOf = (reservation: Reservation, admission: Admission, model: string) => ReservedRequest;

export class Transcripts {
  readonly #context: TranscriptsContext;
  readonly #jobOf: JobOf;
  readonly #audioTokens = new Map<string, number>();
  readonly #writing = new Map<string, SessionAnswer>();
  #spokenTokens = 0;
  #isClosed = false;

  constructor(context: TranscriptsContext, jobOf: JobOf) {
    this.#context = context;
    this.#jobOf = jobOf;
  }

  get open(): readonly SessionAnswer[] {
    return [...this.#writing.values()];
  }

  close(): readonly SessionAnswer[] {
    this.#isClosed = true;
    return this.open;
  }

  add(tokens: number): void {
    this.#spokenTokens += tokens;
  }

  commit(itemId: string): void {
    if (this.#audioTokens.size >= MAX_WAITING) this.#audioTokens.clear();
    this.#audioTokens.set(itemId, this.#spokenTokens);
    this.#spokenTokens = 0;
  }

  /** Rejects if the transcript cannot be paid or settled; then it must not be forwarded. */
  async write(event: TranscriptEvent, model: string): Promise<void> {
    const isEnd = event.kind === "transcript-end";
    const known = this.#writing.get(event.itemId);
    if (known === undefined && isEnd && event.usage === undefined && event.text === "") return;
    const answer = known ?? (await this.#begin(event.itemId, model));
    if (answer === undefined) return;
    if (!isEnd) return answer.addText(event.text);
    if (known === undefined) answer.addText(event.text);
    this.#writing.delete(event.itemId);
    const error = await answer.settle({ usage: event.usage, end: "complete", result: "ok" });
    if (error !== undefined) throw error;
  }

  async #begin(itemId: string, model: string): Promise<SessionAnswer | undefined> {
    const { services, side, reservations, route: sessionRoute } = this.#context;
    const route = transcriptRoute(services, sessionRoute, model);
    const bound = this.#upperBoundOf(itemId);
    const reservation = await reservations.reserve(bound, [route.price]);
    if (this.#isClosed) {
      reservations.release(reservation.requestId);
      return undefined;
    }
    const prompt = { promptTokens: bound.audioPromptTokens, audioPromptTokens: bound.audioPromptTokens };
    const answer = new SessionAnswer({
      services,
      side,
      job: this.#jobOf(reservation, UNLIMITED, model),
      route,
      prompt,
    });
    this.#writing.set(itemId, answer);
    return answer;
  }

  #upperBoundOf(itemId: string): UsageUpperBound {
    const tokens = Math.max(this.#audioTokens.get(itemId) ?? UNKNOWN_TOKENS, INPUT_TOKENS_PER_SECOND);
    const seconds = Math.ceil(tokens / INPUT_TOKENS_PER_SECOND);
    this.#audioTokens.delete(itemId);
    return {
      promptTokens: 0,
      audioPromptTokens: tokens,
      hasImages: false,
      completionTokens: seconds * WRITTEN_TOKENS_PER_SECOND,
      wantsAudio: false,
      priceFactor: 1,
      toolFees: 0,
      units: { images: 0, imageFactor: 1, characters: 0, searches: 0, seconds, believableSeconds: seconds + 1 },
    };
  }
}

function transcriptRoute(
  { priceTranscription }: Pick<SessionServices, "priceTranscription">,
  route: PricedCandidate,
  model: string,
): PricedCandidate {
  const { type, costs } = route.channel;
  return {
    ...route,
    model,
    upstreamModel: model,
    price: priceTranscription(model, type, route.group),
    costPrice: costOfModel(model, type, costs, "transcriptions"),
  };
}
