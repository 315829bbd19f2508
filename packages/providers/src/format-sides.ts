import type { ChatAnswer, ChatEvent } from "./neutral/chat-answer.ts";
import type { ChatRequest } from "./neutral/chat-request.ts";
import type { EmbeddingAnswer, EmbeddingRequest } from "./neutral/embedding.ts";
import type { RequestLimits } from "./neutral/fit/request-limits.ts";
import type { PictureAnswer, PictureRequest } from "./neutral/picture.ts";
import type { RerankAnswer, RerankRequest } from "./neutral/rerank.ts";
import type { JsonRecord } from "./shared/json-fields.ts";
import type { Usage } from "./usage.ts";

export interface ProviderChat {
  readonly limits?: RequestLimits;
  /** Writes the request and names the dropped fields. Throws UntranslatableError for fields that must not be dropped. */
  writeRequest(request: ChatRequest): WrittenRequest;
  /** Absent: the provider only streams, and whole answers are assembled from the stream. */
  readAnswer?(answer: JsonRecord): ChatAnswer;
  decode(): StreamDecoder;
  readonly isUnlimited?: true;
  /** Usage of a chat that is billed by the request alone; tokens of prompt and answer do not count then. */
  readonly countUsage?: (request: ChatRequest) => Usage;
}

export interface AskedChat {
  /** Throws UntranslatableError for an unreadable request. */
  readRequest(body: JsonRecord): ChatRequest;
  writeAnswer(answer: ChatAnswer, envelope: AnswerEnvelope): JsonRecord;
  encode(envelope: AnswerEnvelope): StreamEncoder;
}

export interface ChatSide extends ProviderChat, AskedChat {
  readAnswer(answer: JsonRecord): ChatAnswer;
}

export interface WrittenRequest {
  readonly body: JsonRecord;
  readonly dropped: readonly string[];
}

export interface AnswerEnvelope {
  /** Unix seconds. */
  readonly created: number;
  /** The stream ends with a usage report, where the format leaves that to the caller. */
  readonly reportUsage: boolean;
  /** The caller's request: some formats repeat fields of it, or show only requested fields. */
  readonly request: JsonRecord;
}

export interface ProviderSide<Request, Answer> {
  /** Throws UntranslatableError for content that the format cannot express. */
  writeRequest(request: Request): WrittenRequest;
  readAnswer(answer: JsonRecord): Answer;
}

/** The same for both callers and providers; both directions use the neutral form. */
export interface WholeSide<Request, Answer> extends ProviderSide<Request, Answer> {
  readRequest(body: JsonRecord): Request;
  writeAnswer(answer: Answer, asked: Request): JsonRecord;
}

export type ProviderEmbeddings = ProviderSide<EmbeddingRequest, EmbeddingAnswer>;
export type EmbeddingSide = WholeSide<EmbeddingRequest, EmbeddingAnswer>;
export type RerankSide = WholeSide<RerankRequest, RerankAnswer>;
export type ProviderPictures = ProviderSide<PictureRequest, PictureAnswer>;

/** Pictures in a caller's format. `now` is in Unix seconds. */
export interface PictureSide {
  readRequest(body: JsonRecord): PictureRequest;
  writeAnswer(answer: PictureAnswer, asked: PictureRequest, now: number): JsonRecord;
  writeEvents(answer: PictureAnswer, isEdit: boolean, now: number): string;
}

export interface StreamDecoder {
  /** Reads the data of one frame; `name` is the event's own, empty for none. */
  read(name: string, data: string): readonly ChatEvent[];
}

/** Writes a stream for a caller, without the format's end: `closing` follows when the charge is committed. */
export interface StreamEncoder {
  write(event: ChatEvent): string;
  ping(): string;
  /** Returns the events before the end, such as the usage. */
  finish(): string;
}
