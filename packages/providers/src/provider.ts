import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { BatchApi } from "./batch-api.ts";
import type { Failure } from "./failure.ts";
import type { Format, ProviderFormat } from "./format.ts";
import type { ToolReasoning } from "./model-facts/api-facts.ts";
import type { ProviderIo } from "./provider-io.ts";
import type { Usage } from "./usage.ts";

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
  /** Sessions of Google's Live API. */
  | "live";

export interface ProviderSwitches {
  /** Gemini by its own API, else by the OpenAI-compatible one. */
  readonly geminiNative: boolean;
  /** Pictures for Gemini's own API are uploaded and referenced, instead of being sent inline. */
  readonly geminiUpload: boolean;
}

export const USUAL_SWITCHES: ProviderSwitches = { geminiNative: true, geminiUpload: false };

/** Fallback endpoint where a provider lacks one; the gateway translates between the two. */
export const FALLBACK_ENDPOINTS: Readonly<Partial<Record<Endpoint, Endpoint>>> = {
  responses: "chat-completions",
  completions: "chat-completions",
};

export interface UpstreamAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Provider: a declaration, with code only for its differences. */
export interface Provider {
  readonly type: ChannelType;
  /**
   * Returns the service for an endpoint by the provider's model name. The connection may select an older or newer API by its key or version.
   * Without one: the usual API.
   */
  serve(
    endpoint: Endpoint,
    model: string,
    switches?: ProviderSwitches,
    connection?: ChannelConnection,
  ): Service | undefined;
  readonly models: readonly string[];
  /** Returns the address that requests go to by the account's region. Absent: the channel or its type names it. Throws UncallableChannelError. */
  readonly regionalAddress?: (connection: ChannelConnection) => string;
  /** Returns the address of stored objects (files, answers), by path after the version. Absent: the provider stores none. */
  readonly storedObjectAddress?: (connection: ChannelConnection, path: string) => UpstreamAddress | undefined;
  readonly batches?: BatchApi;
  readonly storesOnlyBatches?: true;
  /** Requests the account's balance, in the unit of the contract's channel type. Absent: the provider has no such API. */
  readonly balance?: (connection: ChannelConnection, getJson: GetJson, now: Date) => Promise<number>;
  /** Requests the account's models by the provider's names, distinct. Absent: the provider has no such API. */
  readonly listModels?: (connection: ChannelConnection, getJson: GetJson, io: ProviderIo) => Promise<readonly string[]>;
}

export type Service = ExactService | TranslatedService;

/** Speaks a caller's format exactly, so that bytes may pass. */
interface ExactService extends ServiceCall {
  readonly exact: true;
  readonly format: Format;
}

interface TranslatedService extends ServiceCall {
  readonly exact: false;
  readonly format: ProviderFormat;
}

interface ServiceCall {
  /** Service for requests with tools that the model does not answer here. Absent: it answers all of them. */
  readonly byTools?: (toolReasoning: ToolReasoning) => Service | undefined;
  /** Services at other addresses by the format that they speak. Absent: requests of every format are served here. */
  readonly byFormat?: ReadonlyMap<string, Service>;
  /** Address of this service. Absent: that of the channel. */
  readonly baseUrl?: string;
  /** Shortest billed length of a recording, in seconds; absent: each is billed by its own length. */
  readonly leastSeconds?: number;
  /**
   * Builds the outgoing request; signatures need the body, and tokens may be fetched. Rejects with ProviderFailedError where that fails.
   * Without a requester, the answer is always awaited.
   */
  call(
    request: ProviderRequest,
    connection: ChannelConnection,
    io: ProviderIo,
    requester?: Requester,
  ): UpstreamCall | Promise<UpstreamCall>;
}

export interface Requester {
  /** False once the caller has disconnected; long work checks it. */
  readonly isWaiting: boolean;
  /** Reserves memory for fetched bytes. Throws where the budget is exhausted. */
  takeMemory(bytes: number): void;
}

export interface ProviderRequest {
  readonly body: Buffer;
  readonly stream: boolean;
  /** Headers of the caller that belong to the format, lower-case names: its version and betas. */
  readonly formatHeaders: Readonly<Record<string, string>>;
  /** Query parameters of the caller that belong to the format, without a question mark; absent or empty for none. */
  readonly formatQuery?: string | undefined;
  /** Absent: JSON. */
  readonly contentType?: string | undefined;
}

export interface UpstreamCall {
  /** Default: POST. GET reads the answer to an earlier call, with an empty body. */
  readonly method?: "GET";
  readonly address: UpstreamAddress;
  readonly body: Buffer;
  /** Requests the usage that an answer lacks; undefined where the provider does not have it. Never rejects. */
  askUsage?(): Promise<Usage | undefined>;
  /** Cancels the work at the provider when its answer is not read to the end. Never throws. */
  giveUp?(): void;
  /** Absent: JSON. */
  readonly contentType?: string | undefined;
  /** Returns the call with a new token where the failure means an expired one; undefined for other failures. */
  renew?(failure: Failure): Promise<UpstreamCall> | undefined;
}
