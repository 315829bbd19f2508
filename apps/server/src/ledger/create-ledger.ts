import type { OpenDatabase } from "@one-api/database/open-database";
import type { Clock } from "../core/clock.ts";
import { AccountsInMemory } from "./accounts-in-memory.ts";
import { createGroupCommitter, createLedgerWriter, type GroupCommitter } from "./commits/commit-groups.ts";
import { createInstance, forgetDeadInstances } from "./instance.ts";
import { LateBalances } from "./commits/late-balances.ts";
import { LedgerInMemory } from "./ledger-in-memory.ts";
import { LedgerInRows, type LedgerWaits } from "./ledger-in-rows.ts";
import { QuotaLeases } from "./leases/quota-leases.ts";
import { recoverLeases } from "./leases/recover-leases.ts";
import type { Ledger } from "./ledger.ts";
import { recoverHolds } from "./recover-holds.ts";

/** Returns a committer that commits through the one given. */
export type AroundCommits = (committer: GroupCommitter) => GroupCommitter;

/** What a ledger is made from. */
export interface LedgerParts {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  /** Puts something around what commits, for tests that hold or fail commits. */
  readonly aroundCommits?: AroundCommits;
  /** Other than the usual waits, for tests. */
  readonly waits?: LedgerWaits;
}

/** What keeps a ledger right beside its requests. */
export interface LedgerUpkeep {
  /** Settles what stopped processes left open; call it before the first request. Returns how many requests that were. */
  start(): Promise<number>;
  /** Tells other processes that this one lives. Returns false when they had taken it for dead. */
  beat(): Promise<boolean>;
  /** Settles what other processes left that have died meanwhile. Returns how many requests that were. */
  recover(): Promise<number>;
  /** Says goodbye to the other processes, after the last settlement. */
  stop(): Promise<void>;
}

/** The ledger on the database, and its upkeep. Where the database is a file this process owns it alone. */
export function createLedger(parts: LedgerParts): { readonly ledger: Ledger; readonly upkeep: LedgerUpkeep } {
  const { database, clock, aroundCommits = (committer) => committer, waits } = parts;
  if (database.sqliteFile !== undefined) {
    const accounts = new AccountsInMemory();
    const late = new LateBalances(database, accounts);
    database.sqliteFile.bringUpBeforeReading(late);
    const committer = createGroupCommitter(database, () => "", late);
    return {
      ledger: new LedgerInMemory(createLedgerWriter(database, aroundCommits(committer)), accounts),
      upkeep: {
        async start() {
          await late.addUp();
          return recoverHolds(database);
        },
        beat: async () => true,
        recover: async () => 0,
        stop: async () => {},
      },
    };
  }
  const instance = createInstance(database, clock);
  const committer = createGroupCommitter(database, instance.id);
  const { writeStatement: statement } = database;
  if (statement === undefined) throw new Error("A database that several processes share runs single statements.");
  const leases = new QuotaLeases({ database, statement, instance, clock });
  instance.onTakenForDead(() => leases.noteTakenForDead());
  const recover = async () => {
    const recovered = await recoverHolds(database);
    await recoverLeases(database, statement);
    await forgetDeadInstances(database);
    return recovered;
  };
  return {
    ledger: new LedgerInRows({
      writer: createLedgerWriter(database, aroundCommits(committer)),
      instance,
      leases,
      waits,
    }),
    upkeep: {
      async start() {
        await instance.beat();
        leases.start();
        return recover();
      },
      beat: () => instance.beat(),
      recover,
      async stop() {
        await leases.stop();
        await instance.leave();
      },
    },
  };
}
