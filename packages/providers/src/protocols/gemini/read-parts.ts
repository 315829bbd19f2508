import type {
  FilePart,
  ImagePart,
  MediaSource,
  MessagePart,
  ReasoningPart,
  TextPart,
} from "../../neutral/message-part.ts";
import { openSeal } from "../../neutral/sealed-thoughts.ts";
import { nameSigner } from "../../neutral/signature.ts";
import { isRecord, type JsonRecord, recordOf, textOf } from "../../shared/json-fields.ts";
import { fieldOf, listField, recordField } from "./fields.ts";

/** Assigns ids to calls, and pairs results with calls: Gemini's callers may omit ids. */
export class CallIds {
  readonly #open = new Map<string, string[]>();
  #calls = 0;

  ofCall(given: string, name: string): string {
    const id = given === "" ? `call_${this.#calls}` : given;
    this.#calls += 1;
    this.#open.set(name, [...(this.#open.get(name) ?? []), id]);
    return id;
  }

  ofResult(given: string, name: string): string {
    const open = this.#open.get(name) ?? [];
    const id = given !== "" ? given : (open[0] ?? `call_${name}`);
    this.#open.set(
      name,
      open.filter((other) => other !== id),
    );
    return id;
  }
}

/**
 * Joins adjacent thoughts, because streams cut them anywhere. A signature ends the preceding thought, else it becomes
 * a part before the signed one. `ids` is for requests; answers have the provider's ids.
 */
export function readParts(content: JsonRecord, ids?: CallIds): readonly MessagePart[] {
  const parts: MessagePart[] = [];
  for (const part of listField(content, "parts").filter(isRecord)) {
    if (part.thought === true) addThought(parts, textOf(part.text));
    const signature = textOf(fieldOf(part, "thoughtSignature"));
    if (signature !== "") addSignature(parts, signature);
    if (part.thought !== true) parts.push(...readPart(part, ids));
  }
  return parts;
}

function addThought(parts: MessagePart[], text: string): void {
  const open = openThought(parts);
  if (open === undefined) parts.push({ type: "reasoning", text, signature: "" });
  else parts[parts.length - 1] = { ...open, text: open.text + text };
}

function openThought(parts: readonly MessagePart[]): ReasoningPart | undefined {
  const last = parts.at(-1);
  return last?.type === "reasoning" && last.signature === "" ? last : undefined;
}

/** A seal contains all preceding thoughts, whether or not the caller has sent them too. */
function addSignature(parts: MessagePart[], signature: string): void {
  const shown = openThought(parts);
  if (shown !== undefined) parts.pop();
  const text = shown?.text ?? "";
  const own = { type: "reasoning", text, signature: nameSigner("gemini", signature) } as const;
  parts.push(...(openSeal(signature, text) ?? [own]));
}

function readPart(part: JsonRecord, ids?: CallIds): readonly MessagePart[] {
  const call = fieldOf(part, "functionCall");
  if (isRecord(call)) {
    const name = textOf(call.name);
    const id = ids?.ofCall(textOf(call.id), name) ?? textOf(call.id);
    return [{ type: "tool-call", id, name, input: JSON.stringify(recordOf(call.args)) }];
  }
  const result = fieldOf(part, "functionResponse");
  if (isRecord(result)) {
    const callId = ids?.ofResult(textOf(result.id), textOf(result.name)) ?? textOf(result.id);
    return [{ type: "tool-result", callId, ...readResult(result) }];
  }
  if (typeof part.text === "string") return part.text === "" ? [] : [{ type: "text", text: part.text }];
  return [readMedium(part) ?? { type: "native", format: "gemini-content", value: part }];
}

function readMedium(part: JsonRecord): MessagePart | undefined {
  const inline = fieldOf(part, "inlineData");
  if (isRecord(inline)) {
    const mediaType = textOf(fieldOf(inline, "mimeType")).toLowerCase();
    const data = textOf(inline.data);
    const encoding = ENCODINGS.get(mediaType);
    if (encoding !== undefined) return { type: "audio", data, encoding };
    return mediumOf({ type: "base64", mediaType, data }, mediaType, textOf(fieldOf(inline, "displayName")));
  }
  const stored = recordField(part, "fileData");
  const url = textOf(fieldOf(stored, "fileUri"));
  if (url === "") return undefined;
  const mediaType = textOf(fieldOf(stored, "mimeType")).toLowerCase();
  // URLs of Google's own storage have no meaning for other providers.
  const isStored = /^https:\/\/[\w.-]+\.googleapis\.com\/|^gs:|^files\//.test(url);
  const source: MediaSource = isStored ? { type: "stored", id: url, mediaType } : { type: "url", url, mediaType };
  return mediumOf(source, mediaType, textOf(fieldOf(stored, "displayName")));
}

function mediumOf(source: MediaSource, mediaType: string, name: string): ImagePart | FilePart {
  return mediaType.startsWith("image/") ? { type: "image", source } : { type: "file", source, name };
}

const ENCODINGS = new Map<string, string>([
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/mp3", "mp3"],
  ["audio/mpeg", "mp3"],
  ["audio/aiff", "aiff"],
  ["audio/aac", "aac"],
  ["audio/ogg", "ogg"],
  ["audio/flac", "flac"],
]);

/** Text of a tool result if the object holds nothing else, else the object as JSON. */
function readResult(result: JsonRecord): {
  readonly content: readonly (TextPart | ImagePart | FilePart)[];
  readonly isError: boolean;
} {
  const response = recordOf(result.response);
  const names = Object.keys(response);
  const [only] = names;
  const isNamed = names.length === 1 && (only === "output" || only === "result" || only === "error");
  const value = isNamed && only !== undefined ? response[only] : response;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const shown = listField(result, "parts")
    .map((part) => readMedium(recordOf(part)))
    .filter(isShown);
  return { content: [{ type: "text", text }, ...shown], isError: isNamed && only === "error" };
}

/** Names of fields without a neutral equivalent: video sections, media resolution, and other media in tool results. */
export function lostOfPart(part: JsonRecord): readonly string[] {
  const said = ["videoMetadata", "mediaResolution"].filter((name) => fieldOf(part, name) !== undefined);
  const answered = listField(recordField(part, "functionResponse"), "parts").filter(
    (each) => !isShown(readMedium(recordOf(each))),
  );
  return [
    ...said.map((name) => `contents.parts.${name}`),
    ...(answered.length > 0 ? ["contents.parts.functionResponse.parts"] : []),
  ];
}

function isShown(part: MessagePart | undefined): part is ImagePart | FilePart {
  return part?.type === "image" || part?.type === "file";
}
