import type { BudgetInput } from "@one-api/contract/budget";
import type { Tables } from "@one-api/database/tables";
import type { Kysely, Selectable } from "kysely";

/** A database or a transaction on it. */
export type Queryable = Kysely<Tables>;

/** Quota that an account gets or, with an amount below zero, loses by an administrator's hand. */
interface Grant {
  readonly userId: number;
  readonly amount: number;
  /** Why, for the ledger. */
  readonly note: string;
  /** Unix seconds. */
  readonly at: number;
}

/** A user's quota set by an administrator. */
export interface QuotaSetting {
  readonly userId: number;
  /** The balance to set. */
  readonly to: number;
  /** Why, for the ledger. */
  readonly note: string;
  /** Unix seconds. */
  readonly at: number;
}

/** Quota that an account gets for a redemption code. */
interface Redeeming {
  readonly userId: number;
  readonly redemptionId: number;
  readonly amount: number;
  /** Unix seconds. */
  readonly at: number;
}

/** A token's remaining quota set by its owner, whose own quota stays. */
export interface Allotment {
  readonly userId: number;
  readonly tokenId: number;
  /** The balance that was read. */
  readonly from: number;
  /** The balance to set. */
  readonly to: number;
  /** Unix seconds. */
  readonly at: number;
}

/** Budget of a user or token; null for none. */
export interface BudgetSetting {
  readonly userId: number;
  /** 0 for the user's own budget, which counts all tokens. */
  readonly tokenId: number;
  readonly budget: BudgetInput;
  /** Unix seconds. */
  readonly at: number;
}

/** Which entries of the log go. */
export interface LogClearing {
  /** Entries from before this time, in Unix seconds. */
  readonly before: number;
  /** Charges from then on are only hidden: a settlement may still ask whether its request was charged. */
  readonly keepChargesFrom: number;
  /** Only entries after this id, and up to the last, are looked at. */
  readonly after: number;
  readonly last: number;
  /** Unix seconds. */
  readonly at: number;
  /** Receives the entries that were visible until then, in the same transaction. */
  readonly onRemoved: (transaction: Queryable, entries: readonly RemovedLog[]) => Promise<void>;
}

/** Columns of an entry that was removed or hidden. */
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
  "hidden",
] as const;

/**
 * How features change accounts: these start with nothing and are given quota here, in the caller's transaction, each with its entry in the ledger. A change
 * that takes quota away finds it in the pool alone: recall it first.
 */
export interface QuotaLedger {
  /** Adds to the user's quota. Returns false, and does nothing, where the pool has less than is taken, the user would have more than 2^53 − 1, or is not there. */
  grant(transaction: Queryable, grant: Grant): Promise<boolean>;
  /**
   * Sets what the user has left, and returns what that was and is. What running requests hold beyond `to` cannot be taken: that much more remains.
   * Undefined, with nothing done, where the user is not there.
   */
  setUserQuota(
    transaction: Queryable,
    setting: QuotaSetting,
  ): Promise<{ readonly from: number; readonly to: number } | undefined>;
  /**
   * Adds what a redemption code is worth to the user's quota. Returns false, and does nothing, where the user would have more than
   * 2^53 − 1, or is not there. A code pays once for ever: a second time throws, as the ledger's entry of the first stands against it.
   */
  redeem(transaction: Queryable, redeeming: Redeeming): Promise<boolean>;
  /**
   * Sets what remains of the token. Returns undefined, and does nothing, where it is not `from` any more; else what running requests still hold beyond
   * `to`: that much more remains until they end.
   */
  allot(transaction: Queryable, allotment: Allotment): Promise<number | undefined>;
  /** Sets a budget, or takes it away. Another amount keeps what is spent in the period; another period begins anew. */
  setBudget(transaction: Queryable, setting: BudgetSetting): Promise<void>;
  /**
   * Removes entries of the log; what they charged stays in the ledger as sums by user and token, so that balances still add up. Returns how many
   * nobody can see any more that could be seen before.
   */
  clearLogs(transaction: Queryable, clearing: LogClearing): Promise<number>;
  /** Has all servers return what they hold of the user without a request that needs it; call it before a transaction that depends on what is left. */
  recallUserQuota(userId: number): Promise<void>;
  /** The same for a token. */
  recallTokenQuota(tokenId: number): Promise<void>;
  /** Returns the user's unreserved quota, locked until the transaction ends; 0 for an unknown user. */
  holdUserQuota(transaction: Queryable, userId: number): Promise<number>;
}
