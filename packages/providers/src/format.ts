import type { Failure } from "./failure.ts";
import type { Framing } from "./framing/framing.ts";
import type { ChatAnswer, ChatEvent } from "./neutral/chat-answer.ts";
import type { ChatRequest } from "./neutral/chat-request.ts";
import type { EmbeddingAnswer, EmbeddingRequest } from "./neutral/embedding.ts";
import type { RequestLimits } from "./neutral/fit/request-limits.ts";
import type { PictureAnswer, PictureRequest } from "./neutral/picture.ts";
import type { RerankAnswer, RerankRequest } from "./neutral/rerank.ts";
import type { PromptParts } from "./shared/count-tokens.ts";
import type { JsonRecord } from "./shared/json-fields.ts";
import type { AnswerHeaders } from "./shared/retry-after.ts";
import type { Usage } from "./usage.ts";

/** Formats that callers use. */
export type FormatName =
  | "openai-chat"
  | "openai-completions"
  | "openai-embeddings"
  | "openai-moderations"
  | "openai-responses"
  | "anthropic-messages"
  | "gemini-content"
  | "gemini-embeddings"
  | "openai-images"
  | "openai-speech"
  | "openai-recordings"
  | "openai-realtime"
  | "gemini-live"
  | "rerank"
  | "cohere-rerank";

/** Format of a provider; callers need not use it. Pure: no network, no clock, no key. */
export interface ProviderFormat {
  readonly name: string;
  /** Framing of its streams. Default: server-sent events. */
  readonly framing?: Framing;
  /** Fields below which numbers keep their exact text: inputs of tools, and schemas. Applies to requests and whole answers. Default: none. */
  readonly exactFields?: ReadonlySet<string>;
  readUsage(answer: unknown): Usage | undefined;
  /** Returns the id under which the provider stores a whole answer; undefined where it stores none. */
  readStoredId?(answer: unknown): string | undefined;
  /** True for an error in an answer with a good status. */
  carriesError(answer: unknown): boolean;
  /** Top-level result fields, at least one of which a whole answer or a count has. Absent: `carriesError` alone decides. */
  readonly results?: Readonly<Record<string, "list" | "record" | "any">> | undefined;
  /** Field with the reason why an answer with an empty result ended. Absent: an empty list is no answer. */
  readonly endField?: string;
  readCount?(answer: unknown): number | undefined;
  /** Reads a refusal. Never throws; the message holds no secrets and no addresses. `now` resolves a Retry-After that is a date. */
  readError(status: number, headers: AnswerHeaders, body: string, now?: Date): Failure;
  /** Chats through the neutral form; undefined where only bytes can pass. */
  readonly chat: ProviderChat | undefined;
  readonly embeddings?: ProviderEmbeddings;
  readonly rerank?: ProviderSide<RerankRequest, RerankAnswer>;
  readonly pictures?: ProviderPictures;
}

/**
 * Format that callers use too. This side serves passthrough: it reads bytes and edits single fields. `chat` translates from and to the neutral
 * form.
 */
export interface Format extends ProviderFormat {
  readonly name: FormatName;
  readonly medium?: "image" | "speech" | "recording";
  /** Returns new values of top-level fields, as JSON texts; all other bytes of the body stay unchanged. */
  edit(body: JsonRecord, edits: RequestEdits): FieldEdits;
  /**
   * Replaces fields with seals of the gateway (`neutral/sealed-thoughts.ts`), which no provider can read. Absent: callers of the format
   * receive no seals.
   */
  unseal?(body: JsonRecord, model: string): FieldEdits;
  /** True where `edit` rewrites a long field, so that it needs the whole body instead of an outline. */
  readonly rewritesWhole?: (outline: JsonRecord) => boolean;
  /** Corrects a whole answer where servers deviate from the request; undefined without a change. */
  readonly mendAnswer?: (request: JsonRecord, answer: Buffer) => Buffer | undefined;
  /** Returns the effect of a channel's system prompt on the request; undefined where the format has none. */
  systemPromptEffect(body: JsonRecord): SystemPromptEffect | undefined;
  promptParts(body: JsonRecord): PromptParts;
  meter(options: MeterOptions): StreamMeter;
  answerText(answer: unknown): string;
  /** End of a stream in this format, withheld until the charge is committed. Empty where the last event is the end. */
  readonly closing: string;
  /** Event that keeps a stream alive while the answer pauses. Absent: the format has none. */
  readonly keepAlive?: string;
  /** Writes the usage event for callers who request it; `piece` is an event of the same answer. Absent: every stream reports usage. */
  readonly usageEvent?: (usage: Usage, piece: JsonRecord) => string;
  errorEvent(errorJson: string): string;
  readonly chat: ChatSide | undefined;
  /** Chats of callers in a format that providers receive by passthrough only. */
  readonly askedChat?: AskedChat;
  readonly embeddings?: EmbeddingSide;
  readonly rerank?: RerankSide;
  /** Pictures of callers; providers of the format receive them by passthrough. */
  readonly askedPictures?: PictureSide;
  readonly realtime?: RealtimeSide;
}

/** Reads the events of a session in both directions. Pure, and never throws. */
export interface RealtimeSide {
  readonly spokenTokensPerSecond: number;
  /** A new answer ends the previous one, however many were requested. */
  readonly answersOneByOne?: true;
  /** The caller's first message configures the session. Errors have no event then: they close the session. */
  readonly setup?: RealtimeOpening;
  /** Announces the end of the session, in seconds. Absent: the format has no such event. */
  readonly goAway?: (seconds: number) => JsonRecord;
  readRequest(event: JsonRecord): RealtimeRequest;
  readEvents(event: JsonRecord): readonly RealtimeEvent[];
  withModel(event: JsonRecord, model: string): JsonRecord;
}

export interface RealtimeOpening {
  read(event: JsonRecord): RealtimeSetup | RefusedRequest;
  readClose(code: number, reason: string): Failure;
}

export interface RealtimeSetup {
  readonly kind: "setup";
  /** Empty without one. */
  readonly model: string;
  /** Token limit of an answer; undefined for none. */
  readonly mostTokens: number | undefined;
  readonly message: JsonRecord;
}

/** Unsupported request, with the field and the fix. */
export interface RefusedRequest {
  readonly kind: "refused";
  readonly field: string;
  readonly message: string;
}

/** Configuration of a session, as requested or reported; undefined where it is not mentioned. */
export interface RealtimeConfiguration {
  readonly model: string | undefined;
  /** Model that transcribes the caller's speech; empty for none. */
  readonly transcriptionModel: string | undefined;
  readonly bytesPerSecond: number | undefined;
  /** Token limit of an answer; Infinity for none. */
  readonly mostTokens: number | undefined;
}

export type RealtimeRequest =
  | ({ readonly kind: "configure" } & RealtimeConfiguration)
  | { readonly kind: "start"; readonly mostTokens: number | undefined }
  | { readonly kind: "audio" }
  /** Answers a tool call: the answer with the call has ended, and another one follows. */
  | { readonly kind: "reply" }
  | RefusedRequest
  /** Anything else, which the model may read. */
  | { readonly kind: "content" };

export type RealtimeEvent =
  | ({ readonly kind: "session" } & RealtimeConfiguration)
  | { readonly kind: "answer-start"; readonly answerId: string }
  | { readonly kind: "text"; readonly answerId: string; readonly text: string }
  /** Sound: bytes at the session's rate, or seconds. */
  | { readonly kind: "audio"; readonly answerId: string; readonly bytes: number }
  | { readonly kind: "audio"; readonly answerId: string; readonly seconds: number }
  /** Tool call, after which the provider may wait for the caller. */
  | { readonly kind: "call"; readonly answerId: string; readonly text: string }
  /** Total usage so far. */
  | { readonly kind: "usage"; readonly answerId: string; readonly usage: Usage }
  /** The caller spoke meanwhile, so the answer ends here. */
  | { readonly kind: "interrupted"; readonly answerId: string }
  | {
      readonly kind: "answer-end";
      readonly answerId: string;
      readonly end: "complete" | "cancelled" | "failed";
      /** The answer is in the conversation, so that its usage shows how long the conversation is. */
      readonly inConversation: boolean;
      readonly usage: Usage | undefined;
    }
  /** The caller's speech is an item of the conversation now. */
  | { readonly kind: "heard"; readonly itemId: string }
  | { readonly kind: "transcript"; readonly itemId: string; readonly text: string }
  /** The whole transcript, or none. */
  | {
      readonly kind: "transcript-end";
      readonly itemId: string;
      readonly text: string;
      readonly usage: Usage | undefined;
    }
  | { readonly kind: "error" }
  | { readonly kind: "other" };

/** New values of top-level fields: JSON texts by field name; undefined removes the field. */
export type FieldEdits = ReadonlyMap<string, string | undefined>;

export type SystemPromptEffect = "replaced" | "added";

export interface RequestEdits {
  readonly model: string;
  readonly systemPrompt: string;
  readonly maxTokens: number | undefined;
  readonly reportUsage: boolean;
}

export interface MeterOptions {
  /** Reports pass because the caller requested them explicitly. */
  readonly passUsage: boolean;
  readonly countText: (text: string) => number;
}

/** Reads usage, finish and end from the events of a passing stream. Most events are only searched, never parsed. */
export interface StreamMeter {
  /**
   * Returns where the events end that hold only pieces of the answer, from byte `from` on; `from` when `look` must read the next. `text` has a
   * letter per byte.
   */
  passing(events: Buffer, text: string, from: number): number;
  look(event: Buffer): EventVerdict;
  readonly usage: Usage | undefined;
  /** Id under which the provider stores the answer; undefined where it does not, or has not reported it yet. */
  readonly storedId?: string | undefined;
  /** The answer is whole, even without an end mark. */
  readonly finished: boolean;
  /** Content of the answer has passed; comments, pings and empty openings do not count. */
  readonly sawContent: boolean;
  /** Completion tokens of the text delivered so far, counted by the gateway. */
  deliveredTokens(): number;
  /** True where whole events hold content other than comments, pings and empty pieces. Parses them. Absent: all do. */
  saysSomething?(events: Buffer): boolean;
  readonly beside?: DeliveredBeside;
}

/** Sound and pictures that a stream delivered, in completion tokens; fees of tools whose results it reported; price factor of its tier. */
export type DeliveredBeside = Partial<
  Pick<Usage, "audioCompletionTokens" | "imageCompletionTokens" | "toolFees" | "priceFactor" | "namesTier">
>;

/**
 * Action on an event.
 *
 * | Kind | Action |
 * |---|---|
 * | `forward` | pass it on |
 * | `drop` | omit it |
 * | `end` | end of the stream; the gateway writes the end mark itself |
 * | `last` | end of the stream; pass it on after the charge is committed |
 * | `hold` | as `last`, unless more events follow |
 * | `error` | end with the failure |
 */
export type EventVerdict =
  | { readonly kind: "forward" }
  | { readonly kind: "drop" }
  | { readonly kind: "end" }
  | { readonly kind: "last" }
  | { readonly kind: "hold" }
  | { readonly kind: "error"; readonly failure: Failure };

export interface ProviderChat {
  readonly limits?: RequestLimits;
  /** Writes the request and names the dropped fields. Throws UntranslatableError for fields that must not be dropped. */
  writeRequest(request: ChatRequest): WrittenRequest;
  /** Absent: the provider only streams, and whole answers are assembled from the stream. */
  readAnswer?(answer: JsonRecord): ChatAnswer;
  decode(): StreamDecoder;
  /** The format has no limit for the length of an answer. */
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
  /** Names of the caller's fields where they have one; distinct. */
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

/** Provider's format of an endpoint that has whole answers only. */
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
