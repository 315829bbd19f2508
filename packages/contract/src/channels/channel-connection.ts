import type { ChannelConfig } from "./channel-json.ts";

/** Connection data of a provider. The key is in clear: never put it into logs, errors or answers. */
export interface ChannelConnection {
  /** Without a trailing slash; empty for the provider's own address. */
  readonly baseUrl: string;
  readonly key: string;
  readonly organization: string;
  /** An API version, a model version, a plugin or a knowledge base, by type. */
  readonly other: string;
  /** Includes secrets. */
  readonly config: ChannelConfig;
}

/** Gets JSON for balance and model lists of a provider. Throws a readable error on anything but a good answer. */
export type GetJson = (url: string, headers: Readonly<Record<string, string>>) => Promise<unknown>;
