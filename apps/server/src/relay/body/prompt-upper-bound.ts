import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import { FEES_OF_USE, isFunction, isHostedTool, mostFeesOf, toolsIn, USUAL_SEARCHES } from "./hosted-tools.ts";
import { requestsSearch, SEARCH_FIELDS } from "./search-fields.ts";
import { isElided, lengthInBody } from "./outline.ts";

export interface PromptUpperBound {
  readonly promptTokens: number;
  readonly audioPromptTokens: number;
  readonly hasImages: boolean;
  /** The size is known to the provider alone (a document, a video, search results): the prompt may fill the model's context. */
  readonly isOpen: boolean;
  /** Upper bound of the fees of hosted tools, in units of $0.0005. */
  readonly toolFees: number;
  readonly leastFees?: number;
  readonly wantsAudio: boolean;
  readonly wantsPictures?: boolean | undefined;
}

/** Upper bound of one image (gpt-4o-mini at high detail, 2,048 px: 36,835). */
const IMAGE_TOKENS = 37_000;
const FRAME_TOKENS = 16;
/** Upper bound of a provider's instructions with tools, and of each hosted tool (Anthropic: up to 735). */
const TOOL_FRAME_TOKENS = 1_024;
const BYTES_PER_CHARACTER = 3 / 4;
const BYTES_PER_AUDIO_TOKEN = 31;
/** An hour of audio, for an address or a compressed format whose size does not show the length. */
const UNKNOWN_AUDIO_TOKENS = 3_600 * 32;
/** Longest address, in characters. Real audio is longer. */
const LONGEST_ADDRESS = 4_096;

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
/** Content stored by the provider or fetched elsewhere. */
const STORED_FIELDS = [
  "thread",
  "previous_message_id",
  "previous_response_id",
  "conversation",
  "container",
  "mcp_servers",
  "documents",
  "cachedContent",
  "cached_content",
  "data_sources",
  "dataSources",
];
export const BOUND_FIELDS: readonly string[] = [...CONTENT_FIELDS, ...SEARCH_FIELDS, ...STORED_FIELDS];

/** Upper bound from the body or its outline. Text: no tokenizer makes more than one token of a byte. Other media have their own bounds. */
export function promptUpperBound(json: JsonRecord, bodyBytes: number, options: JsonRecord = json): PromptUpperBound {
  const media = new MediaFinder();
  for (const field of CONTENT_FIELDS) media.scan(json[field]);
  const { audio } = json;
  const { modalities } = options;
  const tools = toolsIn(json);
  const typed = tools.filter((tool) => !isFunction(tool));
  const framed = tools.length > 0 ? FRAME_TOKENS + TOOL_FRAME_TOKENS * (1 + typed.length) : FRAME_TOKENS;
  const searches = requestsSearch(json);
  return {
    promptTokens: bodyBytes - media.letters + media.images * IMAGE_TOKENS + framed,
    audioPromptTokens: media.audioTokens,
    hasImages: media.images > 0 || media.isOpen,
    isOpen:
      media.isOpen ||
      searches ||
      STORED_FIELDS.some((field) => isOn(json[field])) ||
      isTemplate(json["prompt"]) ||
      listOf(json["input"]).some(isReference) ||
      isCompacted(json["context_management"]) ||
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

function isTemplate(prompt: unknown): boolean {
  return isRecord(prompt) && prompt["id"] !== undefined;
}

/** Claude may compact the prompt, which reads all of it again. */
function isCompacted(management: unknown): boolean {
  return listOf(recordOf(management)["edits"]).some((edit) => textOf(recordOf(edit)["type"]).startsWith("compact"));
}

function isReference(item: unknown): boolean {
  const { type = null, role, id } = recordOf(item);
  return type === "item_reference" || (type === null && role === undefined && typeof id === "string");
}

type MediaKind = "image" | "audio" | "open";

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

const INLINE_FIELDS: ReadonlySet<string> = new Set(["inlineData", "inline_data"]);

const CALLER_JSON_FIELDS: ReadonlySet<string> = new Set([
  "args",
  "arguments",
  "attributes",
  "env",
  "input",
  "input_schema",
  "parameters",
  "response",
]);

class MediaFinder {
  images = 0;
  audioTokens = 0;
  isOpen = false;
  letters = 0;

  scan(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const item of listOf(value)) this.scan(item);
      return;
    }
    if (isRecord(value)) this.#scanPart(value);
  }

  /** Allocates nothing: there may be 50,000 parts, and every short request has some. */
  #scanPart(part: JsonRecord): void {
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
        this.#countLetters(value);
        if (kind === "audio") this.audioTokens += audioTokensOf(value);
      } else if (INLINE_FIELDS.has(name) && isOn(value)) {
        const inline = this.#scanInline(recordOf(value));
        isImage ||= inline === "image";
        isOpen ||= inline === "open";
      } else if (name === "source" && ofType !== undefined) {
        this.#countLetters(value);
      } else if (!CALLER_JSON_FIELDS.has(name)) {
        this.scan(value);
      }
    }
    if (isImage) this.images += 1;
    if (isOpen) this.isOpen = true;
    if (ofType === "audio" && !namesAudio) this.audioTokens += UNKNOWN_AUDIO_TOKENS;
  }

  /** A type that is given twice is ignored. */
  #scanInline(medium: JsonRecord): MediaKind {
    const [mediaType, ...others] = [medium["mimeType"], medium["mime_type"]].filter((type) => type !== undefined);
    this.#countLetters(medium);
    const named = others.length > 0 ? "" : textOf(mediaType);
    if (/^image\//i.test(named)) return "image";
    if (!/^audio\//i.test(named)) return "open";
    const format = /^audio\/(?:x-)?(wav|mp3|mpeg)$/i.exec(named)?.[1]?.toLowerCase() ?? "";
    this.audioTokens += audioTokensOf({ data: medium["data"], format: format === "mpeg" ? "mp3" : format });
    return "audio";
  }

  #countLetters(value: unknown): void {
    if (typeof value === "string") this.letters += lengthInBody(value);
    else if (isRecord(value)) for (const name in value) this.#countLetters(value[name]);
  }
}

function kindOfType(type: unknown): MediaKind | undefined {
  if (typeof type !== "string") return undefined;
  if (isElided(type)) return "open";
  if (/audio|speech/i.test(type)) return "audio";
  if (/image|picture/i.test(type)) return "image";
  return /file|video|document|pdf|media/i.test(type) ? "open" : undefined;
}

/** `{data, format}`, an address, or the id of an earlier answer, which counts as audio again. */
function audioTokensOf(value: unknown): number {
  const { data, format } = recordOf(value);
  const letters = lengthInBody(textOf(data));
  const isAddress =
    letters === 0 || /^https?:/i.test(textOf(data)) || (isElided(textOf(data)) && letters < LONGEST_ADDRESS);
  if (isAddress || (format !== undefined && format !== "wav" && format !== "mp3")) return UNKNOWN_AUDIO_TOKENS;
  return Math.ceil((letters * BYTES_PER_CHARACTER) / BYTES_PER_AUDIO_TOKEN);
}
