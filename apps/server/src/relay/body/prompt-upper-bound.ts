import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import { FEES_OF_USE, isFunction, isHostedTool, mostFeesOf, toolsIn, USUAL_SEARCHES } from "./hosted-tools.ts";
import { asksForSearch, SEARCH_FIELDS } from "./search-fields.ts";
import { isCutText, lengthInBody } from "./outline.ts";

/** What the prompt of a request can be counted as at the most, in model tokens. */
export interface PromptUpperBound {
  /** Without audio. */
  readonly promptTokens: number;
  readonly audioPromptTokens: number;
  readonly hasImages: boolean;
  /** The prompt names something whose size only the provider learns (a document, a video, what a search finds): it can fill the model's context. */
  readonly isOpen: boolean;
  /** What tools may cost that the provider runs, in fees of $0.0005. */
  readonly toolFees: number;
  /** What tools cost that always run, where no answer tells it. */
  readonly leastFees?: number;
  /** The answer may be audio. */
  readonly wantsAudio: boolean;
  /** Whether the answer is to have pictures; undefined where the request leaves that to the model. */
  readonly wantsPictures?: boolean | undefined;
}

/** No image costs more than this in any model's count, in tokens (gpt-4o-mini at high detail, 2,048 px: 36,835). */
const IMAGE_TOKENS = 37_000;
/** What providers add around messages at the most, beyond the bytes that name them. */
const FRAME_TOKENS = 16;
/** What providers tell their models when there are tools, and of each tool of their own, in tokens (Anthropic: up to 735). */
const TOOL_FRAME_TOKENS = 1_024;
/** Base64 holds three bytes in four characters. */
const BYTES_PER_CHARACTER = 3 / 4;
/** A second of the smallest files, MP3 at 8 kbit/s, has 1,000 bytes and at most 32 tokens (Gemini; OpenAI has 10). */
const BYTES_PER_AUDIO_TOKEN = 31;
/** Audio behind an address, or packed so that its size says nothing of its length, may be any: an hour of it. */
const UNKNOWN_AUDIO_TOKENS = 3_600 * 32;
/** Nobody sends less audio than this, in characters; an address is shorter. */
const LONGEST_ADDRESS = 4_096;

/** Fields that are read by the model as something else than the bytes that stand there. */
export const CONTENT_FIELDS = [
  "messages",
  "input",
  "prompt",
  "system",
  "contents",
  "systemInstruction",
  "system_instruction",
  "content",
  "requests",
  "generateContentRequest",
];
/** Fields that name what the provider has kept, or fetches elsewhere. */
const KEPT_FIELDS = [
  "thread",
  "previous_message_id",
  "previous_response_id",
  "conversation",
  "container",
  "mcp_servers",
  "documents",
  "cachedContent",
  "cached_content",
  // Azure reads an index of the caller's own, or an address, into the prompt.
  "data_sources",
  "dataSources",
];
/** Names that the bound goes by beside those of the request's own shape. */
export const BOUND_FIELDS: readonly string[] = [...CONTENT_FIELDS, ...SEARCH_FIELDS, ...KEPT_FIELDS];

/**
 * Returns an upper bound of a request's prompt from its parsed body, or from the outline of it. No tokenizer makes more than one token of a byte, so
 * the length of the body bounds its text without counting it, wherever it stands; images, audio and files are found by what they are,
 * in any part of any message and however their names are spelt, and are taken at their own bound instead of their letters. Nothing in JSON of the
 * caller's own is one of them.
 */
export function promptUpperBound(json: JsonRecord, bodyBytes: number, options: JsonRecord = json): PromptUpperBound {
  const media = new MediaFinder();
  for (const field of CONTENT_FIELDS) media.look(json[field]);
  const { audio } = json;
  const { modalities } = options;
  const tools = toolsIn(json);
  const typed = tools.filter((tool) => !isFunction(tool));
  const framed = tools.length > 0 ? FRAME_TOKENS + TOOL_FRAME_TOKENS * (1 + typed.length) : FRAME_TOKENS;
  const searches = asksForSearch(json);
  return {
    promptTokens: bodyBytes - media.letters + media.images * IMAGE_TOKENS + framed,
    audioPromptTokens: media.audioTokens,
    hasImages: media.images > 0 || media.isOpen,
    isOpen:
      media.isOpen ||
      searches ||
      KEPT_FIELDS.some((field) => isOn(json[field])) ||
      isTemplate(json["prompt"]) ||
      listOf(json["input"]).some(isReference) ||
      isSummedUp(json["context_management"]) ||
      typed.some(isHostedTool),
    toolFees: typed.reduce(
      (sum: number, tool) => sum + mostFeesOf(recordOf(tool)),
      searches ? USUAL_SEARCHES * FEES_OF_USE : 0,
    ),
    leastFees: searches ? FEES_OF_USE : 0,
    wantsAudio: isOn(audio) || listOf(modalities).some((modality) => modality !== "text" && modality !== "image"),
    wantsPictures: Array.isArray(modalities) ? listOf(modalities).includes("image") : undefined,
  };
}

function isOn(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** A prompt that the provider has kept, with values for its gaps. */
function isTemplate(prompt: unknown): boolean {
  return isRecord(prompt) && prompt["id"] !== undefined;
}

/** A prompt that Claude may sum up on the way: then all of it is read once more. */
function isSummedUp(management: unknown): boolean {
  return listOf(recordOf(management)["edits"]).some((edit) => textOf(recordOf(edit)["type"]).startsWith("compact"));
}

/** What stands in the provider's memory of a conversation, by its id; its type need not be said. */
function isReference(item: unknown): boolean {
  const { type = null, role, id } = recordOf(item);
  return type === "item_reference" || (type === null && role === undefined && typeof id === "string");
}

type MediaKind = "image" | "audio" | "open";

/** Names under which parts hold what is no text. */
const KIND_OF_FIELD = new Map<string, MediaKind>([
  ["image_url", "image"],
  ["image", "image"],
  ["input_image", "image"],
  ["input_audio", "audio"],
  ["audio_url", "audio"],
  ["audio", "audio"],
  ["video_url", "open"],
  ["video", "open"],
  ["file", "open"],
  ["file_id", "open"],
  ["file_url", "open"],
  ["file_data", "open"],
  ["fileData", "open"],
]);

/** Where Gemini's parts hold bytes. */
const INLINE_FIELDS: ReadonlySet<string> = new Set(["inlineData", "inline_data"]);

/** Fields that hold JSON of the caller's own, such as the arguments of a call: models read it as text, whatever its fields are called. */
const OWN_JSON_FIELDS: ReadonlySet<string> = new Set([
  "args",
  "arguments",
  "attributes",
  "env",
  "input",
  "input_schema",
  "parameters",
  "response",
]);

/** Goes through content and adds up what of it is no text. */
class MediaFinder {
  images = 0;
  audioTokens = 0;
  isOpen = false;
  /** Letters that stand for images, audio and files, which nobody reads as text. */
  letters = 0;

  look(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const item of listOf(value)) this.look(item);
      return;
    }
    if (isRecord(value)) this.#lookAt(value);
  }

  /** Makes nothing but the counts: there may be fifty thousand parts, and every short request has some. */
  #lookAt(part: JsonRecord): void {
    const ofType = kindOfType(part["type"]);
    let isImage = ofType === "image";
    let isOpen = ofType === "open";
    let namesAudio = false;
    for (const name in part) {
      const value = part[name];
      const kind = KIND_OF_FIELD.get(name);
      if (kind === "audio") namesAudio = true;
      if (kind !== undefined && isOn(value)) {
        isImage ||= kind === "image";
        isOpen ||= kind === "open";
        this.#passOver(value);
        if (kind === "audio") this.audioTokens += audioTokensOf(value);
      } else if (INLINE_FIELDS.has(name) && isOn(value)) {
        const inline = this.#lookAtInline(recordOf(value));
        isImage ||= inline === "image";
        isOpen ||= inline === "open";
      } else if (name === "source" && ofType !== undefined) {
        this.#passOver(value);
      } else if (!OWN_JSON_FIELDS.has(name)) {
        this.look(value);
      }
    }
    if (isImage) this.images += 1;
    if (isOpen) this.isOpen = true;
    if (ofType === "audio" && !namesAudio) this.audioTokens += UNKNOWN_AUDIO_TOKENS;
  }

  /** Gemini's media, which say what they are beside their bytes; those that say it twice are not believed. */
  #lookAtInline(medium: JsonRecord): MediaKind {
    const [mediaType, ...others] = [medium["mimeType"], medium["mime_type"]].filter((type) => type !== undefined);
    this.#passOver(medium);
    const named = others.length > 0 ? "" : textOf(mediaType);
    if (/^image\//i.test(named)) return "image";
    if (!/^audio\//i.test(named)) return "open";
    const format = /^audio\/(?:x-)?(wav|mp3|mpeg)$/i.exec(named)?.[1]?.toLowerCase() ?? "";
    this.audioTokens += audioTokensOf({ data: medium["data"], format: format === "mpeg" ? "mp3" : format });
    return "audio";
  }

  /** What holds the letters of an image or a file: an address, or an object with them. */
  #passOver(value: unknown): void {
    if (typeof value === "string") this.letters += lengthInBody(value);
    else if (isRecord(value)) for (const name in value) this.#passOver(value[name]);
  }
}

function kindOfType(type: unknown): MediaKind | undefined {
  if (typeof type !== "string") return undefined;
  if (isCutText(type)) return "open";
  if (/audio|speech/i.test(type)) return "audio";
  if (/image|picture/i.test(type)) return "image";
  return /file|video|document|pdf|media/i.test(type) ? "open" : undefined;
}

/** `{data, format}`, an address, or the id of an earlier answer of the model, which is read as audio again. */
function audioTokensOf(value: unknown): number {
  const { data, format } = recordOf(value);
  const letters = lengthInBody(textOf(data));
  const isAddress =
    letters === 0 || /^https?:/i.test(textOf(data)) || (isCutText(textOf(data)) && letters < LONGEST_ADDRESS);
  if (isAddress || (format !== undefined && format !== "wav" && format !== "mp3")) return UNKNOWN_AUDIO_TOKENS;
  return Math.ceil((letters * BYTES_PER_CHARACTER) / BYTES_PER_AUDIO_TOKEN);
}
