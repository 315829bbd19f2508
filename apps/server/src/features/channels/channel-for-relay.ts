import type { ChannelConfig } from "@one-api/contract/channel";
import type { ChannelType } from "@one-api/contract/channel-types";

/** What a provider needs to be called. The key is in clear: keep it out of logs, errors and answers. */
export interface ChannelConnection {
  /** Without a trailing slash; empty when the channel uses the provider's own address. */
  readonly baseUrl: string;
  readonly key: string;
  readonly organization: string;
  /** An API version, a plugin or a knowledge base, by type. */
  readonly other: string;
  /** Secret parts included. */
  readonly config: ChannelConfig;
}

/** A channel as the relay uses it, everything parsed once. */
export interface ChannelForRelay {
  readonly id: number;
  readonly type: ChannelType;
  readonly name: string;
  readonly status: number;
  readonly connection: ChannelConnection;
  /** The names that callers use, in the order of the channel. */
  readonly models: ReadonlySet<string>;
  readonly groups: readonly string[];
  /** The model that a caller names to the one that the provider is asked for. */
  readonly modelMapping: ReadonlyMap<string, string>;
  readonly systemPrompt: string;
  readonly priority: number;
  readonly weight: number;
  /** 0 is no limit. */
  readonly softLimitUsd: number;
  /** What was spent through the channel, in quota. */
  readonly usedQuota: number;
  /** Count the prompt here when the provider does not report it. */
  readonly calcPrompt: boolean;
}
