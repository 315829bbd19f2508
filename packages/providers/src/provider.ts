import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { BatchApi } from "./batch-api.ts";
import type { Failure } from "./failure.ts";
import type { Format, ProviderFormat } from "./format.ts";
import type { ToolReasoning } from "./models/api-facts.ts";
import type { ProviderIo } from "./provider-io.ts";
import type { Usage } from "./usage.ts";

/** What a provider may be asked to do, by its name inside the gateway. */
export type Endpoint =
  | "chat-completions"
  | "completions"
  | "responses"
  | "embeddings"
  | "moderations"
  | "rerank"
  | "token-counts"
  | "image-generations"
  | "image-edits"
  | "image-variations"
  | "speech"
  | "transcriptions"
  | "translations"
  | "realtime"
  /** Sessions as Google holds them. */
  | "live";

/** How providers are called where that can be chosen for all channels of a type. */
export interface ProviderSwitches {
  /** Gemini by its own API; else by the one that is like OpenAI's. */
  readonly geminiNative: boolean;
  /** Pictures for Gemini's own API are uploaded and referenced, instead of standing in the request. */
  readonly geminiUpload: boolean;
}

/** As it is where nobody has chosen. */
export const USUAL_SWITCHES: ProviderSwitches = { geminiNative: true, geminiUpload: false };

/** What a provider is asked for where it does not do the other thing itself, and the gateway puts one in the words of the other. */
export const IN_PLACE_OF: Readonly<Partial<Record<Endpoint, Endpoint>>> = {
  responses: "chat-completions",
  completions: "chat-completions",
};

/** Where a request goes and the headers that the provider wants, lower-case names. */
export interface UpstreamAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A provider that works: a declaration, and only what is special to it as code. */
export interface Provider {
  readonly type: ChannelType;
  /**
   * How it does what it is asked for with a model, by the provider's own name of it; undefined where it does not. The channel's
   * connection decides where the provider has an older API for older keys, or a newer one at newer versions; without one it is today's usual API.
   */
  serve(
    endpoint: Endpoint,
    model: string,
    switches?: ProviderSwitches,
    connection?: ChannelConnection,
  ): Service | undefined;
  /** Models that a new channel of this type is offered, today's first. */
  readonly models: readonly string[];
  /** Where what the provider keeps for callers (files, answers) is asked for, by its path after the version. Absent: it keeps nothing. */
  readonly keeperAddress?: (connection: ChannelConnection, path: string) => UpstreamAddress | undefined;
  /** It answers files of requests later, behind `keeperAddress`. Absent: it has no batches. */
  readonly batches?: BatchApi;
  /** What it keeps is files of batches and nothing else. */
  readonly keepsBatchesAlone?: true;
  /** Asks for the account's balance in the unit that the contract's channel type names. Absent: the provider has no such question. */
  readonly balance?: (connection: ChannelConnection, getJson: GetJson, now: Date) => Promise<number>;
  /** Asks which models the account may call, by the provider's names, none twice. Absent: the provider has no such question. */
  readonly listModels?: (connection: ChannelConnection, getJson: GetJson, io: ProviderIo) => Promise<readonly string[]>;
}

/** One thing that a provider does. */
export type Service = ExactService | TranslatedService;

/** It speaks a format of callers to the letter, so that bytes may pass. */
interface ExactService extends ServiceCall {
  readonly exact: true;
  /** What its requests and answers mean. */
  readonly format: Format;
}

/** Its answers are written anew. */
interface TranslatedService extends ServiceCall {
  readonly exact: false;
  readonly format: ProviderFormat;
}

interface ServiceCall {
  /** Serves a request with tools that the model does not answer here. Absent: it answers all of them. */
  readonly byTools?: (toolReasoning: ToolReasoning) => Service | undefined;
  /** A shorter recording is billed as one of so many seconds; absent where each is billed by its own length. */
  readonly leastSeconds?: number;
  /**
   * Where a request goes and what is sent there. It is given the body, because signatures need it, and may wait, because tokens must be fetched.
   * Rejects with ProviderFailedError where the provider refuses what is asked of it before. Without an asker the answer is always waited for.
   */
  call(
    request: ProviderRequest,
    connection: ChannelConnection,
    io: ProviderIo,
    asker?: Asker,
  ): UpstreamCall | Promise<UpstreamCall>;
}

/** Who waits for the answer of a call. */
export interface Asker {
  /** False once nobody waits any more: what takes long looks at it. */
  readonly isWaiting: boolean;
  /** So many bytes are fetched for the request. Throws where there is no room for them. */
  takeRoom(bytes: number): void;
}

/** A request in the provider's format. */
export interface ProviderRequest {
  readonly body: Buffer;
  /** The answer is to come as a stream. */
  readonly stream: boolean;
  /** Headers of the caller that belong to the format, lower-case names: its version and what is tried out beside it. */
  readonly formatHeaders: Readonly<Record<string, string>>;
  /** The caller's query parameters that belong to the format, without a question mark; absent or empty for none. */
  readonly formatQuery?: string | undefined;
  /** What the body is; absent: JSON. */
  readonly contentType?: string | undefined;
}

/** A request as it goes out. */
export interface UpstreamCall {
  /** Default: POST. GET: what was asked before is answered here, and the body is empty. */
  readonly method?: "GET";
  readonly address: UpstreamAddress;
  readonly body: Buffer;
  /** What was used, for an answer that does not say it; undefined where the provider does not know either. Never rejects. */
  askUsage?(): Promise<Usage | undefined>;
  /** Ends at the provider what goes on there by itself when its answer is not read to the end. Never throws. */
  giveUp?(): void;
  /** What the body is; absent: JSON. */
  readonly contentType?: string | undefined;
  /** The same call with a new token, where the failure says that the one in it has ended; undefined for every other failure. */
  renew?(failure: Failure): Promise<UpstreamCall> | undefined;
}
