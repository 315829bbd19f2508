import type { JsonRecord } from "../shared/json-fields.ts";

/** Up to here the prompt may be kept in the provider's cache, for five minutes or an hour. */
export type CacheMark = "5m" | "1h";

interface Markable {
  readonly cache?: CacheMark | undefined;
}

/** Bytes of a picture or a document, or where they are. */
export type MediaSource =
  | { readonly type: "base64"; readonly mediaType: string; readonly data: string }
  /** `mediaType` where the format names one. */
  | { readonly type: "url"; readonly url: string; readonly mediaType?: string }
  /** A file that the caller has stored at the provider. */
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
  /** Base64. */
  readonly data: string;
  /** `wav`, `mp3` … */
  readonly encoding: string;
}

export interface ToolCallPart extends Markable {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  /** The arguments, a JSON text as the model wrote it. */
  readonly input: string;
}

export interface ToolResultPart extends Markable {
  readonly type: "tool-result";
  readonly callId: string;
  readonly content: readonly (TextPart | ImagePart | FilePart)[];
  readonly isError: boolean;
}

/**
 * A thought of the model. The signature, where there is one, proves to the provider that it wrote it; it must go back untouched, and names its signer
 * (`signature.ts`). Without a text it belongs to the part that follows.
 */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly signature: string;
}

/** A thought that the provider has hidden; it must go back untouched. */
export interface HiddenReasoningPart {
  readonly type: "hidden-reasoning";
  readonly data: string;
}

/** What the model says when it declines. */
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

/** A piece of a message, of a request or of an answer. */
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

/** A picture of an answer in a text, for formats whose answers hold no pictures: clients show it where they show Markdown. */
export function pictureText(mediaType: string, data: string): string {
  return `![image](data:${mediaType};base64,${data})`;
}

/** The text of a part of an answer where pictures are told as texts; undefined for a part that says nothing. */
export function saidBy(part: MessagePart): string | undefined {
  if (part.type === "text") return part.text;
  if (part.type !== "image" || part.source.type !== "base64") return undefined;
  return pictureText(part.source.mediaType, part.source.data);
}

/** True for a document that is a text, whatever its language. */
export function isTextType(mediaType: string): boolean {
  return /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|javascript|x-sh)$)/.test(mediaType);
}

/** No media type is longer, its parameters included. */
const MAX_MEDIA_TYPE_LENGTH = 256;

/** Splits a `data:` address into its media type and base64; undefined for any other address. */
export function readDataUrl(url: string): Extract<MediaSource, { type: "base64" }> | undefined {
  const comma = url.indexOf(",");
  if (comma === -1 || comma > MAX_MEDIA_TYPE_LENGTH || !/^data:/i.test(url.slice(0, 5))) return undefined;
  const [mediaType = "", ...parameters] = url.slice(5, comma).split(";");
  if (parameters.at(-1)?.toLowerCase() !== "base64") return undefined;
  return { type: "base64", mediaType: mediaType.toLowerCase(), data: url.slice(comma + 1) };
}
