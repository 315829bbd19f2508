export interface StubSettings {
  models: readonly string[];
  refuseUnknownModels: boolean;
  /** Null accepts every key that is not empty. */
  keys: readonly string[] | null;
  seed: number;
  balance: { hardLimitUsd: number; totalUsageCents: number };
}
