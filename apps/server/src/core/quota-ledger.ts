import type { Queryable } from "./transaction.ts";

/** Quota that an account gets or, with an amount below zero, loses by an administrator's hand. */
export interface Grant {
  readonly userId: number;
  readonly amount: number;
  /** Why, for the ledger. */
  readonly note: string;
  /** Unix time in seconds. */
  readonly at: number;
}

/** Quota that an account gets for a redemption code. */
export interface Redeeming {
  readonly userId: number;
  readonly redemptionId: number;
  readonly amount: number;
  /** Unix time in seconds. */
  readonly at: number;
}

/** A token's remaining quota set by its owner, whose own quota stays. */
export interface Allotment {
  readonly userId: number;
  readonly tokenId: number;
  /** What remained when it was read. */
  readonly from: number;
  /** What shall remain. */
  readonly to: number;
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
  /** What the user has left to spend, held until the transaction ends so that a decision on it stays true; 0 for nobody. */
  holdUserQuota(transaction: Queryable, userId: number): Promise<number>;
}
