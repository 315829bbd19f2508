import type { LedgerOperation, LedgerOutcome } from "./run-ledger-group.ts";

/** What the ledger's thread is started with. */
export interface LedgerThreadStart {
  /** Path of the SQLite file. */
  readonly file: string;
  readonly instanceId: string;
}

/** One group to commit. */
export interface CommitRequest {
  readonly group: readonly LedgerOperation[];
  readonly attempt: number;
}

/** How it went. `unavailable`: the database is locked, full or failing for now. */
export type CommitReply =
  | { readonly ok: true; readonly outcomes: readonly LedgerOutcome[] }
  | { readonly ok: false; readonly message: string; readonly unavailable: boolean };
