import type { BudgetInput } from "@one-api/contract/budget";
import type { Queryable } from "./transaction.ts";

/** Quota that an account gets or, with an amount below zero, loses by an administrator's hand. */
interface Grant {
  readonly userId: number;
  readonly amount: number;
  /** Why, for the ledger. */
  readonly note: string;
  /** Unix time in seconds. */
  readonly at: number;
}

/** Quota that an account gets for a redemption code. */
interface Redeeming {
  readonly userId: number;
  readonly redemptionId: number;
  readonly amount: number;
  /** Unix time in seconds. */
  readonly at: number;
}

/** A token's remaining quota set by its owner, whose own quota stays. */
interface Allotment {
  readonly userId: number;
  readonly tokenId: number;
  /** What remained when it was read. */
  readonly from: number;
  /** What shall remain. */
  readonly to: number;
  /** Unix time in seconds. */
  readonly at: number;
}

/** What a user or a token may spend in each period; null for no bound. */
export interface BudgetSetting {
  readonly userId: number;
  /** 0 for the user's own budget, which counts all tokens. */
  readonly tokenId: number;
  readonly budget: BudgetInput;
  /** Unix time in seconds. */
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
  /** Unix time in seconds. */
  readonly at: number;
}

/**
 * How features change balances: rows start with nothing and are given quota here, in the caller's transaction, each with its entry in
 * the ledger. Nothing else sets a balance.
 */
export interface QuotaLedger {
  /** Adds to the user's quota. Returns false, and does nothing, where the user would have less than nothing or more than 2^53 − 1, or is not there. */
  grant(transaction: Queryable, grant: Grant): Promise<boolean>;
  /**
   * Adds what a redemption code is worth to the user's quota. Returns false, and does nothing, where the user would have more than
   * 2^53 − 1, or is not there. A code pays once for ever: a second time throws, as the ledger's entry of the first stands against it.
   */
  redeem(transaction: Queryable, redeeming: Redeeming): Promise<boolean>;
  /** Sets what remains of the token. Returns false, and does nothing, when something else changed it since it was read. */
  allot(transaction: Queryable, allotment: Allotment): Promise<boolean>;
  /** Sets a budget, or takes it away. Another amount keeps what is spent in the period; another period begins anew: what was spent before does not count. */
  setBudget(transaction: Queryable, setting: BudgetSetting): Promise<void>;
  /**
   * Removes entries of the log; what they charged stays in the ledger as sums by user and token, so that balances still add up. Returns how many
   * nobody can see any more that could be seen before.
   */
  clearLogs(transaction: Queryable, clearing: LogClearing): Promise<number>;
  /**
   * Has servers give back what they have set aside in advance for the user's requests; call it before a transaction that depends on what the user has
   * left to spend.
   */
  recallUserQuota(userId: number): Promise<void>;
  /** What the user has left to spend that is not set aside, held until the transaction ends so that a decision on it stays true; 0 for nobody. */
  holdUserQuota(transaction: Queryable, userId: number): Promise<number>;
}
