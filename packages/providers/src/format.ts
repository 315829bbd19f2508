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

/** What bytes can mean, on either side of the gateway. */
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

/** What the bytes of a provider mean whose format no caller speaks. Pure: no network, no clock, no key. */
export interface ProviderFormat {
  readonly name: string;
  /** How its streams are cut. Default: server-sent events. */
  readonly framing?: Framing;
  /** Fields of a request, and of a whole answer, below which numbers pass as they are written: inputs of tools and schemas. Default: none. */
  readonly exactFields?: ReadonlySet<string>;
  /** What a whole answer or an event reports as consumed; undefined when it reports nothing. */
  readUsage(answer: unknown): Usage | undefined;
  /** The id by which the provider keeps a whole answer; undefined where it does not. */
  readKeptId?(answer: unknown): string | undefined;
  /** True when an answer with a good status carries an error instead of a result. */
  carriesError(answer: unknown): boolean;
  /** Top-level fields of which a whole answer, or a count, has at least one. Absent: `carriesError` tells what is no answer. */
  readonly results?: Readonly<Record<string, "list" | "record" | "any">> | undefined;
  /** The field by which an answer with an empty result says why it ended. Absent: an empty list is no answer. */
  readonly endField?: string;
  /** Tokens of a prompt in the answer of a provider that was asked to count it; undefined where there is none, or no such question. */
  readCount?(answer: unknown): number | undefined;
  /** Reads a refusal. Never throws; the message holds no secrets and no addresses. `now` is for a Retry-After that is a date. */
  readError(status: number, headers: AnswerHeaders, body: string, now?: Date): Failure;
  /** The way of chats through the neutral form; undefined where there is none and only bytes can pass. */
  readonly chat: ProviderChat | undefined;
  /** The same for embeddings. */
  readonly embeddings?: ProviderEmbeddings;
  /** The same for reranking. */
  readonly rerank?: ProviderSide<RerankRequest, RerankAnswer>;
  /** The same for pictures. */
  readonly pictures?: ProviderPictures;
}

/**
 * What bytes of one format mean that callers speak too. One side is for bytes that pass untouched because caller and provider speak the same
 * format: it looks and changes single fields. The other, `chat`, reads and writes the neutral form.
 */
export interface Format extends ProviderFormat {
  readonly name: FormatName;
  /** What answer or question is where it is no text. */
  readonly medium?: "image" | "speech" | "recording";
  /** New values of top-level fields of the request, as JSON texts; every other byte of the body passes as it was written. */
  edit(body: JsonRecord, edits: RequestEdits): FieldEdits;
  /**
   * New values of fields of a request that holds seals of the gateway (`neutral/sealed-thoughts.ts`), which no provider can read. Absent: callers of the
   * format are given none.
   */
  unseal?(body: JsonRecord, model: string): FieldEdits;
  /** True for a request of which `edit` rewrites a long field, so that it needs the whole body and not an outline of it. */
  readonly rewritesWhole?: (outline: JsonRecord) => boolean;
  /** Returns a whole answer as the request asks for it, where servers answer otherwise; undefined where nothing is to be changed. */
  readonly mendAnswer?: (request: JsonRecord, answer: Buffer) => Buffer | undefined;
  /** What a channel's system prompt does to the request; undefined where the format has none. */
  systemPromptEffect(body: JsonRecord): SystemPromptEffect | undefined;
  /** What of the request the model reads, for counts and bounds. */
  promptParts(body: JsonRecord): PromptParts;
  /** Looks at a stream's events as they pass. */
  meter(options: MeterOptions): StreamMeter;
  /** Everything that the model wrote in a whole answer, joined, for counting. */
  answerText(answer: unknown): string;
  /** The format's own end of a stream, which is withheld until the charge is committed; empty where the last event is the end. */
  readonly closing: string;
  /** What tells callers of a stream that the answer goes on while nothing of it comes. Absent: a stream has no such event. */
  readonly keepAlive?: string;
  /** The event by which a stream tells usage to callers who ask for that; `piece` is one of the same answer. Absent: every stream tells it. */
  readonly usageEvent?: (usage: Usage, piece: JsonRecord) => string;
  /** An error inside a stream, from its JSON text. */
  errorEvent(errorJson: string): string;
  readonly chat: ChatSide | undefined;
  /** How callers say a chat in a format that no provider is written to but by those who speak it. */
  readonly askedChat?: AskedChat;
  readonly embeddings?: EmbeddingSide;
  readonly rerank?: RerankSide;
  /** How callers say pictures; providers that do pass bytes. */
  readonly askedPictures?: PictureSide;
  /** Where it is spoken over a WebSocket, event by event. */
  readonly realtime?: RealtimeSide;
}

/** Looks at the events of a session as they pass both ways. Pure, and never throws. */
export interface RealtimeSide {
  /** A second of sound that the model makes, in tokens. */
  readonly spokenTokensPerSecond: number;
  /** An answer ends the one before it, however many were asked for meanwhile. */
  readonly answersOneByOne?: true;
  /** Where the caller's first message sets the session up. Then errors have no event either: they close the session. */
  readonly setup?: RealtimeOpening;
  /** Tells the caller that the session ends in so many seconds. Absent: there is no such event. */
  readonly goAway?: (seconds: number) => JsonRecord;
  /** What a caller's event asks for. */
  readRequest(event: JsonRecord): RealtimeRequest;
  /** What a provider's event says, in the order in which it is to be heard. */
  readEvents(event: JsonRecord): readonly RealtimeEvent[];
  /** A configuring event with another name of the model. */
  withModel(event: JsonRecord, model: string): JsonRecord;
}

/** A session whose model stands in the caller's first message. */
export interface RealtimeOpening {
  read(event: JsonRecord): RealtimeSetup | RefusedRequest;
  /** Why the provider has closed a session instead of setting it up. */
  readClose(code: number, reason: string): Failure;
}

/** What the caller's first message asks for. */
export interface RealtimeSetup {
  readonly kind: "setup";
  /** Empty where it names none. */
  readonly model: string;
  /** Tokens of an answer at the most; undefined for as many as the model writes. */
  readonly mostTokens: number | undefined;
  /** What of it is sent on. */
  readonly message: JsonRecord;
}

/** What is not offered: the field, and what to do about it. */
export interface RefusedRequest {
  readonly kind: "refused";
  readonly field: string;
  readonly message: string;
}

/** What a session is told to be, or says that it is; undefined where nothing is said of it. */
export interface RealtimeConfiguration {
  readonly model: string | undefined;
  /** Which model writes down what the caller says; empty for none. */
  readonly transcriptionModel: string | undefined;
  /** Of the sound that the model makes. */
  readonly bytesPerSecond: number | undefined;
  /** Tokens of an answer at the most; Infinity for as many as the model writes. */
  readonly mostTokens: number | undefined;
}

/** A caller's event. */
export type RealtimeRequest =
  | ({ readonly kind: "configure" } & RealtimeConfiguration)
  /** Asks for an answer. */
  | { readonly kind: "start"; readonly mostTokens: number | undefined }
  | { readonly kind: "audio" }
  /** Answers a call of a tool: the answer that called has ended, and another one follows. */
  | { readonly kind: "reply" }
  | RefusedRequest
  /** Anything else: the model may read it. */
  | { readonly kind: "content" };

/** A provider's event. */
export type RealtimeEvent =
  | ({ readonly kind: "session" } & RealtimeConfiguration)
  | { readonly kind: "answer-start"; readonly answerId: string }
  | { readonly kind: "text"; readonly answerId: string; readonly text: string }
  /** Sound; `seconds` where it says how fast it is, else by what the session says. */
  | { readonly kind: "audio"; readonly answerId: string; readonly bytes: number }
  | { readonly kind: "audio"; readonly answerId: string; readonly seconds: number }
  /** A call of a tool, after which the provider may wait for the caller. */
  | { readonly kind: "call"; readonly answerId: string; readonly text: string }
  /** What has been used so far, all in all. */
  | { readonly kind: "usage"; readonly answerId: string; readonly usage: Usage }
  /** The caller has spoken meanwhile: what has come is all there is. */
  | { readonly kind: "interrupted"; readonly answerId: string }
  | {
      readonly kind: "answer-end";
      readonly answerId: string;
      readonly end: "complete" | "cancelled" | "failed";
      /** The answer belongs to the conversation, so that its usage tells how long that is. */
      readonly inConversation: boolean;
      readonly usage: Usage | undefined;
    }
  /** What the caller said is an item of the conversation now. */
  | { readonly kind: "heard"; readonly itemId: string }
  /** A piece of what the caller said, written down. */
  | { readonly kind: "transcript"; readonly itemId: string; readonly text: string }
  /** All of it, or none. */
  | {
      readonly kind: "transcript-end";
      readonly itemId: string;
      readonly text: string;
      readonly usage: Usage | undefined;
    }
  | { readonly kind: "error" }
  | { readonly kind: "other" };

/** New values of top-level fields: JSON texts by field name; undefined takes the field out. */
export type FieldEdits = ReadonlyMap<string, string | undefined>;

export type SystemPromptEffect = "replaced" | "added";

/** What the gateway changes in every request that it sends on. */
export interface RequestEdits {
  /** As the provider calls it. */
  readonly model: string;
  /** Empty for none. */
  readonly systemPrompt: string;
  /** The most tokens of each answer where the gateway sets a limit. */
  readonly maxTokens: number | undefined;
  /** The provider is asked to report the usage of the stream. */
  readonly reportUsage: boolean;
}

export interface MeterOptions {
  /** The caller asked for reports that would not come by themselves, so they pass. */
  readonly passUsage: boolean;
  /** Counts the model tokens of a text. */
  readonly countText: (text: string) => number;
}

/** Looks at the events of a stream as they pass: usage, finish and end. Most events are only searched, never parsed. */
export interface StreamMeter {
  /**
   * Takes from whole events, from the byte `from` on, as many as hold nothing but pieces of the answer, and returns where they end: `from` when the
   * next must be looked at. `text` has a letter for each byte.
   */
  passing(events: Buffer, text: string, from: number): number;
  /** Looks at one event. */
  look(event: Buffer): EventVerdict;
  /** As last reported by the provider. */
  readonly usage: Usage | undefined;
  /** The id by which the provider keeps the answer; undefined where it does not, or has not said so yet. */
  readonly keptId?: string | undefined;
  /** The answer is whole, even if no end mark comes. */
  readonly finished: boolean;
  /** Something of the answer itself has passed: comments, pings and empty beginnings do not count. */
  readonly sawContent: boolean;
  /** Completion tokens delivered so far as text, as counted here. */
  deliveredTokens(): number;
  /** Whether whole events that passed say something of the answer: comments, pings and empty pieces do not. Parses them. Absent: all do. */
  saysSomething?(events: Buffer): boolean;
  /** What has passed beside text. Absent: nothing. */
  readonly beside?: DeliveredBeside;
}

/** Sound and pictures that a stream has delivered, in completion tokens, the fees of tools whose results it told, and what its tier multiplies the price by. */
export type DeliveredBeside = Partial<
  Pick<Usage, "audioCompletionTokens" | "imageCompletionTokens" | "toolFees" | "priceFactor" | "namesTier">
>;

/**
 * What to do with an event: pass it on, leave it out, end with it (the end mark, which is written anew), end with it and pass it on when the charge
 * is committed, do that unless more comes, or end with an error.
 */
export type EventVerdict =
  | { readonly kind: "forward" }
  | { readonly kind: "drop" }
  | { readonly kind: "end" }
  | { readonly kind: "last" }
  | { readonly kind: "hold" }
  | { readonly kind: "error"; readonly failure: Failure };

/** How a provider's format says a chat. */
export interface ProviderChat {
  /** What it takes of names, ids and schemas. Absent: the usual. */
  readonly limits?: RequestLimits;
  /** The request and the names of what it cannot say. Throws UntranslatableError for what must not be left out. */
  writeRequest(request: ChatRequest): WrittenRequest;
  /** Absent: it answers in streams alone, of which whole answers are gathered. */
  readAnswer?(answer: JsonRecord): ChatAnswer;
  decode(): StreamDecoder;
  /** It cannot be told how long an answer may be. */
  readonly isUnlimited?: true;
  /** What a chat is billed as where the request alone decides that: the tokens of prompt and answer do not count then. */
  readonly countUsage?: (request: ChatRequest) => Usage;
}

/** How callers say a chat, and hear its answer. */
export interface AskedChat {
  /** Throws UntranslatableError for what cannot be read. */
  readRequest(body: JsonRecord): ChatRequest;
  writeAnswer(answer: ChatAnswer, envelope: AnswerEnvelope): JsonRecord;
  encode(envelope: AnswerEnvelope): StreamEncoder;
}

/** How a format says a chat on either side; both directions go through the neutral form. */
export interface ChatSide extends ProviderChat, AskedChat {
  readAnswer(answer: JsonRecord): ChatAnswer;
}

export interface WrittenRequest {
  readonly body: JsonRecord;
  /** By the names of the caller's fields where they have one; none twice. */
  readonly dropped: readonly string[];
}

/** What an answer says besides what the model wrote. */
export interface AnswerEnvelope {
  /** Unix seconds. */
  readonly created: number;
  /** The stream ends with a report of its usage where the format leaves that to the caller. */
  readonly reportUsage: boolean;
  /** What the caller asked, of which some formats repeat a part and by which others decide what is shown. */
  readonly request: JsonRecord;
}

/** How a provider's format says what has whole answers alone. */
export interface ProviderSide<Request, Answer> {
  /** Throws UntranslatableError for what cannot be said. */
  writeRequest(request: Request): WrittenRequest;
  readAnswer(answer: JsonRecord): Answer;
}

/** How a format says it on either side; both directions go through the neutral form. */
export interface WholeSide<Request, Answer> extends ProviderSide<Request, Answer> {
  /** Throws UntranslatableError for what cannot be read. */
  readRequest(body: JsonRecord): Request;
  writeAnswer(answer: Answer, asked: Request): JsonRecord;
}

export type ProviderEmbeddings = ProviderSide<EmbeddingRequest, EmbeddingAnswer>;
export type EmbeddingSide = WholeSide<EmbeddingRequest, EmbeddingAnswer>;
export type RerankSide = WholeSide<RerankRequest, RerankAnswer>;
export type ProviderPictures = ProviderSide<PictureRequest, PictureAnswer>;

/** How callers say pictures. `now` is in Unix seconds. */
export interface PictureSide {
  /** Throws UntranslatableError for what cannot be read. */
  readRequest(body: JsonRecord): PictureRequest;
  writeAnswer(answer: PictureAnswer, asked: PictureRequest, now: number): JsonRecord;
  /** The answer as a stream, for callers who asked for one. */
  writeEvents(answer: PictureAnswer, isEdit: boolean, now: number): string;
}

/** Reads a provider's stream. */
export interface StreamDecoder {
  /** The data of one frame; `name` is the event's own, empty for none. */
  read(name: string, data: string): readonly ChatEvent[];
}

/** Writes a stream for a caller. The format's own end is not written: `closing` follows when the charge is committed. */
export interface StreamEncoder {
  write(event: ChatEvent): string;
  /** Says that the answer goes on, while nothing of it comes. */
  ping(): string;
  /** What still belongs before the end, such as the usage. */
  finish(): string;
}
