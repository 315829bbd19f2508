import assert from "node:assert/strict";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { BudgetInput } from "@one-api/contract/budget";
import type { OpenDatabase } from "@one-api/database/open-database";
import { sampleToken, sampleUser } from "@one-api/database/testing/sample-rows";
import { checkBalances } from "../check-balances.ts";
import { createServerLedger, type ServerLedger } from "../create-server-ledger.ts";
import {
  type BudgetOfPayer,
  type Ledger,
  type LogRow,
  type Payer,
  type ReserveOutcome,
  type Settlement,
  type SettleOutcome,
  whenSettled,
} from "../ledger.ts";
import { PostgresStorage } from "../storage/postgres-storage.ts";
import type { Queryable, QuotaLedger } from "../quota.ts";
import { createQuotaLedger } from "../quota-in-transaction.ts";
import { recoverOwner } from "../recover.ts";
import { SqliteStorage } from "../storage/sqlite-storage.ts";
import type { OwnerRow, Storage } from "../storage/storage.ts";
import { Statements } from "./statements.ts";
import { TestClock } from "./test-clock.ts";

/** A Wednesday, 12:00, in Unix seconds. */
export const NOON = Date.UTC(2026, 10, 18, 12) / 1000;

const TICK_MS = 20;

/** A new user, and a token of theirs. */
export interface NewPayer {
  readonly quota?: number;
  readonly tokenQuota?: number;
  readonly unlimited?: boolean;
}

/** A row of the log for a request of the payer. */
export function logOf({ userId }: Payer, requestId: string): LogRow {
  return {
    user_id: userId,
    created_at: NOON,
    type: LOG_TYPE.consumption,
    content: "",
    username: "user",
    token_name: "test",
    model_name: "m",
    prompt_tokens: 1,
    cached_tokens: 0,
    completion_tokens: 1,
    channel_id: 0,
    request_id: requestId,
    elapsed_time: 1,
    is_stream: 0,
    result: "ok",
    status_code: 200,
    cost: 0,
    first_byte_ms: 0,
    detail: "",
  };
}

/** A server of the test. Requests are those of one payer unless they name another. */
export class TestServer {
  readonly statements: Statements;
  readonly process: ServerLedger;
  readonly #payer: Payer;

  constructor(process: ServerLedger, statements: Statements, payer: Payer) {
    this.process = process;
    this.statements = statements;
    this.#payer = payer;
  }

  get ledger(): Ledger {
    return this.process.ledger;
  }

  get quota(): QuotaLedger {
    return this.process.ledger.quota;
  }

  async reserve(
    requestId: string,
    amount: number,
    payer: Payer = this.#payer,
    createdAt = NOON,
  ): Promise<ReserveOutcome> {
    return this.ledger.reserve({ ...payer, requestId, amount, createdAt });
  }

  /** Reserves, and fails where that is refused. */
  async mustReserve(requestId: string, amount: number, payer: Payer = this.#payer, createdAt = NOON): Promise<void> {
    assert.deepEqual(await this.reserve(requestId, amount, payer, createdAt), { ok: true });
  }

  settlement(requestId: string, charge: number | undefined, payer: Payer = this.#payer): Settlement {
    return { ...payer, requestId, channelId: 0, charge, at: NOON, log: logOf(payer, requestId) };
  }

  settle(requestId: string, charge: number | undefined, payer: Payer = this.#payer): Promise<SettleOutcome> {
    return whenSettled(this.ledger, this.settlement(requestId, charge, payer));
  }

  /** Settles without a row of the log where nothing is charged. */
  drop(requestId: string): Promise<SettleOutcome> {
    return whenSettled(this.ledger, { ...this.settlement(requestId, undefined), log: undefined });
  }

  /** A whole request. Returns what it was charged; undefined where it was refused. */
  async call(requestId: string, amount: number, payer: Payer = this.#payer): Promise<number | undefined> {
    if (!(await this.reserve(requestId, amount, payer)).ok) return undefined;
    return (await this.settle(requestId, amount, payer)).charged;
  }

  available(time = NOON, payer: Payer = this.#payer): Promise<number> {
    return this.ledger.available(payer, time);
  }

  checkpoint(requestId: string, delivered: number): Promise<void> {
    return this.ledger.checkpoint([{ requestId, channelId: 0, delivered }]);
  }
}

/** Servers on one database, and what the database has. */
export class TestLedgers {
  readonly database: OpenDatabase;
  readonly clock = new TestClock(NOON * 1000);
  readonly warnings: unknown[] = [];
  readonly outdated: Error[] = [];
  fencings = 0;
  /** Of servers that are started from now on. */
  outageWaitMs = 0;
  /** The test has damaged the database, so that nothing adds up. */
  isDamaged = false;
  readonly quota = createQuotaLedger();
  payer: Payer = { userId: 0, tokenId: 0, tokenUnlimited: false };
  readonly #servers: TestServer[] = [];
  #storage: Storage | undefined;

  private constructor(database: OpenDatabase) {
    this.database = database;
  }

  /** A database with one payer, and no server. */
  static async create(database: OpenDatabase, payer: NewPayer = {}): Promise<TestLedgers> {
    const ledgers = new TestLedgers(database);
    ledgers.payer = await ledgers.addPayer(payer);
    return ledgers;
  }

  /** The statements as another server sends them. */
  get storage(): Storage {
    this.#storage ??= this.openStorage();
    return this.#storage;
  }

  /** Opens the statements of one more server; close them. */
  openStorage(): Storage {
    return this.database.kind === "sqlite" ? new SqliteStorage(this.database) : new PostgresStorage(this.database);
  }

  async addPayer({ quota = 1_000, tokenQuota = 500, unlimited = false }: NewPayer = {}): Promise<Payer> {
    const { db } = this.database;
    const user = await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow();
    const tokenId = await this.addToken(user.id, { tokenQuota, unlimited });
    assert.ok(await this.quota.grant(db, { userId: user.id, amount: quota, note: "", at: 1 }));
    return { userId: user.id, tokenId, tokenUnlimited: unlimited };
  }

  async addToken(userId: number, { tokenQuota = 500, unlimited = false }: NewPayer = {}): Promise<number> {
    const { db } = this.database;
    const row = sampleToken({ user_id: userId, unlimited_quota: unlimited ? 1 : 0 });
    const { id } = await db.insertInto("tokens").values(row).returning("id").executeTakeFirstOrThrow();
    const to = unlimited ? 0 : tokenQuota;
    assert.equal(await this.quota.allot(db, { userId, tokenId: id, from: 0, to, at: 1 }), 0);
    return id;
  }

  async addChannel(): Promise<number> {
    const texts = { name: "c", key_cipher: "", base_url: "", other: "", models: "", group: "", model_mapping: "" };
    const more = { system_prompt: "", organization: "", config: "", config_cipher: "" };
    const numbers = { type: 1, status: 1, soft_limit_usd: 0, calc_prompt: 0, priority: 0, weight: 1 } as const;
    const query = this.database.db.insertInto("channels").values({ ...texts, ...more, ...numbers, created_time: 1 });
    return (await query.returning("id").executeTakeFirstOrThrow()).id;
  }

  /** Sets a budget of the payer. Returns the payer with the budgets as they stand then. */
  async setBudget(budget: BudgetInput, tokenId = 0, payer: Payer = this.payer, at = NOON): Promise<Payer> {
    await this.transaction((transaction) =>
      this.quota.setBudget(transaction, { userId: payer.userId, tokenId, budget, at }),
    );
    const rows = await this.database.db
      .selectFrom("budgets")
      .select(["id", "token_id", "amount", "period"])
      .where("user_id", "=", payer.userId)
      .where("token_id", "in", [0, payer.tokenId])
      .orderBy("token_id")
      .execute();
    const budgets = rows.map(({ id, token_id, amount, period }): BudgetOfPayer => ({
      id,
      amount,
      period: periodOf(period),
      of: token_id === 0 ? "user" : "token",
    }));
    return { ...payer, budgets };
  }

  /** Sets a budget that all users of the group share. Returns the payers with it alone. */
  async setGroupBudget(group: string, budget: BudgetInput, payers: readonly Payer[]): Promise<Payer[]> {
    await this.transaction((transaction) => this.quota.setBudget(transaction, { group, budget, at: NOON }));
    const rows = await this.database.db
      .selectFrom("budgets")
      .select(["id", "amount", "period"])
      .where("group_name", "=", group)
      .execute();
    const budgets = rows.map(({ id, amount, period }): BudgetOfPayer => ({
      id,
      amount,
      period: periodOf(period),
      of: "group",
    }));
    return payers.map((payer) => ({ ...payer, budgets }));
  }

  /** Starts a server. `charged` receives how many requests of stopped ones that charged. */
  async start(charged: (count: number) => unknown = () => undefined, database = this.database): Promise<TestServer> {
    const statements = new Statements();
    const process = createServerLedger({
      database,
      clock: this.clock,
      outageWaitMs: this.outageWaitMs,
      aroundStorage: statements.around,
      warn: (error) => this.warnings.push(error),
      onFenced: () => (this.fencings += 1),
      onOutdated: (error) => this.outdated.push(error),
    });
    charged(await process.start());
    const server = new TestServer(process, statements, this.payer);
    this.#servers.push(server);
    return server;
  }

  /** Ends a server as kill -9 does: nothing of it reaches the database any more. */
  kill(server: TestServer): void {
    server.statements.break("all", "away");
    this.#servers.splice(this.#servers.indexOf(server), 1);
  }

  /** Moves the clock on while the work goes on, as fast as real time or faster. */
  async whileTimePasses<Result>(work: Promise<Result>): Promise<Result> {
    const timer = setInterval(() => this.clock.advance(TICK_MS), TICK_MS);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  }

  /** Rows of live servers, in the order of their starts. */
  async owners(): Promise<readonly OwnerRow[]> {
    return [...(await this.storage.readOwners())].sort((left, right) => left.id - right.id);
  }

  /** Another server declares this one dead. */
  async declareDead(ownerId: number): Promise<OwnerRow> {
    // A heartbeat of the server may land in between.
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const row = await this.ownerRow(ownerId);
      await this.storage.declareDead(row, row.heartbeat);
      const dead = await this.ownerRow(ownerId);
      if (dead.state === "dead") return dead;
    }
    return assert.fail(`owner ${ownerId} stays alive`);
  }

  /** Another server declares this one dead and recovers it. Returns how many requests that charged. */
  async recover(ownerId: number): Promise<number> {
    return recoverOwner(this.storage, await this.declareDead(ownerId));
  }

  async ownerRow(ownerId: number): Promise<OwnerRow> {
    const row = (await this.owners()).find(({ id }) => id === ownerId);
    assert.ok(row, `owner ${ownerId} has a row`);
    return row;
  }

  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    return this.database.db.transaction().execute(work);
  }

  /** Adds to the payer's quota, or takes from it, as an administrator does. */
  grant(amount: number, { userId }: Payer = this.payer): Promise<boolean> {
    return this.transaction((transaction) => this.quota.grant(transaction, { userId, amount, note: "", at: 1 }));
  }

  async userBalance({ userId }: Payer = this.payer) {
    const query = this.database.db.selectFrom("user_balances").select(["remaining", "used", "requests"]);
    return { ...(await query.where("user_id", "=", userId).executeTakeFirstOrThrow()) };
  }

  async tokenBalance({ tokenId }: Payer = this.payer) {
    const query = this.database.db.selectFrom("token_balances").select(["remaining", "used"]);
    return { ...(await query.where("token_id", "=", tokenId).executeTakeFirstOrThrow()) };
  }

  /** What is spent of each budget in its newest window. */
  async spent(): Promise<readonly number[]> {
    const rows = await this.database.db.selectFrom("budget_uses").select("spent").orderBy("budget_id").execute();
    return rows.map(({ spent }) => spent);
  }

  /** Rows of the log in order. */
  async rows() {
    const query = this.database.db.selectFrom("logs").select(["type", "quota", "token_amount", "shortfall", "hidden"]);
    return (await query.orderBy("id").execute()).map((row) => ({ ...row }));
  }

  /** What each request was charged, refunds taken off. */
  async charges(requestId: string): Promise<readonly number[]> {
    const query = this.database.db.selectFrom("logs").select("quota").where("request_id", "=", requestId);
    return (await query.where("type", "=", LOG_TYPE.consumption).execute()).map(({ quota }) => quota);
  }

  async checkpoints(): Promise<number> {
    return (await this.database.db.selectFrom("checkpoints").select("request_id").execute()).length;
  }

  /** Compares all balances, ends all servers, and compares again: nothing is reserved for nobody. */
  async finish(): Promise<void> {
    if (!this.isDamaged) assert.deepEqual(await checkBalances(this.database), [], "balances add up");
    for (const { ledger, statements } of this.#servers) {
      statements.repair();
      await statements.deliver();
      await ledger.close().catch((error: unknown) => {
        if (!this.isDamaged) throw error;
      });
    }
    if (!this.isDamaged) assert.deepEqual(await checkBalances(this.database), [], "balances add up after the end");
    await this.#storage?.close();
    await this.database.close();
  }
}

function periodOf(period: string): BudgetOfPayer["period"] {
  assert.ok(period === "daily" || period === "weekly" || period === "monthly");
  return period;
}

/** Makes `TestLedgers` on new databases, and finishes them after each test. Call it in a suite. */
export function ledgersOf(open: () => Promise<OpenDatabase>, afterEach: (hook: () => Promise<void>) => void) {
  let current: TestLedgers[] = [];
  afterEach(async () => {
    const made = current;
    current = [];
    for (const ledgers of made) await ledgers.finish();
  });
  return async (payer: NewPayer = {}): Promise<TestLedgers> => {
    const ledgers = await TestLedgers.create(await open(), payer);
    current.push(ledgers);
    return ledgers;
  };
}
