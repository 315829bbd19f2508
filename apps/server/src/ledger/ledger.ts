import type { OpenDatabase } from "@one-api/database/open-database";
import { createGroupCommitter, type GroupCommitter } from "./commit-groups.ts";
import { createGroupCommit } from "./group-commit.ts";
import type { LogRow, Reservation, ReserveOutcome, Settlement, SettleOutcome } from "./ledger-operation.ts";
import { prepareLedgerStatements } from "./ledger-statements.ts";
import type { LedgerOperation, LedgerOutcome } from "./run-ledger-group.ts";

/** How far a request in flight has come, for the case that this process dies. */
export interface Checkpoint {
  readonly requestId: string;
  readonly channelId: number;
  /** Cost of what was delivered so far, in quota. */
  readonly delivered: number;
}

/**
 * The only writer of balances. Every promise resolves after its commit is on disk. Quota moves in two steps: a reservation takes
 * an upper bound before the upstream is called, a settlement books the charge and gives the rest back.
 */
export interface Ledger {
  /** Sets quota aside, or says whose balance does not cover it. */
  reserve(reservation: Reservation): Promise<ReserveOutcome>;
  /** Ends a reservation exactly once; settling again changes nothing and answers `settled: false`. */
  settle(settlement: Settlement): Promise<SettleOutcome>;
  /** Notes the cost of what requests in flight have delivered. */
  checkpoint(checkpoints: readonly Checkpoint[]): Promise<void>;
  /** Writes rows of the log that move no money, in one commit. */
  writeLogs(rows: readonly LogRow[]): Promise<void>;
  /** Ends the ledger's thread where it has one; nothing may be reserved or settled afterwards. */
  close(): Promise<void>;
}

/** A ledger on the database. `instanceId` names this process in its reservations; `committer` is for committing in another thread. */
export function createLedger(
  database: OpenDatabase,
  instanceId: string,
  committer: GroupCommitter = createGroupCommitter(database, instanceId),
): Ledger {
  const statements = prepareLedgerStatements(database.db);
  const add = createGroupCommit<LedgerOperation, LedgerOutcome>((group, attempt) => committer.commit(group, attempt));
  return {
    async reserve(reservation) {
      const result = await add({ kind: "reserve", reservation });
      if (result.kind !== "reserve") throw new Error("The ledger mixed up its outcomes.");
      return result.outcome;
    },
    async settle(settlement) {
      const result = await add({ kind: "settle", settlement });
      if (result.kind !== "settle") throw new Error("The ledger mixed up its outcomes.");
      return result.outcome;
    },
    async checkpoint(checkpoints) {
      await database.writeTransaction(async (run) => {
        for (const { requestId, delivered, channelId } of checkpoints) {
          await statements.checkpoint(run, { requestId, delivered, channelId });
        }
      });
    },
    writeLogs: (rows) =>
      database.writeTransaction((run) =>
        statements.insertLogs(
          run,
          rows.map((row) => ({ ...row, quota: 0, token_id: 0, token_amount: 0, shortfall: 0, hidden: 0 })),
        ),
      ),
    close: () => committer.close(),
  };
}
