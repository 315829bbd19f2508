import { parseObject } from "../shared/exact-numbers.ts";
import type { JsonRecord } from "../shared/json-fields.ts";

/** Ends a prefix that the provider may cache: for five minutes or one hour. */
export type CacheMark = "5m" | "1h";

interface Markable {
  readonly cache?: CacheMark | undefined;
}

export type MediaSource =
  | { readonly type: "base64"; readonly mediaType: string; readonly data: string }
  /** `mediaType` if the format names one. */
  | { readonly type: "url"; readonly url: string; readonly mediaType?: string }
  /** A file that the caller has uploaded to the provider. */
  | { readonly type: "stored"; readonly id: string; readonly mediaType?: string };

export interface TextPart extends Markable {
  readonly type: "text";
  readonly text: string;
}

export interface ImagePart extends Markable {
  readonly type: "image";
  readonly source: MediaSource;
  readonly detail?: string | undefined;
}

export interface FilePart extends Markable {
  readonly type: "file";
  readonly source: MediaSource;
  readonly name: string;
}

interface AudioPart {
  readonly type: "audio";
  readonly data: string;
  readonly encoding: string;
}

export interface ToolCallPart extends Markable {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

export interface ToolResultPart extends Markable {
  readonly type: "tool-result";
  readonly callId: string;
  readonly content: readonly (TextPart | ImagePart | FilePart)[];
  readonly isError: boolean;
}

/**
 * A thought of the model. Its signature proves its origin and must be returned unchanged (`signature.ts`). Without a
 * text it belongs to the next part.
 */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly signature: string;
}

/** A thought that the provider has encrypted. It must be returned unchanged. */
export interface HiddenReasoningPart {
  readonly type: "hidden-reasoning";
  readonly data: string;
}

interface RefusalPart {
  readonly type: "refusal";
  readonly text: string;
}

/** A part that only the named format knows. */
interface NativePart {
  readonly type: "native";
  readonly format: string;
  readonly value: JsonRecord;
}

export type MessagePart =
  | TextPart
  | ImagePart
  | FilePart
  | AudioPart
  | ToolCallPart
  | ToolResultPart
  | ReasoningPart
  | HiddenReasoningPart
  | RefusalPart
  | NativePart;

/** Writes a picture as Markdown, for formats without pictures in answers. */
export function pictureText(mediaType: string, data: string): string {
  return `![image](data:${mediaType};base64,${data})`;
}

/** Text of a part, with pictures as Markdown; undefined for other parts. */
export function shownText(part: MessagePart): string | undefined {
  if (part.type === "text") return part.text;
  if (part.type !== "image" || part.source.type !== "base64") return undefined;
  return pictureText(part.source.mediaType, part.source.data);
}

export function isTextType(mediaType: string): boolean {
  return /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|javascript|x-sh)$)/.test(mediaType);
}

/** Upper bound in characters, parameters included. */
const MAX_MEDIA_TYPE_LENGTH = 256;

/** Splits a base64 `data:` URL; undefined for any other URL. */
export function readDataUrl(url: string): Extract<MediaSource, { type: "base64" }> | undefined {
  const comma = url.indexOf(",");
  if (comma === -1 || comma > MAX_MEDIA_TYPE_LENGTH || !/^data:/i.test(url.slice(0, 5))) return undefined;
  const [mediaType = "", ...parameters] = url.slice(5, comma).split(";");
  if (parameters.at(-1)?.toLowerCase() !== "base64") return undefined;
  return { type: "base64", mediaType: mediaType.toLowerCase(), data: url.slice(comma + 1) };
}

/** Arguments of a tool call as an object. Text that is no JSON object becomes its `input`. */
export function toolArguments(input: string): JsonRecord {
  if (input.trim() === "") return {};
  return parseObject(input) ?? { input };
}
