import type { ChannelConfig } from "./channel-json.ts";

/** What a provider needs to be called. The key is in clear: keep it out of logs, errors and answers. */
export interface ChannelConnection {
  /** Without a trailing slash; empty when the channel uses the provider's own address. */
  readonly baseUrl: string;
  readonly key: string;
  readonly organization: string;
  /** An API version, a model version, a plugin or a knowledge base, by type. */
  readonly other: string;
  /** Secret parts included. */
  readonly config: ChannelConfig;
}

/** Gets JSON over HTTP for a provider's own questions (balance, models). Throws a readable error on anything but a good answer. */
export type GetJson = (url: string, headers: Readonly<Record<string, string>>) => Promise<unknown>;
