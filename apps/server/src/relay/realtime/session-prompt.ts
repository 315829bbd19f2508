import type { RealtimeRequest } from "@one-api/providers/realtime-side";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import type { Usage } from "@one-api/providers/usage";
import { isElided, lengthInBody } from "../body/index.ts";

interface Size {
  readonly most: number;
  readonly about: number;
}

const IMAGE_TOKENS: Size = { most: 37_000, about: 1_000 };
/** Of an inline image, at the finest resolution, and as part of a camera's stream. */
const INLINE_IMAGE_TOKENS: Size = { most: 2_240, about: 258 };
/** PCM sound: upper bound and estimate of tokens a second, and the largest sample rate. */
const [MAX_PCM_TOKENS, PCM_TOKENS, MAX_RATE] = [32, 25, 48_000];
/** Framing of a chunk of sound. Longer framing may contain text, such as a repeated field. */
const MAX_FRAME_BYTES = 1_024;
const FRAME_TOKENS = 16;
/** Base64 letters per audio token, ten tokens a second: telephony has 8,000 bytes a second, PCM 48,000. */
const [MAX_LETTERS_PER_TOKEN, LETTERS_PER_TOKEN] = [1_066, 6_400];
const LETTERS_OF_TEXT = 4;

export class SessionPrompt {
  readonly #mostTokens: number;
  #most = 0;
  #about = 0;
  /** The configuration precedes every answer, in the conversation or not. */
  #settings = 0;

  constructor(mostTokens: number) {
    this.#mostTokens = mostTokens;
  }

  get most(): number {
    return Math.min(this.#mostTokens, this.#most);
  }

  get about(): number {
    return Math.min(this.#mostTokens, Math.ceil(this.#about));
  }

  /** Adds a caller's event, given as outline and length in bytes. Returns the upper bound of its audio tokens. */
  add(kind: RealtimeRequest["kind"], event: JsonRecord, bytes: number): number {
    const media = mediaIn(event, this.#mostTokens);
    const isMedia = kind === "audio" && bytes - media.letters <= MAX_FRAME_BYTES;
    const size = isMedia ? media : sizeOf(event, bytes, media, this.#mostTokens);
    this.#most += size.most;
    this.#about += size.about;
    if (kind === "configure") this.#settings += size.most;
    return kind === "audio" ? media.most : 0;
  }

  /** Corrects the length by an answer's usage, and retains additions since its start. `before`: the length at its start. */
  correct({ promptTokens, completionTokens }: Usage, before: Size): void {
    const total = promptTokens + completionTokens;
    this.#most = Math.min(this.#most, total + this.#settings + Math.max(0, this.#most - before.most));
    this.#about = total + Math.max(0, this.#about - before.about);
  }

  grow(tokens: number): void {
    this.#most += tokens;
    this.#about += tokens;
  }

  mark(): Size {
    return { most: this.#most, about: this.#about };
  }
}

function soundSize(audio: unknown): Size {
  const letters = lengthInBody(textOf(audio));
  return { most: Math.ceil(letters / MAX_LETTERS_PER_TOKEN), about: letters / LETTERS_PER_TOKEN };
}

interface Media extends Size {
  readonly letters: number;
}

/** Fields of both APIs that contain images and sound, and their parents, in lower case. In the caller's own JSON they are text. */
const MEDIA_PARENTS: ReadonlySet<string> = new Set(
  (
    "item content response input setup systeminstruction clientcontent turns parts inlinedata " +
    "realtimeinput audio video mediachunks toolresponse functionresponses functionresponse"
  ).split(" "),
);

/** Images and sound by their own bounds. A linked file may fill the context. */
function mediaIn(event: JsonRecord, contextTokens: number): Media {
  const media = { letters: 0, most: 0, about: 0 };
  const add = (value: string, size: Size) => {
    media.letters += lengthInBody(value);
    media.most += size.most;
    media.about += size.about;
  };
  const scan = (value: unknown, parent: string | undefined): void => {
    for (const item of listOf(value)) scan(item, parent);
    if (!isRecord(value)) return;
    for (const [name, field] of Object.entries(value)) {
      const plain = name.replaceAll("_", "").toLowerCase();
      if (plain === "filedata") media.most += contextTokens;
      if (typeof field !== "string") scan(field, parent === undefined ? undefined : parentOf(parent, plain));
      else if (parent === undefined) continue;
      else if (name === "data") add(field, inlineSize(value, field, contextTokens));
      else if (name === "audio") add(field, soundSize(field));
      else if (name === "image_url") add(field, IMAGE_TOKENS);
    }
  };
  scan(event, "");
  return media;
}

function parentOf(parent: string, name: string): string | undefined {
  // A function's result is the caller's own JSON.
  if (name === "response" && parent.startsWith("functionresponse")) return undefined;
  return MEDIA_PARENTS.has(name) ? name : undefined;
}

/** Sources: https://ai.google.dev/gemini-api/docs/live-guide, https://ai.google.dev/gemini-api/docs/media-resolution */
function inlineSize(medium: JsonRecord, data: string, contextTokens: number): Size {
  const { mimeType, mime_type: otherName } = medium;
  const type = mimeType !== undefined && otherName !== undefined ? "" : textOf(mimeType ?? otherName);
  const letters = lengthInBody(data);
  if (/^image\/(?!svg)/i.test(type)) return INLINE_IMAGE_TOKENS;
  const sound = /^audio\/pcm(?:;\s*rate=(\d{1,6}))?$/i.exec(type);
  if (sound === null) return { most: contextTokens, about: letters / LETTERS_OF_TEXT };
  const [, rate = "16000"] = sound;
  const seconds = (letters * 3) / 4 / (2 * Math.min(MAX_RATE, Math.max(1, Number(rate))));
  return { most: Math.ceil(seconds * MAX_PCM_TOKENS), about: seconds * PCM_TOKENS };
}

/** Text by bytes, since no tokenizer makes more than one token of a byte; images and sound by their own bounds. */
function sizeOf(event: JsonRecord, bytes: number, media: Media, contextTokens: number): Size {
  const text = bytes - media.letters + FRAME_TOKENS;
  const most = isOpen(event) ? contextTokens : text + media.most;
  return { most, about: text / LETTERS_OF_TEXT + media.about };
}

function isOpen(event: JsonRecord): boolean {
  return ["session", "response"].some((name) => {
    const { prompt, tools } = recordOf(event[name]);
    const hasServer = listOf(tools).some((tool) => textOf(recordOf(tool)["type"]) !== "function");
    return isRecord(prompt) || hasServer || isElided(textOf(prompt));
  });
}
