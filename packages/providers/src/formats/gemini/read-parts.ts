import type { FilePart, ImagePart, MediaSource, MessagePart, TextPart } from "../../neutral/message-part.ts";
import { nameSigner, signatureOf } from "../../neutral/signature.ts";
import { isRecord, type JsonRecord, listOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { fieldOf, recordField } from "./fields.ts";

/** Gives calls of tools their ids, where Gemini has given none, and finds the call that a result belongs to. */
export class CallIds {
  readonly #prefix: string;
  /** Ids of calls without a result yet, by the tool's name. */
  readonly #open = new Map<string, string[]>();
  #calls = 0;

  /** Ids that are made begin with `prefix`. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  ofCall(given: string, name: string): string {
    const id = given === "" ? `${this.#prefix}${this.#calls}` : given;
    this.#calls += 1;
    this.#open.set(name, [...(this.#open.get(name) ?? []), id]);
    return id;
  }

  ofResult(given: string, name: string): string {
    const open = this.#open.get(name) ?? [];
    const id = given !== "" ? given : (open[0] ?? `${this.#prefix}${name}`);
    this.#open.set(
      name,
      open.filter((other) => other !== id),
    );
    return id;
  }
}

/** The parts of a content, of a request or of an answer. A signature becomes a thought in front of the part that it stands on. */
export function readParts(content: JsonRecord, ids: CallIds): readonly MessagePart[] {
  const parts: MessagePart[] = [];
  for (const part of listOf(content.parts).filter(isRecord)) {
    const signature = readSignature(textOf(fieldOf(part, "thoughtSignature")));
    if (part.thought === true) {
      parts.push({ type: "reasoning", text: textOf(part.text), signature });
      continue;
    }
    if (signature !== "") {
      const before = parts.at(-1);
      if (before?.type === "reasoning" && before.signature === "") parts[parts.length - 1] = { ...before, signature };
      else parts.push({ type: "reasoning", text: "", signature });
    }
    parts.push(...readPart(part, ids));
  }
  return parts;
}

function readPart(part: JsonRecord, ids: CallIds): readonly MessagePart[] {
  const call = fieldOf(part, "functionCall");
  if (isRecord(call)) {
    const name = textOf(call.name);
    const id = ids.ofCall(textOf(call.id), name);
    return [{ type: "tool-call", id, name, input: JSON.stringify(recordOf(call.args)) }];
  }
  const result = fieldOf(part, "functionResponse");
  if (isRecord(result)) {
    const callId = ids.ofResult(textOf(result.id), textOf(result.name));
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
  // Addresses of Google's own store mean nothing to anybody else.
  const isStored = /^https:\/\/[\w.-]+\.googleapis\.com\/|^gs:|^files\//.test(url);
  const source: MediaSource = isStored ? { type: "stored", id: url, mediaType } : { type: "url", url, mediaType };
  return mediumOf(source, mediaType, textOf(fieldOf(stored, "displayName")));
}

function mediumOf(source: MediaSource, mediaType: string, name: string): ImagePart | FilePart {
  return mediaType.startsWith("image/") ? { type: "image", source } : { type: "file", source, name };
}

/** Audio by its media type. */
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

/** What a tool answered: a text where the object holds nothing else, the object as JSON otherwise. */
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
  const shown = listOf(result.parts)
    .map((part) => readMedium(recordOf(part)))
    .filter(isShown);
  return { content: [{ type: "text", text }, ...shown], isError: isNamed && only === "error" };
}

/** What a part says that the neutral form has no word for: which stretch of a film is meant, how finely it is looked at, and what else a tool has answered. */
export function lostOfPart(part: JsonRecord): readonly string[] {
  const said = ["videoMetadata", "mediaResolution"].filter((name) => fieldOf(part, name) !== undefined);
  const answered = listOf(recordField(part, "functionResponse").parts).filter(
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

/** What stands in a signature for one of another provider, which callers of this format keep for it: bytes that begin so. */
const FOREIGN = "one-api ";

/** A signature as the neutral form has it, from one of a caller or of Gemini itself. */
function readSignature(signature: string): string {
  if (signature === "") return "";
  const bytes = Buffer.from(signature, "base64").toString("latin1");
  return bytes.startsWith(FOREIGN) ? bytes.slice(FOREIGN.length) : nameSigner("gemini", signature);
}

/** A signature as callers of this format get it: bytes, whoever signed. */
export function writeSignature(named: string): string {
  return signatureOf("gemini", named) ?? Buffer.from(FOREIGN + named, "latin1").toString("base64");
}

/** Arguments of a call as an object; what the model wrote as none is kept as a text. */
export function readInput(input: string): JsonRecord {
  if (input.trim() === "") return {};
  const parsed = parseJson(input);
  return isRecord(parsed) ? parsed : { input };
}
