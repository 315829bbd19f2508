import type { OpenDatabase } from "@one-api/database/open-database";
import {
  type LedgerStatements,
  NO_CHARGE,
  NO_TOKENS,
  prepareLedgerStatements,
} from "../statements/ledger-statements.ts";
import type { Checkpoint, FreeLogRow } from "../ledger.ts";
import type { LateBalances } from "./late-balances.ts";
import { PlainGroups } from "./plain-groups.ts";
import { type LedgerOperation, type LedgerOutcome, runLedgerGroup } from "./run-ledger-group.ts";

/** Commits groups of operations, each in one transaction. */
export interface GroupCommitter {
  /** Returns each operation's outcome, in order, after the commit; whatever is final is on disk then. `attempt` counts from 1. */
  commit(group: readonly LedgerOperation[], attempt: number): Promise<readonly LedgerOutcome[]>;
  close(): Promise<void>;
}

/** Commits on the database's own connection, in this thread. `instanceId` tells this process's name in its rows; `late`: see `GroupContext`. */
export function createGroupCommitter(
  database: OpenDatabase,
  instanceId: () => string,
  late?: LateBalances,
): GroupCommitter {
  const statements = prepareLedgerStatements(database);
  const commit = (group: readonly LedgerOperation[], attempt: number) =>
    database.writeTransaction(
      (run) => runLedgerGroup(run, statements, group, { attempt, instanceId: instanceId(), late }),
      group.every(setsAsideOnly) ? "in-order" : "on-disk",
    );
  const plain = database.writeStatement && new PlainGroups(database.writeStatement, instanceId);
  return {
    commit: (group, attempt) =>
      plain === undefined || attempt > 1 ? commit(group, attempt) : commitPlainFirst(plain, commit, group),
    close: async () => late?.close(),
  };
}

/** What is not plain, or turns out not to be, is committed in a transaction of its own behind the rest. */
async function commitPlainFirst(
  plain: PlainGroups,
  commit: GroupCommitter["commit"],
  group: readonly LedgerOperation[],
): Promise<readonly LedgerOutcome[]> {
  const told = await plain.commit(group);
  const rest = group.filter((_, index) => told[index] === undefined);
  const ofRest = rest.length === 0 ? [] : await commit(rest, 1);
  for (const [index, operation] of rest.entries()) plain.note(operation, ofRest[index]);
  const left = ofRest.values();
  return told.flatMap((outcome) => outcome ?? left.next().value ?? []);
}

/**
 * What is only set aside need not be on disk: a power cut that undoes it gives it back, as the next start would. Whatever is noted or booked
 * of the request later comes behind it, and a settlement that does not find it books all the same.
 */
function setsAsideOnly({ kind }: LedgerOperation): boolean {
  return kind === "reserve" || kind === "read" || kind === "read-budgets";
}

/** How a ledger writes. */
export interface LedgerWriter {
  readonly committer: GroupCommitter;
  /** See `Ledger.writeLogs`. */
  readonly writeLogs: (rows: readonly FreeLogRow[]) => Promise<void>;
  /** Notes what was delivered in the rows that hold quota for it; those that are gone stay so. */
  readonly updateCheckpoints: (checkpoints: readonly Checkpoint[]) => Promise<void>;
}

/** Writes to the database, commits through the committer. */
export function createLedgerWriter(database: OpenDatabase, committer: GroupCommitter): LedgerWriter {
  const statements: LedgerStatements = prepareLedgerStatements(database);
  return {
    committer,
    writeLogs: (rows) =>
      database.writeTransaction((run) =>
        statements.insertLogs(
          run,
          rows.map((row) => ({ ...NO_CHARGE, ...row })),
        ),
      ),
    updateCheckpoints: (checkpoints) =>
      database.writeTransaction(async (run) => {
        for (const { requestId, delivered, channelId, log = NO_TOKENS } of checkpoints)
          await statements.updateCheckpoint(run, { requestId, delivered, channelId, ...log });
      }),
  };
}
