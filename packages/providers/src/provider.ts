import type { ChannelConnection, GetJson } from "@one-api/contract/channel-connection";
import type { ChannelType } from "@one-api/contract/channel-types";

/** Public paths that a provider may serve, by their names inside the gateway. */
export type Endpoint = "chat-completions" | "completions" | "embeddings" | "moderations";

/** Where a request goes and the headers that the provider wants, lower-case names. */
export interface UpstreamAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A provider that works: a declaration, and only what is special to it as code. */
export interface Provider {
  readonly type: ChannelType;
  /** The dialect that it speaks. The relay passes bytes through where the caller speaks the same one. */
  readonly format: "openai";
  /** The endpoints it serves. */
  readonly endpoints: readonly Endpoint[];
  /** Where a request for the model goes: always the same for the same arguments. The model is the one asked of the provider, after mapping. */
  address(endpoint: Endpoint, model: string, connection: ChannelConnection): UpstreamAddress;
  /**
   * `on-request`: streams report usage when `stream_options.include_usage` is set, so the gateway sets it.
   * `always`: they report it anyway and may refuse the field.
   */
  readonly streamUsage: "on-request" | "always";
  /** Models that a new channel of this type is offered, today's first. */
  readonly models: readonly string[];
  /** Asks for the account's balance in the unit that the contract's channel type names. Absent: the provider has no such question. */
  readonly balance?: (connection: ChannelConnection, getJson: GetJson, now: Date) => Promise<number>;
  /** Asks which models the account may call, by the provider's names, none twice. Absent: the provider has no such question. */
  readonly listModels?: (connection: ChannelConnection, getJson: GetJson) => Promise<readonly string[]>;
}

/** A kind of channel that can be stored but not called yet. */
export interface PendingProvider {
  readonly type: ChannelType;
  readonly format: "pending";
  readonly models: readonly string[];
}
