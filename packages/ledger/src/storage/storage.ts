import type { UnixSeconds } from "@one-api/database/column-values";
import type { Account } from "../accounts.ts";
import type { LogRow } from "../ledger.ts";

/** The server as its statements name it. A statement with an epoch that is no longer the row's does nothing. */
export interface Owner {
  readonly id: number;
  readonly epoch: number;
}

/** Thrown by a statement that named an epoch which is no longer the owner's. */
export class StaleEpochError extends Error {
  override name = "StaleEpochError";

  constructor() {
    super("The epoch of this server has changed.");
  }
}

/** A row of the journal: columns of `LogsTable`. */
export interface JournalRow extends Required<LogRow> {
  /** The owner whose shares pay; 0 for a row that moves no money. */
  readonly owner: number;
  readonly quota: number;
  readonly token_id: number;
  readonly token_amount: number;
  readonly shortfall: number;
  readonly hidden: 0 | 1;
  readonly user_budget: number;
  readonly token_budget: number;
  readonly group_budget: number;
}

interface AcquiredAccount extends Account {
  /** The least that must be granted, in quota. */
  readonly need: number;
  /** Granted if the pool is rich; 0 to take no more than `need`. */
  readonly want: number;
}

/** Accounts that a request needs: all of them are granted, or none. No account may be in two acquisitions of a statement. */
export type Acquisition = readonly AcquiredAccount[];

interface Granted extends Account {
  readonly amount: number;
  readonly isScarce: boolean;
}

/**
 * `short` names the accounts with a pool below `need`, or without one. If another server changed a pool meanwhile, less than `need` may be granted:
 * acquire again.
 */
export type AcquisitionOutcome =
  | { readonly granted: readonly Granted[]; readonly short?: undefined }
  | { readonly granted?: undefined; readonly short: readonly Account[] };

/** Return of all quota but `keep` to the pool. */
interface Return extends Account {
  readonly keep: number;
  readonly isScarce: boolean;
}

export interface CheckpointRow {
  readonly request_id: string;
  readonly user_id: number;
  readonly token_id: number;
  readonly token_limited: 0 | 1;
  readonly user_budget: number;
  readonly token_budget: number;
  readonly group_budget: number;
  readonly channel_id: number;
  readonly delivered: number;
  readonly created_at: number;
  readonly model_name: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

export interface FoundEntry {
  readonly quota: number;
  readonly tokenAmount: number;
  readonly refunded: number;
}

interface OwnerState {
  /** The last journal id that is subtracted from its shares. */
  readonly appliedId: number;
  /** The last journal id of this owner; `appliedId` where it has none after that. */
  readonly lastId: number;
}

export interface StoredShare extends Account {
  readonly remaining: number;
  readonly isScarce: boolean;
}

/** States of an owner: it serves; it was declared dead; its checkpoints are charged too. */
export type OwnerCondition = "live" | "dead" | "charged";

export interface OwnerRow extends Owner {
  readonly state: OwnerCondition;
  readonly heartbeat: number;
}

export interface BudgetWindow {
  readonly id: number;
  readonly start: UnixSeconds;
}

/**
 * Statements of the ledger, each its own transaction. With an owner they throw `StaleEpochError` after a change of its epoch. All may throw the
 * database package's errors.
 */
export interface Storage {
  /** One process owns the database: shares are whole balances, pools have no other user, and no server is declared dead. */
  readonly isExclusive: boolean;
  /** Adds a row for a new live server. On SQLite: raises the epoch of the only one, in any state. */
  register(): Promise<Owner>;
  /** Appends rows. Returns the id of each that was inserted; a request that has a row already has none. On disk when it resolves. */
  settle(owner: Owner, rows: readonly JournalRow[]): Promise<ReadonlyMap<string, number>>;
  /** Appends rows that move no money; those of requests that have one are left out. */
  writeLogs(rows: readonly JournalRow[]): Promise<void>;
  acquire(owner: Owner, acquisitions: readonly Acquisition[]): Promise<readonly AcquisitionOutcome[]>;
  returnLeftovers(owner: Owner, returns: readonly Return[]): Promise<void>;
  /** Subtracts the journal's entries after `from` up to `to` from the owner's shares. */
  apply(owner: Owner, from: number, to: number): Promise<void>;
  /** Moves `applied_id` on to the end of the log. Returns it. Send it while nothing is unapplied and no settlement is under way. */
  skip(owner: Owner, from: number): Promise<number>;
  checkpoint(owner: Owner, rows: readonly CheckpointRow[], ended: readonly string[]): Promise<void>;
  /** Sends a heartbeat. On disk when it resolves. */
  heartbeat(owner: Owner): Promise<void>;
  /** Raises the epoch by one, which cancels all running statements. Resolves to the owner to continue as; undefined: it was declared dead. */
  raise(owner: Owner): Promise<Owner | undefined>;
  /** Breaks the connections, so that answers to earlier statements never arrive. */
  disconnect(): void;
  look(requestIds: readonly string[]): Promise<ReadonlyMap<string, FoundEntry>>;
  readOwner(ownerId: number): Promise<OwnerState | undefined>;
  readShares(ownerId: number): Promise<readonly StoredShare[]>;
  /** Opens the window of a budget that begins then, or returns the newest where that is later. Undefined: the budget is gone. */
  openWindow(budgetId: number, start: number): Promise<BudgetWindow | undefined>;
  readPools(accounts: readonly Account[]): Promise<ReadonlyMap<number, number>>;
  /** Marks pools scarce, and shares of them not, and notifies other servers, which then return what they hold and mark their shares. */
  markScarce(accounts: readonly Account[]): Promise<void>;
  /** Accounts among the owner's shares whose pool is scarce and whose share is not: what `markScarce` of others asks to return. */
  readScarce(owner: Owner): Promise<readonly Account[]>;
  /** Other owners that hold quota of these accounts: whether they have answered `markScarce`, and their last heartbeat. */
  readHolders(owner: Owner, accounts: readonly Account[]): Promise<readonly Holder[]>;
  readOwners(): Promise<readonly OwnerRow[]>;
  /** Declares an owner dead where its epoch and heartbeat are still these. */
  declareDead(owner: Owner, heartbeat: number): Promise<void>;
  /** Charges the checkpoints of an owner that was declared dead, each request once. Returns how many it charged. Send it only after a read that showed the owner dead. */
  chargeCheckpoints(owner: Owner): Promise<number>;
  /** Returns at most `most` shares of a dead and charged owner to the pool. Resolves to the number of remaining shares; at 0 its row is deleted. */
  returnShares(owner: Owner, most: number): Promise<number>;
  close(): Promise<void>;
}

export interface Holder extends Account {
  readonly owner: number;
  readonly remaining: number;
  readonly isScarce: boolean;
}
