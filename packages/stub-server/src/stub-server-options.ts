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

export interface StubServerOptions extends Partial<StubSettings> {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Default `{ kind: 'normal' }`. */
  behaviour?: BehaviourChoice;
  /** Vendor at the base address, for clients whose address has no path. */
  vendor?: ChannelTypeName;
  /** Number of stored requests, latest ones; default 1,000. */
  recordLimit?: number;
}

export type BehaviourChoice = Behaviour | BehaviourChooser;

type BehaviourChooser = (request: RequestRecord) => Behaviour;
