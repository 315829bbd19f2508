import { type LedgerOperation, type LedgerOutcome, runLedgerGroup } from "./run-ledger-group.ts";
import type { OpenDatabase } from "@one-api/database/open-database";
import { prepareLedgerStatements } from "./ledger-statements.ts";

/** Commits groups of operations, each in one transaction. */
export interface GroupCommitter {
  /** Returns each operation's outcome, in order, after the commit is on disk. `attempt` counts from 1. */
  commit(group: readonly LedgerOperation[], attempt: number): Promise<readonly LedgerOutcome[]>;
  close(): Promise<void>;
}

/** Commits on the database's own connection, in this thread. `instanceId` names this process in its reservations. */
export function createGroupCommitter(database: OpenDatabase, instanceId: string): GroupCommitter {
  const statements = prepareLedgerStatements(database.db);
  return {
    commit: (group, attempt) =>
      database.writeTransaction((run) => runLedgerGroup(run, statements, group, { attempt, instanceId })),
    close: async () => undefined,
  };
}

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
