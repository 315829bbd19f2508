import type { OpenDatabase } from "@one-api/database/open-database";
import { prepareLedgerStatements } from "./ledger-statements.ts";
import { type LedgerOperation, type LedgerOutcome, runLedgerGroup } from "./run-ledger-group.ts";

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
