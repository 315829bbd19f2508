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
