import type { RealtimeRequest } from "@one-api/providers/format";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import type { Usage } from "@one-api/providers/usage";
import { isElided, lengthInBody } from "../body/index.ts";

/** How many model tokens something has: at the most, and about. */
interface Size {
  readonly most: number;
  readonly about: number;
}

/** No picture costs more than this, in tokens, and about this. */
const IMAGE_TOKENS: Size = { most: 37_000, about: 1_000 };
/** The same of one that is sent with its type beside it, at the finest that can be asked for, and as a camera's stream is read. */
const INLINE_IMAGE_TOKENS: Size = { most: 2_240, about: 258 };
/** A second of sound that is sent so, and its most samples. */
const [MOST_HEARD_TOKENS, HEARD_TOKENS, MOST_RATE] = [32, 25, 48_000];
/** What stands around a piece of a stream of sound; more than that may be read too, such as a field that is there twice. */
const MOST_FRAME_BYTES = 1_024;
/** Around an item, in tokens. */
const FRAME_TOKENS = 16;
/** Letters of base64 in a token of sound, ten of which are a second: of telephones' 8,000 bytes a second, and of PCM's 48,000. */
const [MOST_LETTERS_PER_TOKEN, LETTERS_PER_TOKEN] = [1_066, 6_400];
/** Letters of a text in a token, about. */
const LETTERS_OF_TEXT = 4;

/** How long the prompt of a session's next answer is: what the caller has sent, and what the model has answered. */
export class SessionPrompt {
  readonly #mostTokens: number;
  #most = 0;
  #about = 0;
  /** What the session is told to be stands before every answer, whether it is part of the conversation or not. */
  #settings = 0;

  /** `mostTokens`: of the model's context. */
  constructor(mostTokens: number) {
    this.#mostTokens = mostTokens;
  }

  /** In tokens, at the most. */
  get most(): number {
    return Math.min(this.#mostTokens, this.#most);
  }

  /** In tokens, about. */
  get about(): number {
    return Math.min(this.#mostTokens, Math.ceil(this.#about));
  }

  /** Adds a caller's event of a kind, by its outline and its length in bytes. Returns how many tokens of sound it has at the most. */
  add(kind: RealtimeRequest["kind"], event: JsonRecord, bytes: number): number {
    const media = mediaIn(event, this.#mostTokens);
    const isMedia = kind === "audio" && bytes - media.letters <= MOST_FRAME_BYTES;
    const size = isMedia ? media : sizeOf(event, bytes, media, this.#mostTokens);
    this.#most += size.most;
    this.#about += size.about;
    if (kind === "configure") this.#settings += size.most;
    return kind === "audio" ? media.most : 0;
  }

  /**
   * An answer has ended whose usage tells how long the conversation was. `before` is what was known of it when it began: what was sent since comes
   * on top.
   */
  correct({ promptTokens, completionTokens }: Usage, before: Size): void {
    const total = promptTokens + completionTokens;
    this.#most = Math.min(this.#most, total + this.#settings + Math.max(0, this.#most - before.most));
    this.#about = total + Math.max(0, this.#about - before.about);
  }

  /** An answer has ended that tells nothing of the conversation: it may be part of it. */
  grow(tokens: number): void {
    this.#most += tokens;
    this.#about += tokens;
  }

  /** As it stands now. */
  mark(): Size {
    return { most: this.#most, about: this.#about };
  }
}

function soundSize(audio: unknown): Size {
  const letters = lengthInBody(textOf(audio));
  return { most: Math.ceil(letters / MOST_LETTERS_PER_TOKEN), about: letters / LETTERS_PER_TOKEN };
}

/** Pictures and sound of an event, and how many of its letters they are. */
interface Media extends Size {
  readonly letters: number;
}

/** Where both APIs have pictures and sound, and what leads there, in lower case; the same names in JSON of the caller's own are text. */
const PLACES: ReadonlySet<string> = new Set(
  (
    "item content response input setup systeminstruction clientcontent turns parts inlinedata " +
    "realtimeinput audio video mediachunks toolresponse functionresponses functionresponse"
  ).split(" "),
);

/** Pictures and sound, at what they can count as; anything else that a model reads may fill the context. */
function mediaIn(event: JsonRecord, contextTokens: number): Media {
  const media = { letters: 0, most: 0, about: 0 };
  const add = (value: string, size: Size) => {
    media.letters += lengthInBody(value);
    media.most += size.most;
    media.about += size.about;
  };
  const look = (value: unknown, place: string | undefined): void => {
    for (const item of listOf(value)) look(item, place);
    if (!isRecord(value)) return;
    for (const [name, field] of Object.entries(value)) {
      const plain = name.replaceAll("_", "").toLowerCase();
      if (plain === "filedata") media.most += contextTokens;
      if (typeof field !== "string") look(field, place === undefined ? undefined : placeIn(place, plain));
      else if (place === undefined) continue;
      else if (name === "data") add(field, inlineSize(value, field, contextTokens));
      else if (name === "audio") add(field, soundSize(field));
      else if (name === "image_url") add(field, IMAGE_TOKENS);
    }
  };
  look(event, "");
  return media;
}

function placeIn(holder: string, name: string): string | undefined {
  // What a function has answered is JSON of the caller's own.
  if (name === "response" && holder.startsWith("functionresponse")) return undefined;
  return PLACES.has(name) ? name : undefined;
}

/** What is sent with its type beside it. Sources: https://ai.google.dev/gemini-api/docs/live-guide, https://ai.google.dev/gemini-api/docs/media-resolution */
function inlineSize(holder: JsonRecord, data: string, contextTokens: number): Size {
  const { mimeType, mime_type: otherName } = holder;
  const type = mimeType !== undefined && otherName !== undefined ? "" : textOf(mimeType ?? otherName);
  const letters = lengthInBody(data);
  if (/^image\/(?!svg)/i.test(type)) return INLINE_IMAGE_TOKENS;
  const sound = /^audio\/pcm(?:;\s*rate=(\d{1,6}))?$/i.exec(type);
  if (sound === null) return { most: contextTokens, about: letters / LETTERS_OF_TEXT };
  const [, rate = "16000"] = sound;
  const seconds = (letters * 3) / 4 / (2 * Math.min(MOST_RATE, Math.max(1, Number(rate))));
  return { most: Math.ceil(seconds * MOST_HEARD_TOKENS), about: seconds * HEARD_TOKENS };
}

/** No tokenizer makes more than one token of a byte; pictures and sound are taken at their own bound instead of their letters. */
function sizeOf(event: JsonRecord, bytes: number, media: Media, contextTokens: number): Size {
  const text = bytes - media.letters + FRAME_TOKENS;
  const most = isOpen(event) ? contextTokens : text + media.most;
  return { most, about: text / LETTERS_OF_TEXT + media.about };
}

/** True for what names something that only the provider knows: a prompt that it keeps, or tools of another server. */
function isOpen(event: JsonRecord): boolean {
  return ["session", "response"].some((name) => {
    const { prompt, tools } = recordOf(event[name]);
    const hasServer = listOf(tools).some((tool) => textOf(recordOf(tool)["type"]) !== "function");
    return isRecord(prompt) || hasServer || isElided(textOf(prompt));
  });
}
