import type { UnixSeconds } from "@one-api/database/column-values";
import type { BudgetInput } from "@one-api/contract/budget";
import type { Tables } from "@one-api/database/tables";
import type { Kysely, Selectable } from "kysely";

export type Queryable = Kysely<Tables>;

interface Grant {
  readonly userId: number;
  readonly amount: number;
  readonly note: string;
  readonly at: UnixSeconds;
}

export interface QuotaSetting {
  readonly userId: number;
  readonly to: number;
  readonly note: string;
  readonly at: UnixSeconds;
}

interface Redeeming {
  readonly userId: number;
  readonly redemptionId: number;
  readonly amount: number;
  readonly at: UnixSeconds;
}

/** A token's remaining quota set by its owner, whose own quota stays. */
export interface Allotment {
  readonly userId: number;
  readonly tokenId: number;
  readonly from: number;
  readonly to: number;
  readonly at: UnixSeconds;
}

/** Subject of a budget: a user or a token, or all users of a group together. `tokenId`: 0 for the user's own, which counts all tokens. */
export type BudgetSubject = { readonly userId: number; readonly tokenId: number } | { readonly group: string };

/** Budget of a subject; null for none. */
export type BudgetSetting = BudgetSubject & { readonly budget: BudgetInput; readonly at: UnixSeconds };

export interface LogClearing {
  /** Entries from before this time, in Unix seconds. */
  readonly before: number;
  /** Charges from then on are only hidden: a settlement may still ask whether its request was charged. */
  readonly retainChargesFrom: number;
  /** Only entries after this id, and up to the last, are looked at. */
  readonly after: number;
  readonly last: number;
  readonly at: UnixSeconds;
  /** Receives the entries that were visible until then, in the same transaction. */
  readonly onRemoved: (transaction: Queryable, entries: readonly RemovedLog[]) => Promise<void>;
}

export type RemovedLog = Pick<Selectable<Tables["logs"]>, (typeof REMOVED_COLUMNS)[number]>;

export const REMOVED_COLUMNS = [
  "created_at",
  "type",
  "result",
  "status_code",
  "user_id",
  "token_id",
  "token_name",
  "model_name",
  "channel_id",
  "quota",
  "token_amount",
  "cost",
  "prompt_tokens",
  "cached_tokens",
  "completion_tokens",
  "user_budget",
  "token_budget",
  "group_budget",
  "hidden",
] as const;

/**
 * Changes of accounts by features, in their transaction, each with a ledger entry. Before taking quota, reclaim it: changes take from the pool alone.
 */
export interface QuotaLedger {
  /** Adds to the user's quota. Returns false without a change if the pool has too little, the sum exceeds 2^53 − 1, or the user does not exist. */
  grant(transaction: Queryable, grant: Grant): Promise<boolean>;
  /**
   * Sets the user's remaining quota and returns it before and after. Reservations of running requests remain beyond `to`. Undefined for an unknown
   * user.
   */
  setUserQuota(
    transaction: Queryable,
    setting: QuotaSetting,
  ): Promise<{ readonly from: number; readonly to: number } | undefined>;
  /**
   * Adds the quota of a redemption code. Returns false if the sum exceeds 2^53 − 1 or the user does not exist. Throws if the code was redeemed before.
   */
  redeem(transaction: Queryable, redeeming: Redeeming): Promise<boolean>;
  /**
   * Sets the token's remaining quota. Returns undefined without a change if it is no longer `from`, else the reserved quota that remains beyond `to`.
   */
  allot(transaction: Queryable, allotment: Allotment): Promise<number | undefined>;
  /** Sets or removes a budget. A new amount keeps the use of the period; a new period begins at zero. */
  setBudget(transaction: Queryable, setting: BudgetSetting): Promise<void>;
  /**
   * Removes entries of the log and adds their charges to the ledger as sums, so that balances do not change. Returns the number of entries that were
   * visible.
   */
  clearLogs(transaction: Queryable, clearing: LogClearing): Promise<number>;
  /** Makes all servers return the user's unreserved quota. Call it before a transaction that depends on the remaining quota. */
  reclaimUserQuota(userId: number): Promise<void>;
  reclaimTokenQuota(tokenId: number): Promise<void>;
  /** Returns the user's unreserved quota, locked until the transaction ends; 0 for an unknown user. */
  lockUserPool(transaction: Queryable, userId: number): Promise<number>;
}
