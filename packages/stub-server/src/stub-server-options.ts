import type { ChannelTypeName } from "@one-api/contract/channels/channel-types";
import type { Behaviour } from "@one-api/providers/stub-kit/behaviour";
import type { RequestRecord } from "@one-api/providers/stub-kit/request-record";
import type { StubSettings } from "@one-api/providers/stub-kit/settings";

export const defaultSettings: StubSettings = {
  models: [
    "gpt-4o-mini",
    "gpt-4o",
    "gpt-4.1-mini",
    "gpt-4.1",
    "o4-mini",
    "gpt-5-mini",
    "gpt-3.5-turbo",
    "gpt-3.5-turbo-instruct",
    "text-embedding-3-small",
    "text-embedding-3-large",
    "omni-moderation-latest",
  ],
  refuseUnknownModels: false,
  keys: null,
  seed: 0,
  balance: { hardLimitUsd: 100, totalUsageCents: 1_250 },
};

/** Everything about a stub server that can be chosen when it starts; all of it has a default. */
export interface StubServerOptions extends Partial<StubSettings> {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Default `{ kind: 'normal' }`. */
  behaviour?: BehaviourChoice;
  /** Serves this vendor at the bare address, for clients whose address has no path. */
  vendor?: ChannelTypeName;
  /** How many requests are remembered, the latest ones; default 1,000. */
  recordLimit?: number;
}

/** One behaviour for all requests, or a function that chooses it for each. */
export type BehaviourChoice = Behaviour | BehaviourChooser;

type BehaviourChooser = (request: RequestRecord) => Behaviour;
