import type { RealtimeEvent, RealtimeSide } from "@one-api/providers/format";
import type { Admission } from "../callers/index.ts";
import type { PricedCandidate } from "../routing/index.ts";
import { costOfModel, type UsageUpperBound } from "../pricing/index.ts";
import { HEARD_TOKENS_PER_SECOND } from "../media/index.ts";
import type { ReservedRequest } from "../charging/index.ts";
import { SessionAnswer } from "./session-answer.ts";
import type { Hold, SessionReservations } from "./session-reservations.ts";
import type { SessionServices } from "./session-services.ts";

/** What was said last may wait so often to be written down; of what is older the bound is that of the newest. */
const MOST_WAITING = 64;
/** Nobody speaks faster, in tokens a second. */
const WRITTEN_TOKENS_PER_SECOND = 10;
/** Where nobody knows how much was said: half a minute. */
const UNKNOWN_TOKENS = 30 * HEARD_TOKENS_PER_SECOND;

/** What is known of the session. */
interface TranscriptsParts {
  readonly services: SessionServices;
  readonly holds: SessionReservations;
  readonly side: RealtimeSide;
  readonly route: PricedCandidate;
  readonly job: Pick<ReservedRequest, "group">;
}

/** A piece of what the caller has said, or the end of it, written down. */
export type TranscriptEvent = Extract<RealtimeEvent, { itemId: string; text: string }>;

/** The job that books what writing down has used. */
type JobOf = (hold: Hold, admission: Admission, model: string) => ReservedRequest;

/** Writing down is no request of its own: it counts towards no limit of the caller's. */
const FREE: Admission = { headers: {}, settle: () => undefined };

/** What the caller has said, item by item, and what the model that writes it down has made of it, each booked by itself. */
export class Transcripts {
  readonly #parts: TranscriptsParts;
  readonly #jobOf: JobOf;
  readonly #saidOf = new Map<string, number>();
  /** By the id of what was said. */
  readonly #writing = new Map<string, SessionAnswer>();
  #said = 0;
  #isClosed = false;

  constructor(parts: TranscriptsParts, jobOf: JobOf) {
    this.#parts = parts;
    this.#jobOf = jobOf;
  }

  /** What is being written down. */
  get open(): readonly SessionAnswer[] {
    return [...this.#writing.values()];
  }

  /** Nothing more is written down; returns what was being. */
  close(): readonly SessionAnswer[] {
    this.#isClosed = true;
    return this.open;
  }

  /** The caller has sent so many tokens of sound more. */
  add(tokens: number): void {
    this.#said += tokens;
  }

  /** What was sent since is one item of the conversation. */
  heard(itemId: string): void {
    if (this.#saidOf.size >= MOST_WAITING) this.#saidOf.clear();
    this.#saidOf.set(itemId, this.#said);
    this.#said = 0;
  }

  /** Counts a piece, and books the whole at its end. Rejects with an error where it cannot be paid or booked: then it must not be passed on. */
  async write(event: TranscriptEvent, model: string): Promise<void> {
    const isEnd = event.kind === "transcript-end";
    const known = this.#writing.get(event.itemId);
    if (known === undefined && isEnd && event.usage === undefined && event.text === "") return;
    const answer = known ?? (await this.#begin(event.itemId, model));
    if (answer === undefined) return;
    if (!isEnd) return answer.addText(event.text);
    if (known === undefined) answer.addText(event.text);
    this.#writing.delete(event.itemId);
    const unbooked = await answer.settle({ usage: event.usage, end: "complete", result: "ok" });
    if (unbooked !== undefined) throw unbooked;
  }

  async #begin(itemId: string, model: string): Promise<SessionAnswer | undefined> {
    const { services, side, holds, job, route: own } = this.#parts;
    const route = transcriptRoute(services, own, model, job.group);
    const bound = this.#boundOf(itemId);
    const hold = await holds.reserve(bound, [route.price]);
    if (this.#isClosed) {
      holds.giveBack(hold.requestId);
      return undefined;
    }
    const prompt = { promptTokens: bound.audioPromptTokens, audioPromptTokens: bound.audioPromptTokens };
    const answer = new SessionAnswer({ services, side, job: this.#jobOf(hold, FREE, model), route, prompt });
    this.#writing.set(itemId, answer);
    return answer;
  }

  /** What writing the item down can use at the most. */
  #boundOf(itemId: string): UsageUpperBound {
    const tokens = Math.max(this.#saidOf.get(itemId) ?? UNKNOWN_TOKENS, HEARD_TOKENS_PER_SECOND);
    const seconds = Math.ceil(tokens / HEARD_TOKENS_PER_SECOND);
    this.#saidOf.delete(itemId);
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

/** The same channel with the price of the model that writes down what it hears. */
function transcriptRoute(
  { priceTranscription }: Pick<SessionServices, "priceTranscription">,
  route: PricedCandidate,
  model: string,
  group: string,
): PricedCandidate {
  const { type, costs } = route.channel;
  return {
    ...route,
    upstreamModel: model,
    price: priceTranscription(model, type, group),
    costPrice: costOfModel(model, type, costs, "transcriptions"),
  };
}
