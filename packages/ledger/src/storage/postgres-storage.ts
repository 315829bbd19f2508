import type { OpenDatabase, StatementConnection, StatementParameter } from "@one-api/database/open-database";
import { arrayOf, numberArray, textArray } from "@one-api/database/postgres-arrays";
import { type Account, accountKey, byAccount } from "../accounts.ts";
import { CHECKPOINT_COLUMNS, FIND_CHARGES, JOURNAL_COLUMNS, readOwnerState, readSharesOf } from "./journal-columns.ts";
import {
  ACQUIRE,
  APPLY,
  CHARGE_CHECKPOINTS,
  CHECKPOINT,
  COUNT_SHARES,
  DECLARE_DEAD,
  FORGET_OWNER,
  HEARTBEAT,
  MARK_SCARCE,
  OPEN_WINDOW,
  RAISE,
  READ_HOLDERS,
  READ_POOLS,
  READ_SCARCE,
  REGISTER,
  RETURN_LEFTOVERS,
  RETURN_SHARES,
  SETTLE,
  SKIP,
  WRITE_LOGS,
  isText,
} from "./postgres-statements.ts";
import { numberOf, readAccount, readFound, readHolder, readOwnerRow, readShare, type ResultRow } from "./read-rows.ts";
import {
  type CheckpointRow,
  type JournalRow,
  type Owner,
  StaleEpochError,
  type Storage,
  type Acquisition,
  type AcquisitionOutcome,
} from "./storage.ts";

/** The statements on PostgreSQL: settlements on one connection, all others on a second. Each connection runs one at a time. */
export class PostgresStorage implements Storage {
  readonly isExclusive = false;
  readonly #journal: StatementConnection;
  readonly #shares: StatementConnection;

  /** Throws where the database is not PostgreSQL. */
  constructor({ openStatements }: OpenDatabase) {
    if (openStatements === undefined) throw new Error("This database has no connections for single statements.");
    this.#journal = openStatements();
    this.#shares = openStatements();
  }

  async register(): Promise<Owner> {
    const [row] = await this.#run(this.#shares, REGISTER, []);
    return { id: numberOf(row, "id"), epoch: numberOf(row, "epoch") };
  }

  async settle(owner: Owner, rows: readonly JournalRow[]): Promise<ReadonlyMap<string, number>> {
    const inserted = await this.#run(this.#journal, SETTLE, [owner.id, owner.epoch, ...journalParameters(rows)]);
    return new Map(inserted.map((row) => [String(row["request_id"]), numberOf(row, "id")]));
  }

  async writeLogs(rows: readonly JournalRow[]): Promise<void> {
    await this.#run(this.#shares, WRITE_LOGS, journalParameters(rows));
  }

  async acquire(owner: Owner, acquisitions: readonly Acquisition[]): Promise<readonly AcquisitionOutcome[]> {
    const lines = acquisitions.flatMap((acquisition, index) =>
      acquisition.map((account) => ({ ...account, acquisition: index, size: acquisition.length })),
    );
    const list = (of: (line: (typeof lines)[number]) => number) => numberArray(lines.map(of));
    const rows = await this.#owned(ACQUIRE, owner, [
      list(({ acquisition }) => acquisition),
      list(({ size }) => size),
      list(({ kind }) => kind),
      list(({ id }) => id),
      list(({ need }) => need),
      list(({ want }) => want),
    ]);
    return acquisitions.map((acquisition, index) =>
      outcomeOf(
        acquisition,
        rows.filter((row) => row["acquisition"] === index),
      ),
    );
  }

  async returnLeftovers(owner: Owner, returns: Parameters<Storage["returnLeftovers"]>[1]): Promise<void> {
    const sorted = returns.toSorted(byAccount);
    await this.#owned(RETURN_LEFTOVERS, owner, [
      ...accountArrays(sorted),
      numberArray(sorted.map(({ keep }) => keep)),
      numberArray(sorted.map(({ isScarce }) => Number(isScarce))),
    ]);
  }

  async apply(owner: Owner, from: number, to: number): Promise<void> {
    await this.#owned(APPLY, owner, [from, to]);
  }

  async skip(owner: Owner, from: number): Promise<number> {
    const [row] = await this.#run(this.#journal, SKIP, [owner.id, owner.epoch, from]);
    if (row === undefined) throw new StaleEpochError();
    return numberOf(row, "applied_id");
  }

  async checkpoint(owner: Owner, rows: readonly CheckpointRow[], ended: readonly string[]): Promise<void> {
    await this.#owned(CHECKPOINT, owner, [
      textArray(ended),
      ...CHECKPOINT_COLUMNS.map((name) =>
        arrayOf(
          rows.map((row) => row[name]),
          !isText(name),
        ),
      ),
    ]);
  }

  async heartbeat(owner: Owner): Promise<void> {
    await this.#owned(HEARTBEAT, owner, []);
  }

  async raise(owner: Owner): Promise<Owner | undefined> {
    const [raised] = await this.#run(this.#shares, RAISE, [owner.id, owner.epoch]);
    if (raised !== undefined) return { id: owner.id, epoch: numberOf(raised, "epoch") };
    const [row] = await this.#run(this.#shares, "select epoch, state from owners where id = $1", [owner.id]);
    if (row?.["state"] !== "live") return undefined;
    return this.raise({ id: owner.id, epoch: numberOf(row, "epoch") });
  }

  disconnect(): void {
    this.#journal.disconnect();
    this.#shares.disconnect();
  }

  async look(requestIds: readonly string[]): ReturnType<Storage["look"]> {
    const rows = await this.#run(this.#shares, `${FIND_CHARGES} and request_id = any($1::text[])`, [
      textArray(requestIds),
    ]);
    return new Map(rows.map((row) => [String(row["request_id"]), readFound(row)]));
  }

  async readOwner(ownerId: number): ReturnType<Storage["readOwner"]> {
    const [row] = await this.#run(this.#shares, readOwnerState("$1"), [ownerId]);
    return row && { appliedId: numberOf(row, "applied_id"), lastId: numberOf(row, "last_id") };
  }

  async readShares(ownerId: number): ReturnType<Storage["readShares"]> {
    return (await this.#run(this.#shares, readSharesOf("$1"), [ownerId])).map(readShare);
  }

  async openWindow(budgetId: number, start: number): ReturnType<Storage["openWindow"]> {
    const open = async () => (await this.#run(this.#shares, OPEN_WINDOW, [budgetId, start]))[0];
    // A window that another server opened at the same moment is seen by the next statement only.
    const row = (await open()) ?? (await open());
    return row && { id: numberOf(row, "id"), start: numberOf(row, "window_start") };
  }

  async readPools(accounts: readonly Account[]): ReturnType<Storage["readPools"]> {
    const rows = await this.#run(this.#shares, READ_POOLS, accountArrays(accounts));
    return new Map(rows.map((row) => [accountKey(readAccount(row)), numberOf(row, "remaining")]));
  }

  async markScarce(accounts: readonly Account[]): Promise<void> {
    await this.#run(this.#shares, MARK_SCARCE, accountArrays(accounts));
  }

  async readScarce(owner: Owner): Promise<readonly Account[]> {
    return (await this.#run(this.#shares, READ_SCARCE, [owner.id])).map(readAccount);
  }

  async readHolders(owner: Owner, accounts: readonly Account[]): ReturnType<Storage["readHolders"]> {
    return (await this.#run(this.#shares, READ_HOLDERS, [owner.id, ...accountArrays(accounts)])).map(readHolder);
  }

  async readOwners(): ReturnType<Storage["readOwners"]> {
    return (
      await this.#run(this.#shares, "select id, epoch, state, heartbeat from owners where state <> 'batch'", [])
    ).map(readOwnerRow);
  }

  async declareDead(owner: Owner, heartbeat: number): Promise<void> {
    await this.#run(this.#shares, DECLARE_DEAD, [owner.id, owner.epoch, heartbeat]);
  }

  async chargeCheckpoints(owner: Owner): Promise<number> {
    return (await this.#run(this.#shares, CHARGE_CHECKPOINTS, [owner.id, owner.epoch])).length;
  }

  async returnShares(owner: Owner, most: number): Promise<number> {
    await this.#run(this.#shares, RETURN_SHARES, [owner.id, owner.epoch, most]);
    const [row] = await this.#run(this.#shares, COUNT_SHARES, [owner.id]);
    const count = numberOf(row, "count");
    if (count === 0) await this.#run(this.#shares, FORGET_OWNER, [owner.id, owner.epoch]);
    return count;
  }

  async close(): Promise<void> {
    await Promise.all([this.#journal.close(), this.#shares.close()]);
  }

  /** Runs a statement that returns a row unless the epoch is old. */
  async #owned(sql: string, owner: Owner, parameters: readonly StatementParameter[]): Promise<readonly ResultRow[]> {
    const rows = await this.#run(this.#shares, sql, [owner.id, owner.epoch, ...parameters]);
    if (rows.length === 0) throw new StaleEpochError();
    return rows;
  }

  async #run(
    connection: StatementConnection,
    sql: string,
    parameters: readonly StatementParameter[],
  ): Promise<readonly ResultRow[]> {
    const { rows } = await connection.run(sql, parameters);
    return rows;
  }
}

function journalParameters(rows: readonly JournalRow[]): string[] {
  return JOURNAL_COLUMNS.map(({ name, isNumber }) =>
    arrayOf(
      rows.map((row) => row[name]),
      isNumber,
    ),
  );
}

function accountArrays(accounts: readonly Account[]): [kinds: string, ids: string] {
  return [numberArray(accounts.map(({ kind }) => kind)), numberArray(accounts.map(({ id }) => id))];
}

/** Reads what the pool answered to a wish; an account without a pool row has none among the rows. */
function outcomeOf(acquisition: Acquisition, rows: readonly ResultRow[]): AcquisitionOutcome {
  const isCovered = rows.length === acquisition.length && rows.every((row) => row["is_covered"] === true);
  if (isCovered)
    return {
      granted: rows
        .filter((row) => row["is_taken"] === true)
        .map((row) => ({ ...readAccount(row), amount: numberOf(row, "amount"), isScarce: row["is_scarce"] === true })),
    };
  const pools = new Map(rows.map((row) => [accountKey(readAccount(row)), numberOf(row, "remaining")]));
  return { short: acquisition.filter((account) => (pools.get(accountKey(account)) ?? -1) < account.need) };
}
