import type { Behaviour } from "./behaviour.ts";
import type { RequestRecord } from "./request-log.ts";

/** What stays the same over the life of a fake upstream. */
export interface UpstreamSettings {
  models: readonly string[];
  refuseUnknownModels: boolean;
  /** Null accepts every key that is not empty. */
  keys: readonly string[] | null;
  /** Shifts filler words, embeddings and ids. */
  seed: number;
  balance: { hardLimitUsd: number; totalUsageCents: number };
}

export const defaultSettings: UpstreamSettings = {
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

/** Everything about a fake upstream that can be chosen when it starts; all of it has a default. */
export interface FakeUpstreamOptions extends Partial<UpstreamSettings> {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Default `{ kind: 'normal' }`. */
  behaviour?: BehaviourChoice;
  /** How many requests are remembered, the latest ones; default 1,000. */
  recordLimit?: number;
}

/** One behaviour for all requests, or a function that chooses it for each. */
export type BehaviourChoice = Behaviour | BehaviourChooser;

type BehaviourChooser = (request: RequestRecord) => Behaviour;
