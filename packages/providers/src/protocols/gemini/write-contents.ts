import { type ChatMessage, type Drop, nativeName } from "../../neutral/chat-request.ts";
import {
  type FilePart,
  type ImagePart,
  type MediaSource,
  type MessagePart,
  type ToolResultPart,
  toolArguments,
} from "../../neutral/message-part.ts";
import { orderTurns } from "../../neutral/order-turns.ts";
import { signatureOf } from "../../neutral/signature.ts";
import { parseObject } from "../../shared/exact-numbers.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";

/**
 * Replaces a signature for calls of other models, or calls without a stored signature. Source:
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const NO_SIGNATURE = "skip_thought_signature_validator";
export function wantsSignatures(model: string): boolean {
  return /gemini-(?:[3-9]|\d\d)/.test(model);
}

export interface ContentsOptions {
  readonly model: string;
  readonly drop: Drop;
}

/**
 * Writes `systemInstruction` and `contents`. Later system messages become the user's, because contents have no system
 * role.
 */
export function writeConversation(messages: readonly ChatMessage[], options: ContentsOptions): JsonRecord {
  const { drop } = options;
  if (messages.some(({ name }) => name !== "")) drop("messages.name");
  const firstTurn = messages.findIndex(({ role }) => role !== "system");
  const turns = firstTurn === -1 ? messages : messages.slice(firstTurn);
  const system = firstTurn === -1 ? [] : messages.slice(0, firstTurn).flatMap(({ parts }) => parts);
  const texts = system.flatMap((part) => {
    if (part.type === "text") return [{ text: part.text }];
    drop(`messages.system.${part.type}`);
    return [];
  });
  const names = toolNames(messages);
  return {
    ...(texts.length > 0 && { systemInstruction: { parts: texts } }),
    contents: joinTurns(orderTurns(turns).flatMap((message) => writeTurn(message, names, options))),
  };
}

interface Content {
  readonly role: "user" | "model";
  readonly parts: readonly JsonRecord[];
}

function toolNames(messages: readonly ChatMessage[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap(({ parts }) => parts).filter((part) => part.type === "tool-call");
  return new Map(calls.map(({ id, name }) => [id, name]));
}

function writeTurn(
  { role, parts }: ChatMessage,
  names: ReadonlyMap<string, string>,
  options: ContentsOptions,
): readonly Content[] {
  if (role === "assistant") return contentOf("model", writeModelParts(parts, options));
  const results = parts.filter((part) => part.type === "tool-result");
  const said = parts.filter((part) => part.type !== "tool-result");
  // A message of results has nothing else, so their media follow in a message of their own.
  const shown = results.flatMap(({ content }) => content.filter((part) => part.type !== "text"));
  return [
    ...contentOf(
      "user",
      results.map((result) => writeResult(result, names)),
    ),
    ...contentOf(
      "user",
      [...shown, ...said].flatMap((part) => writePart(part, options.drop)),
    ),
  ];
}

function contentOf(role: Content["role"], parts: readonly JsonRecord[]): readonly Content[] {
  return parts.length === 0 ? [] : [{ role, parts }];
}

/** Joins consecutive messages of the same role, except those with tool results. */
function joinTurns(contents: readonly Content[]): readonly Content[] {
  const joined: Content[] = [];
  for (const content of contents) {
    const last = joined.at(-1);
    const isSame = last?.role === content.role && hasResults(last) === hasResults(content);
    if (last === undefined || !isSame) joined.push(content);
    else joined[joined.length - 1] = { ...last, parts: [...last.parts, ...content.parts] };
  }
  return joined;
}

function hasResults({ parts }: Content): boolean {
  return parts.some((part) => part.functionResponse !== undefined);
}

/** Puts Gemini's own signature on the part after its thought, or alone at the end. */
function writeModelParts(parts: readonly MessagePart[], options: ContentsOptions): readonly JsonRecord[] {
  const written: JsonRecord[] = [];
  let signature = "";
  let hasCall = false;
  for (const [index, part] of parts.entries()) {
    if (part.type === "reasoning") {
      const own = signatureOf("gemini", part.signature);
      if (own !== undefined && own !== "") signature = own;
      // Google only accepts thoughts of its own.
      else if (part.text !== "") options.drop("messages.reasoning");
      if (own !== undefined && part.text !== "") written.push({ text: part.text, thought: true });
      continue;
    }
    const isFirstCall: boolean = part.type === "tool-call" && !hasCall;
    hasCall ||= isFirstCall;
    const wanted = isFirstCall && wantsSignatures(options.model) ? NO_SIGNATURE : "";
    const isForLater = part.type !== "tool-call" && isCallNext(parts, index);
    const thoughtSignature = isForLater ? "" : signature || wanted;
    for (const each of writePart(part, options.drop)) {
      written.push(thoughtSignature === "" ? each : { ...each, thoughtSignature });
      if (!isForLater) signature = "";
    }
  }
  return signature === "" ? written : [...written, { text: "", thoughtSignature: signature }];
}

/** True if an unsigned call follows: callers of other formats put thoughts before everything else. */
function isCallNext(parts: readonly MessagePart[], index: number): boolean {
  const next = parts
    .slice(index + 1)
    .find((part) => part.type === "tool-call" || (part.type === "reasoning" && part.signature !== ""));
  return next?.type === "tool-call";
}

function writePart(part: MessagePart, drop: Drop): readonly JsonRecord[] {
  switch (part.type) {
    case "text":
    case "refusal":
      return part.text === "" ? [] : [{ text: part.text }];
    case "image":
      if (part.detail === "low" || part.detail === "high") drop("messages.image_url.detail");
      return [writeMedium(part)];
    case "file":
      return [writeMedium(part)];
    case "audio":
      return [{ inlineData: { mimeType: audioType(part.encoding), data: part.data } }];
    case "tool-call":
      return [{ functionCall: { id: part.id, name: part.name, args: toolArguments(part.input) } }];
    case "hidden-reasoning":
      drop("messages.reasoning");
      return [];
    case "native":
      if (part.format === "gemini-content") return [part.value];
      drop(`messages.${nativeName(part.value)}`);
      return [];
    default:
      return [];
  }
}

function audioType(encoding: string): string {
  return `audio/${encoding === "mp3" ? "mpeg" : encoding}`;
}

/**
 * Google fetches URLs itself but needs a media type. A picture stays a picture, because its upper bound was estimated
 * as one.
 */
export function writeMedium({ type, source }: Pick<ImagePart | FilePart, "type" | "source">): JsonRecord {
  const named = source.type === "base64" ? source.mediaType : source.mediaType || guessType(source);
  const mimeType = type === "file" ? named || "application/pdf" : named.startsWith("image/") ? named : "image/jpeg";
  if (source.type === "base64") return { inlineData: { mimeType, data: source.data } };
  return { fileData: { fileUri: source.type === "url" ? source.url : source.id, mimeType } };
}

const TYPES_OF_ENDINGS: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["webp", "image/webp"],
  ["gif", "image/gif"],
  ["heic", "image/heic"],
  ["heif", "image/heif"],
  ["pdf", "application/pdf"],
  ["txt", "text/plain"],
  ["md", "text/markdown"],
  ["html", "text/html"],
  ["csv", "text/csv"],
  ["json", "application/json"],
  ["mp4", "video/mp4"],
  ["mp3", "audio/mpeg"],
  ["wav", "audio/wav"],
]);

function guessType(source: Exclude<MediaSource, { type: "base64" }>): string {
  const address = source.type === "url" ? source.url : source.id;
  const ending = /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase() ?? "";
  return TYPES_OF_ENDINGS.get(ending) ?? "";
}

/** Tool results are objects: the text's own if it is one, else the text in Google's field. */
function writeResult(result: ToolResultPart, names: ReadonlyMap<string, string>): JsonRecord {
  const text = result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const response = result.isError ? { error: text } : (parseObject(text) ?? { output: text });
  return { functionResponse: { id: result.callId, name: names.get(result.callId) ?? "tool", response } };
}
