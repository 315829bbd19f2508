import type { Durability, OpenDatabase, RunStatement, StatementParameter } from "@one-api/database/open-database";
import { type Account, ACCOUNT_KIND, accountKey, SQLITE_OWNER } from "../accounts.ts";
import {
  CHECKPOINT_COLUMNS,
  ENTRY_PARTS,
  ENTRY_SIGN,
  FIND_CHARGES,
  INSERT_RECOVERED,
  IS_ENTRY,
  JOURNAL_COLUMN_LIST,
  JOURNAL_COLUMNS,
  journalValues,
  readOwnerState,
  readSharesOf,
} from "./journal-columns.ts";
import { numberOf, readFound, readOwnerRow, readShare, type ResultRow } from "./read-rows.ts";
import {
  type CheckpointRow,
  type JournalRow,
  type Owner,
  StaleEpochError,
  type Storage,
  type Acquisition,
  type AcquisitionOutcome,
} from "./storage.ts";

const IS_CURRENT = "select id from owners where id = ?1 and epoch = ?2";

const placeholders = (count: number): string => Array.from({ length: count }, () => "?").join(", ");

const INSERT_ENTRY = `
insert into logs (${JOURNAL_COLUMN_LIST}) values (${placeholders(JOURNAL_COLUMNS.length)}) on conflict do nothing returning id`;

const READ_POOL = "select remaining from shares where kind = ?1 and account = ?2 and owner = 0";
const ADD_TO_POOL = "update shares set remaining = remaining + ?3 where kind = ?1 and account = ?2 and owner = 0";
const ADD_TO_OWN = `
insert into shares (kind, account, owner, remaining) values (?1, ?2, ?4, ?3)
on conflict (kind, account, owner) do update set remaining = remaining + excluded.remaining`;

const READ_OWN = `
select remaining, used, requests, last_used_at from shares as own where kind = ?1 and account = ?2 and owner = ?3
  and exists (select 1 from shares as pool where pool.kind = own.kind and pool.account = own.account and pool.owner = 0)`;
const LOWER_OWN = `
update shares set remaining = remaining - ?4, used = 0, requests = 0 where kind = ?1 and account = ?2 and owner = ?3`;
const RAISE_POOL = `
update shares set remaining = remaining + ?3, used = used + ?4, requests = requests + ?5, last_used_at = max(last_used_at, ?6)
where kind = ?1 and account = ?2 and owner = 0`;

const APPLIED = "update owners set applied_id = ?4 where id = ?1 and epoch = ?2 and applied_id = ?3 returning id";

const ENTRIES = `
with entry as (
  select logs.*, ${ENTRY_SIGN} from logs where id > ?3 and id <= ?4 and owner = ?1 and ${IS_ENTRY})`;
const COUNT_CHANNELS = `${ENTRIES}
update channels set used_quota = max(0, used_quota + spent.used)
from (select channel_id, sum(sign * quota) as used from entry where channel_id <> 0 group by channel_id) as spent
where channels.id = spent.channel_id`;
const CHANGES = `${ENTRIES}
select kind, account, sum(amount) as amount, sum(used) as used, sum(one) as requests, max(at) as at
from (${ENTRY_PARTS}) group by kind, account`;
const TAKE_FROM_SHARE = `
update shares set remaining = remaining - ?4, used = used + ?5, requests = requests + ?6, last_used_at = max(last_used_at, ?7)
where kind = ?1 and account = ?2 and owner = ?3`;
const ADD_TO_SHARE = `
insert into shares (kind, account, owner, remaining, used, requests, last_used_at) values (?1, ?2, ?3, -?4, ?5, ?6, ?7)
on conflict (kind, account, owner) do update set remaining = remaining + excluded.remaining, used = used + excluded.used, requests = requests + excluded.requests,
  last_used_at = max(last_used_at, excluded.last_used_at)`;

const STORE_CHECKPOINT = `
insert or replace into checkpoints (owner, ${CHECKPOINT_COLUMNS.join(", ")}) values (${placeholders(CHECKPOINT_COLUMNS.length + 1)})`;

const CHARGE_CHECKPOINTS = `
with gone as (select * from checkpoints where owner = ?1)
${INSERT_RECOVERED}`;

/** The statements on SQLite, each a transaction on the connection that all others of the process use. */
export class SqliteStorage implements Storage {
  readonly isExclusive = true;
  readonly #database: OpenDatabase;

  constructor(database: OpenDatabase) {
    this.#database = database;
  }

  async register(): Promise<Owner> {
    const rows = await this.#all(
      "insert into owners (id) values (?1) on conflict (id) do update set epoch = epoch + 1, state = 'live' returning epoch",
      [SQLITE_OWNER],
    );
    return { id: SQLITE_OWNER, epoch: numberOf(rows[0], "epoch") };
  }

  settle(owner: Owner, rows: readonly JournalRow[]): Promise<ReadonlyMap<string, number>> {
    return this.#owned(owner, (run) => insertRows(run, rows), "on-disk");
  }

  async writeLogs(rows: readonly JournalRow[]): Promise<void> {
    await this.#database.writeTransaction((run) => insertRows(run, rows));
  }

  acquire(owner: Owner, acquisitions: readonly Acquisition[]): Promise<readonly AcquisitionOutcome[]> {
    return this.#owned(owner, async (run) => {
      const outcomes: AcquisitionOutcome[] = [];
      for (const acquisition of acquisitions) outcomes.push(await acquireAll(run, owner, acquisition));
      return outcomes;
    });
  }

  returnLeftovers(owner: Owner, returns: Parameters<Storage["returnLeftovers"]>[1]): Promise<void> {
    return this.#owned(owner, async (run) => {
      for (const { kind, id, keep } of returns) {
        const [own] = (await run(READ_OWN, [kind, id, owner.id])).rows;
        if (own === undefined) continue;
        const remaining = numberOf(own, "remaining");
        const amount = kind === ACCOUNT_KIND.budget && keep === 0 ? remaining : Math.max(0, remaining - keep);
        await run(LOWER_OWN, [kind, id, owner.id, amount]);
        await run(RAISE_POOL, [kind, id, amount, ...countersOf(own)]);
      }
    });
  }

  apply(owner: Owner, from: number, to: number): Promise<void> {
    return this.#owned(owner, async (run) => {
      if ((await run(APPLIED, [owner.id, owner.epoch, from, to])).rows.length === 0) throw new StaleEpochError();
      await run(COUNT_CHANNELS, [owner.id, owner.epoch, from, to]);
      const { rows } = await run(CHANGES, [owner.id, owner.epoch, from, to]);
      for (const row of rows) {
        const amount = numberOf(row, "amount");
        const values = ["amount", "used", "requests", "at"].map((column) => numberOf(row, column));
        // An upsert that takes quota would fail the check before it finds the row; one that returns quota may be the first of its account.
        await run(amount <= 0 || row["kind"] === ACCOUNT_KIND.budget ? ADD_TO_SHARE : TAKE_FROM_SHARE, [
          numberOf(row, "kind"),
          numberOf(row, "account"),
          owner.id,
          ...values,
        ]);
      }
    });
  }

  async skip(_owner: Owner, from: number): Promise<number> {
    return from;
  }

  checkpoint(owner: Owner, rows: readonly CheckpointRow[], ended: readonly string[]): Promise<void> {
    return this.#owned(owner, async (run) => {
      for (const requestId of ended) await run("delete from checkpoints where request_id = ?1", [requestId]);
      for (const row of rows) await run(STORE_CHECKPOINT, [owner.id, ...CHECKPOINT_COLUMNS.map((name) => row[name])]);
    });
  }

  heartbeat(owner: Owner): Promise<void> {
    return this.#owned(
      owner,
      async (run) => {
        await run("update owners set heartbeat = heartbeat + 1 where id = ?1", [owner.id]);
      },
      "on-disk",
    );
  }

  async raise(owner: Owner): Promise<Owner | undefined> {
    const rows = await this.#all("update owners set epoch = epoch + 1 where id = ?1 returning epoch", [owner.id]);
    return { id: owner.id, epoch: numberOf(rows[0], "epoch") };
  }

  disconnect(): void {}

  async look(requestIds: readonly string[]): ReturnType<Storage["look"]> {
    const rows = await this.#all(`${FIND_CHARGES} and request_id in (select value from json_each(?1))`, [
      JSON.stringify(requestIds),
    ]);
    return new Map(rows.map((row) => [String(row["request_id"]), readFound(row)]));
  }

  async readOwner(ownerId: number): ReturnType<Storage["readOwner"]> {
    const [row] = await this.#all(readOwnerState("?1"), [ownerId]);
    return row && { appliedId: numberOf(row, "applied_id"), lastId: numberOf(row, "last_id") };
  }

  async readShares(ownerId: number): ReturnType<Storage["readShares"]> {
    return (await this.#all(readSharesOf("?1"), [ownerId])).map(readShare);
  }

  openWindow(budgetId: number, start: number): ReturnType<Storage["openWindow"]> {
    return this.#database.writeTransaction(async (run) => {
      const [budget] = (await run("select amount from budgets where id = ?1", [budgetId])).rows;
      if (budget === undefined) return undefined;
      const [newest] = (
        await run(
          "select id, window_start from budget_windows where budget_id = ?1 and window_start >= ?2 order by window_start desc limit 1",
          [budgetId, start],
        )
      ).rows;
      if (newest !== undefined) return { id: numberOf(newest, "id"), start: numberOf(newest, "window_start") };
      const { rows } = await run("insert into budget_windows (budget_id, window_start) values (?1, ?2) returning id", [
        budgetId,
        start,
      ]);
      const id = numberOf(rows[0], "id");
      await run("insert into shares (kind, account, owner, remaining) values (3, ?1, 0, ?2)", [
        id,
        numberOf(budget, "amount"),
      ]);
      return { id, start };
    });
  }

  async readPools(accounts: readonly Account[]): ReturnType<Storage["readPools"]> {
    return this.#database.writeTransaction(async (run) => {
      const pools = new Map<number, number>();
      for (const account of accounts) {
        const [row] = (await run(READ_POOL, [account.kind, account.id])).rows;
        if (row !== undefined) pools.set(accountKey(account), numberOf(row, "remaining"));
      }
      return pools;
    });
  }

  async markScarce(): Promise<void> {}

  async readScarce(): Promise<readonly Account[]> {
    return [];
  }

  async readHolders(): ReturnType<Storage["readHolders"]> {
    return [];
  }

  async readOwners(): ReturnType<Storage["readOwners"]> {
    return (await this.#all("select id, epoch, state, heartbeat from owners where state <> 'batch'", [])).map(
      readOwnerRow,
    );
  }

  async declareDead(owner: Owner): Promise<void> {
    await this.#all("update owners set epoch = epoch + 1, state = 'dead' where id = ?1 and epoch = ?2 returning id", [
      owner.id,
      owner.epoch,
    ]);
  }

  chargeCheckpoints(owner: Owner): Promise<number> {
    return this.#owned(
      owner,
      async (run) => {
        const { rows } = await run(CHARGE_CHECKPOINTS, [owner.id]);
        await run("delete from checkpoints where owner = ?1", [owner.id]);
        return rows.length;
      },
      "on-disk",
    );
  }

  returnShares(owner: Owner, most: number): Promise<number> {
    return this.#owned(owner, async (run) => {
      const { rows } = await run("select * from shares where owner = ?1 limit ?2", [owner.id, most]);
      for (const row of rows) {
        const account = [numberOf(row, "kind"), numberOf(row, "account")];
        await run(RAISE_POOL, [...account, numberOf(row, "remaining"), ...countersOf(row)]);
        await run("delete from shares where kind = ?1 and account = ?2 and owner = ?3", [...account, owner.id]);
      }
      const left = await run("select count(*) as count from shares where owner = ?1", [owner.id]);
      return numberOf(left.rows[0], "count");
    });
  }

  async close(): Promise<void> {}

  #owned<Result>(
    owner: Owner,
    work: (run: RunStatement) => Promise<Result>,
    durability: Durability = "in-order",
  ): Promise<Result> {
    return this.#database.writeTransaction(async (run) => {
      if ((await run(IS_CURRENT, [owner.id, owner.epoch])).rows.length === 0) throw new StaleEpochError();
      return work(run);
    }, durability);
  }

  #all(sql: string, parameters: readonly StatementParameter[]): Promise<readonly ResultRow[]> {
    return this.#database.writeTransaction(async (run) => (await run(sql, parameters)).rows);
  }
}

async function insertRows(run: RunStatement, rows: readonly JournalRow[]): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const row of rows) {
    const [inserted] = (await run(INSERT_ENTRY, journalValues(row))).rows;
    if (inserted !== undefined) ids.set(row.request_id, numberOf(inserted, "id"));
  }
  return ids;
}

/** Takes all that the pools have, or no more than is needed if `want` is 0. */
async function acquireAll(run: RunStatement, owner: Owner, acquisition: Acquisition): Promise<AcquisitionOutcome> {
  const pools: number[] = [];
  for (const { kind, id } of acquisition) {
    const [row] = (await run(READ_POOL, [kind, id])).rows;
    pools.push(row === undefined ? -1 : numberOf(row, "remaining"));
  }
  const short = acquisition.filter(({ need }, index) => (pools[index] ?? -1) < need);
  if (short.length > 0) return { short };
  const granted = acquisition.map(({ kind, id, need, want }, index) => ({
    kind,
    id,
    amount: want === 0 ? need : Math.max(need, pools[index] ?? 0),
    isScarce: false,
  }));
  for (const { kind, id, amount } of granted) {
    await run(ADD_TO_POOL, [kind, id, -amount]);
    await run(ADD_TO_OWN, [kind, id, amount, owner.id]);
  }
  return { granted };
}

function countersOf(row: ResultRow): [used: number, requests: number, lastUsedAt: number] {
  return [numberOf(row, "used"), numberOf(row, "requests"), numberOf(row, "last_used_at")];
}
