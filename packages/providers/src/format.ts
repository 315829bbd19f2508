import type { Failure } from "./failure.ts";
import type {
  AskedChat,
  ChatSide,
  EmbeddingSide,
  PictureSide,
  ProviderChat,
  ProviderEmbeddings,
  ProviderPictures,
  ProviderSide,
  RerankSide,
} from "./format-sides.ts";
import type { Framing } from "./framing/framing.ts";
import type { RerankAnswer, RerankRequest } from "./neutral/rerank.ts";
import type { RealtimeSide } from "./realtime-side.ts";
import type { PromptParts } from "./shared/count-tokens.ts";
import type { JsonRecord } from "./shared/json-fields.ts";
import type { AnswerHeaders } from "./shared/retry-after.ts";
import type { MeterOptions, StreamMeter } from "./stream-meter.ts";
import type { Usage } from "./usage.ts";

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

/** New values of top-level fields: JSON texts by field name; undefined removes the field. */
export type FieldEdits = ReadonlyMap<string, string | undefined>;

export type SystemPromptEffect = "replaced" | "added";

export interface RequestEdits {
  readonly model: string;
  readonly systemPrompt: string;
  readonly maxTokens: number | undefined;
  readonly reportUsage: boolean;
}
