import { type Failure, failureOf } from "@one-api/providers/failure";
import type { Format } from "@one-api/providers/format";
import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import { SpokenSound } from "../media/index.ts";
import { AroundStream } from "./around-stream.ts";
import { createPassThrough } from "./pass-through.ts";
import type { AnswerStream, Translation } from "./translation.ts";
import type { SpeechRequest } from "../body/index.ts";

const SOUND_TYPE = /^(?:audio\/[\w.+-]+|application\/octet-stream)/i;
const EVENTS_TYPE = /^text\/event-stream/i;

export function createSpeechPassThrough(format: Format, countText: (text: string) => number): Translation {
  const plain = createPassThrough(format, countText);
  return {
    ...plain,
    streamType: new RegExp(`${SOUND_TYPE.source}|${EVENTS_TYPE.source}`, "i"),
    openStream(parsed, contentType) {
      const { media } = parsed;
      if (media?.kind !== "speech") throw new Error("Speech was not asked for.");
      const type = contentType ?? "";
      if (EVENTS_TYPE.test(type)) return new SpokenEvents(plain.openStream(parsed, type), media);
      return new SoundStream(SOUND_TYPE.exec(type)?.[0] ?? "application/octet-stream", media);
    },
  };
}

class SpokenEvents extends AroundStream {
  readonly #media: SpeechRequest;

  constructor(events: AnswerStream, media: SpeechRequest) {
    super(events);
    this.#media = media;
  }

  /** The text spoken so far is unknown, so all of it counts. */
  override get usage(): Usage {
    return { ...(this.events.usage ?? NO_USAGE), characters: this.#media.characters };
  }

  override deliveredTokens(): number {
    return 0;
  }
}

/** Withheld bytes: about a tenth of a second. */
const TAIL_BYTES = 1_024;

/** Sound as bytes. Its end is withheld until the charge is committed. */
class SoundStream implements AnswerStream {
  readonly contentType: string;
  readonly closing = Buffer.alloc(0);
  readonly #sound: SpokenSound;
  #tail: Buffer = Buffer.alloc(0);
  #state: AnswerStream["state"] = "running";
  #failure: Failure | undefined;

  constructor(contentType: string, media: SpeechRequest) {
    this.contentType = contentType;
    this.#sound = new SpokenSound(media);
  }

  get state(): AnswerStream["state"] {
    return this.#state;
  }

  get failure(): Failure | undefined {
    return this.#failure;
  }

  get sawContent(): boolean {
    return this.#sound.bytes > 0;
  }

  get usage(): Usage {
    const isWhole = this.#state === "complete";
    return { ...NO_USAGE, characters: this.#sound.characters(isWhole), seconds: Math.ceil(this.#sound.seconds()) };
  }

  deliveredTokens(): number {
    return 0;
  }

  push(chunk: Buffer): Buffer | undefined {
    const sound = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk]);
    const end = Math.max(0, sound.length - TAIL_BYTES);
    this.#tail = sound.subarray(end);
    if (end === 0) return undefined;
    const passing = sound.subarray(0, end);
    this.#sound.add(passing);
    return passing;
  }

  finish(): Buffer | undefined {
    this.#sound.add(this.#tail);
    if (this.#sound.bytes === 0) {
      this.#state = "failed";
      this.#failure = failureOf("bad-answer", 200, "The provider's answer holds no sound.");
      return undefined;
    }
    this.#state = "complete";
    return this.#tail;
  }
}
