import assert from "node:assert/strict";
import type { MockTimers } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { connectDatabase } from "@one-api/database/connect-database";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { TestDatabase } from "@one-api/database/test-databases";
import { sampleToken, sampleUser } from "@one-api/database/testing/sample-rows";
import type { Tables } from "@one-api/database/tables";
import { sql, type Transaction } from "kysely";
import { checkBalances } from "../check-balances.ts";
import { createServerLedger, type ServerLedger } from "../create-server-ledger.ts";
import { type BudgetOfPayer, type Payer, type ReserveOutcome, type SettleOutcome, whenSettled } from "../ledger.ts";
import { readAccounts, readBalance, readCharges } from "./books.ts";
import { type Fault, Network } from "./network.ts";
import { type ModelRequest, Reference } from "./reference.ts";
import { TestClock } from "./test-clock.ts";

/** A simulated server process. */
interface Server {
  readonly number: number;
  readonly network: Network;
  readonly process: ServerLedger;
  isFrozen: boolean;
}

const SECOND_MS = 1_000;
/** A server that is silent for so long is declared dead, and recovered, in seconds. */
const DEAD_SECONDS = 41;
const DAY_SECONDS = 86_400;
/** How long work may take, in turns of the event loop without a statement under way. */
const MOST_TURNS = 20_000;

/** Servers on one database, their clock and their faults, and what the reference says of all that. */
export class World {
  readonly reference = new Reference();
  readonly #clock = new TestClock(Date.UTC(2026, 10, 18, 12));
  readonly #timers: MockTimers;
  readonly #made: TestDatabase;
  /** What administrators change, and what is compared. On SQLite there is one process, so it is that of the server. */
  #database: OpenDatabase;
  readonly #payers: Payer[] = [];
  #servers: Server[] = [];
  readonly #networks: Network[] = [];
  #started = 0;
  #redeemed = 0;
  #batches = 0;

  private constructor(timers: MockTimers, made: TestDatabase, database: OpenDatabase) {
    this.#timers = timers;
    this.#made = made;
    this.#database = database;
  }

  /** New users on a database that no server uses: every second one has an unlimited token. */
  static async create(timers: MockTimers, made: TestDatabase, quota: readonly number[]): Promise<World> {
    const world = new World(timers, made, await connectDatabase(made.location));
    for (const [index, amount] of quota.entries()) await world.#addPayer(amount, index % 2 === 1);
    return world;
  }

  get kind(): OpenDatabase["kind"] {
    return this.#database.kind;
  }

  /** Servers that answer. */
  get awake(): readonly number[] {
    return this.#servers.filter(({ isFrozen }) => !isFrozen).map(({ number }) => number);
  }

  get frozen(): readonly number[] {
    return this.#servers.filter(({ isFrozen }) => isFrozen).map(({ number }) => number);
  }

  async #addPayer(quota: number, tokenUnlimited: boolean): Promise<void> {
    const { db } = this.#database;
    const user = await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow();
    const token = await db
      .insertInto("tokens")
      .values(sampleToken({ user_id: user.id, unlimited_quota: tokenUnlimited ? 1 : 0 }))
      .returning("id")
      .executeTakeFirstOrThrow();
    for (const [kind, id, amount] of [
      [1, user.id, quota],
      [2, token.id, tokenUnlimited ? 0 : quota],
    ] as const) {
      await sql`update shares set remaining = ${amount} where kind = ${kind} and account = ${id} and owner = 0`.execute(
        db,
      );
      this.reference.granted(`${kind === 1 ? "user" : "token"} ${id}`, amount);
    }
    const given = { created_at: this.#clock.seconds, kind: "grant", note: "", user_id: user.id, token_id: token.id };
    const amounts = { user_amount: quota, token_amount: tokenUnlimited ? 0 : quota };
    await db
      .insertInto("ledger_entries")
      .values({ ...given, ...amounts, request_id: `given-${user.id}` })
      .execute();
    this.#payers.push({ userId: user.id, tokenId: token.id, tokenUnlimited, budgets: [] });
  }

  /** Starts a server, which recovers what dead ones left. */
  async start(): Promise<void> {
    const network = new Network();
    this.#networks.push(network);
    if (this.kind === "sqlite") {
      await this.#database.close();
      this.#database = await connectDatabase(this.#made.location);
    }
    const process = createServerLedger({
      database: network.around(this.#database),
      clock: this.#clock,
      warn: (error) => network.isDown || warned(error),
      onOutdated: (error) => assert.fail(error),
    });
    const server = { number: (this.#started += 1), network, process, isFrozen: false };
    this.#servers.push(server);
    await this.#drive(process.start());
  }

  /** Ends a server as kill -9 does: nothing of its memory comes to the database. */
  async kill(number: number): Promise<void> {
    const server = this.#server(number);
    server.network.isDown = true;
    this.#servers = this.#servers.filter((other) => other !== server);
    this.reference.die(number, "killed");
  }

  /** The server stands still for so long that others declare it dead. */
  async freeze(number: number): Promise<void> {
    const server = this.#server(number);
    server.isFrozen = true;
    server.network.freeze();
    this.reference.die(number, "frozen");
    await this.pass(DEAD_SECONDS);
  }

  async wake(number: number): Promise<void> {
    const server = this.#server(number);
    server.isFrozen = false;
    server.network.wake();
    await this.pass(1);
  }

  /** Lets so many seconds pass. */
  async pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left -= 1) {
      await this.deliverLate();
      this.#clock.advance(SECOND_MS);
      this.#timers.tick(SECOND_MS);
      await this.#settleDown();
    }
  }

  /** The next period of every budget begins. */
  async nextDay(): Promise<void> {
    this.#clock.advance(DAY_SECONDS * SECOND_MS - 10 * SECOND_MS);
    await this.pass(10);
  }

  async reserve(number: number, payer: number, amount: number): Promise<ReserveOutcome> {
    const id = this.#nextId();
    const free = await this.#free(payer);
    const { ledger } = this.#server(number).process;
    const outcome = await this.#drive(
      ledger.reserve({ ...this.#payer(payer), requestId: id, amount, createdAt: this.#clock.seconds }),
    );
    this.reference.open({ id, payer, server: number, amount });
    if (outcome.ok) {
      assert.ok(amount <= free.most, `${amount} of ${free.most} are reserved`);
      return outcome;
    }
    this.#request(id).state = "free";
    if (outcome.refusal === "user-quota" || outcome.refusal === "token-quota")
      assert.ok(amount > free.least, `${amount} are refused though ${free.least} are free`);
    if (outcome.refusal === "held-elsewhere") assert.ok(this.#started > 1, "nobody else can hold quota");
    return outcome;
  }

  /** Settles a request with the charge; undefined where nothing was delivered. */
  async settle(id: string, charge: number | undefined): Promise<SettleOutcome | undefined> {
    const request = this.#request(id);
    const server = this.#server(request.server);
    const settlement = {
      ...this.#payer(request.payer),
      requestId: id,
      channelId: 0,
      charge,
      at: this.#clock.seconds,
      log: undefined,
    };
    try {
      const outcome = await this.#drive(whenSettled(server.process.ledger, settlement));
      if (outcome.settled) {
        if (request.state === "settled") assert.ok(request.wasInDoubt, `${id} is settled twice`);
        // A charge that was booked in doubt can only be lowered.
        assert.ok(
          outcome.charged <= (charge ?? 0) || (request.wasInDoubt && outcome.charged <= Math.max(...request.possible)),
          `${id} is charged ${outcome.charged} instead of ${charge}`,
        );
        if (request.state === "open")
          assert.ok(
            outcome.charged >= Math.min(charge ?? 0, request.amount),
            `${id} is charged less than was reserved`,
          );
        request.possible = new Set([outcome.charged]);
        request.state = "settled";
      } else if (request.state === "open" || request.state === "doubt") {
        assert.ok(request.wasReturned, `${id} is open and could not be settled`);
        request.state = "free";
        request.possible = new Set([0]);
      }
      return outcome;
    } catch (error) {
      if (error instanceof assert.AssertionError || server.network.fault === "none") throw error;
      if (request.state === "open") request.state = "doubt";
      request.wasInDoubt = true;
      request.wasReturned ||= charge === undefined;
      // A charge above the reservation may be cut at what is left.
      for (let booked = Math.min(charge ?? 0, request.amount); booked <= (charge ?? 0); booked += 1)
        request.possible.add(booked);
      return undefined;
    }
  }

  /** Reserves while statements fail: what the server refuses with an error is reserved for nobody. */
  async reserveInDoubt(number: number, payer: number, amount: number): Promise<void> {
    try {
      await this.reserve(number, payer, amount);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      const id = this.#nextId();
      this.reference.open({ id, payer, server: number, amount });
      this.#request(id).state = "lost";
    }
  }

  async release(id: string): Promise<void> {
    const request = this.#request(id);
    this.#server(request.server).process.ledger.release({ requestId: id });
    request.state = "free";
    // A server that dies before it deletes the checkpoint has it charged.
    request.possible = new Set([0, ...[...request.notes].map((note) => Math.min(note, request.amount))]);
  }

  async checkpoint(id: string, delivered: number): Promise<void> {
    const request = this.#request(id);
    const { ledger } = this.#server(request.server).process;
    if (delivered < request.noted) return;
    request.noted = delivered;
    request.isNoted = true;
    request.notes.add(delivered);
    await this.#drive(ledger.checkpoint([{ requestId: id, channelId: 0, delivered }]));
    request.notes = new Set([delivered]);
  }

  /** Runs the work while statements of the server fail, after so many that pass. */
  async withFault(number: number, fault: Fault, work: () => Promise<unknown>, passing = 0): Promise<void> {
    const { network } = this.#server(number);
    network.fault = fault;
    network.passing = passing;
    try {
      await work();
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
    } finally {
      network.fault = "none";
    }
  }

  /** Statements that outlived their connection come through. */
  async deliverLate(): Promise<void> {
    for (const network of this.#networks) await network.deliverLate();
  }

  /** Adds to a user's quota, or takes from it, as an administrator does. */
  async grant(number: number, payer: number, amount: number): Promise<void> {
    const { quota } = this.#server(number).process.ledger;
    const { userId } = this.#payer(payer);
    const at = this.#clock.seconds;
    if (amount < 0) await this.#drive(quota.reclaimUserQuota(userId));
    const isGranted = await this.#transaction((transaction) =>
      quota.grant(transaction, { userId, amount, note: "", at }),
    );
    if (isGranted) this.reference.granted(`user ${userId}`, amount);
    else assert.ok(amount < 0, "a grant is refused");
  }

  async redeem(number: number, payer: number, amount: number): Promise<void> {
    const { quota } = this.#server(number).process.ledger;
    const { userId } = this.#payer(payer);
    const redemptionId = this.#payer(0).userId * 1000 + (this.#redeemed += 1);
    const redeeming = { userId, redemptionId, amount, at: this.#clock.seconds };
    assert.ok(await this.#transaction((transaction) => quota.redeem(transaction, redeeming)));
    this.reference.granted(`user ${userId}`, amount);
  }

  /** Sets what remains of a payer's token, unless requests changed it meanwhile. */
  async allot(number: number, payer: number, to: number): Promise<void> {
    const { quota } = this.#server(number).process.ledger;
    const { userId, tokenId } = this.#payer(payer);
    await this.#drive(quota.reclaimTokenQuota(tokenId));
    const from = await readBalance(this.#database.db, "token_balances", "token_id", tokenId);
    const allotment = { userId, tokenId, from, to, at: this.#clock.seconds };
    const held = await this.#transaction((transaction) => quota.allot(transaction, allotment));
    if (held !== undefined) this.reference.granted(`token ${tokenId}`, to + held - from);
    else assert.fail("nothing changed the token meanwhile");
  }

  /** Sets the user's budget of a day; null takes it away. */
  async setBudget(number: number, payer: number, amount: number | null): Promise<void> {
    const { quota } = this.#server(number).process.ledger;
    const known = this.#payer(payer);
    const budget = amount === null ? null : ({ period: "daily", quota: amount } as const);
    const setting = { userId: known.userId, tokenId: 0, budget, at: this.#clock.seconds };
    await this.#transaction((transaction) => quota.setBudget(transaction, setting));
    const { rows } = await sql<{ id: number; amount: number }>`
      select id, amount from budgets where user_id = ${known.userId}`.execute(this.#database.db);
    const budgets = rows.map((row): BudgetOfPayer => ({ ...row, of: "user", period: "daily" }));
    const ofGroup = known.budgets?.filter(({ of }) => of === "group") ?? [];
    this.#payers[payer] = { ...known, budgets: [...budgets, ...ofGroup] };
  }

  /** Sets the budget of a day that all payers share; null takes it away. */
  async setGroupBudget(number: number, amount: number | null): Promise<void> {
    const { quota } = this.#server(number).process.ledger;
    const budget = amount === null ? null : ({ period: "daily", quota: amount } as const);
    await this.#transaction((transaction) =>
      quota.setBudget(transaction, { group: "all", budget, at: this.#clock.seconds }),
    );
    const { rows } = await sql<{ id: number; amount: number }>`
      select id, amount from budgets where group_name = 'all'`.execute(this.#database.db);
    const ofGroup = rows.map((row): BudgetOfPayer => ({ ...row, of: "group", period: "daily" }));
    for (const [index, known] of this.#payers.entries()) {
      const budgets = known.budgets?.filter(({ of }) => of !== "group") ?? [];
      this.#payers[index] = { ...known, budgets: [...budgets, ...ofGroup] };
    }
  }

  /** A batch reserves quota, and settles with a part of it. */
  async runBatch(number: number, payer: number, amount: number, charge: number): Promise<void> {
    const { batches } = this.#server(number).process;
    const id = `batch-${(this.#batches += 1)}-${this.#payer(0).userId}`;
    const known = { ...this.#payer(payer), requestId: id };
    const outcome = await this.#drive(batches.reserve({ ...known, amount, createdAt: this.#clock.seconds }));
    if (!outcome.ok) return;
    await this.check();
    this.reference.open({ id, payer, server: 0, amount });
    const request = this.#request(id);
    const settled = await this.#drive(
      batches.settle({ ...known, channelId: 0, charge, log: undefined, at: this.#clock.seconds }),
    );
    assert.ok(settled.charged >= Math.min(charge, amount) && settled.charged <= charge);
    request.possible = new Set([settled.charged]);
    request.state = "settled";
    const again = await this.#drive(
      batches.settle({ ...known, channelId: 0, charge: 1, log: undefined, at: this.#clock.seconds }),
    );
    assert.equal(again.settled, false, "a batch is settled twice");
  }

  /** Compares the database with the reference. */
  async check(): Promise<void> {
    assert.deepEqual(await checkBalances(this.#database), []);
    this.reference.check(
      await readCharges(this.#database.db, this.#payers),
      await readAccounts(this.#database.db, this.#payers),
    );
  }

  /** Ends all faults, settles what is open, lets the dead be recovered, and compares everything. */
  async finish(): Promise<void> {
    for (const server of this.#servers) if (server.isFrozen) await this.wake(server.number);
    if (this.#servers.length === 0) await this.start();
    await this.pass(2);
    for (const { id, server, state, amount } of this.reference.requests.values())
      if (["open", "doubt", "dead"].includes(state) && this.awake.includes(server)) await this.#settleLast(id, amount);
    await this.pass(DEAD_SECONDS);
    await this.check();
    for (const { process } of this.#servers) {
      assert.equal(process.ledger.open, 0, "a request is still open");
      await this.#drive(process.ledger.close());
    }
    await this.check();
    this.reference.checkAtRest(
      await readCharges(this.#database.db, this.#payers),
      await readAccounts(this.#database.db, this.#payers),
    );
    const { rows } = await sql`select * from checkpoints`.execute(this.#database.db);
    assert.deepEqual(rows, [], "a checkpoint is left");
    const shares = await sql`select * from shares where owner <> 0 and remaining <> 0`.execute(this.#database.db);
    if (this.kind === "postgres") assert.deepEqual(shares.rows, [], "quota is reserved for nobody");
  }

  /** As the relay does: an answer that can no longer be charged is withheld, and nothing is charged for it. */
  async #settleLast(id: string, charge: number): Promise<void> {
    const outcome = await this.settle(id, charge);
    if (outcome?.settled === false) await this.settle(id, undefined);
  }

  /** Ends the run, whatever became of its servers. */
  async close(): Promise<void> {
    for (const { network } of this.#servers) network.isDown = true;
    await Promise.all(this.#networks.map((network) => network.close()));
    await this.#database.close();
  }

  #nextId(): string {
    return `request-${this.reference.requests.size + 1}-${this.#payer(0).userId}`;
  }

  /** What the payer may reserve now: exactly, unless requests are in doubt or dead ones are not recovered. */
  async #free(payer: number): Promise<{ readonly least: number; readonly most: number }> {
    const { userId, tokenId, tokenUnlimited } = this.#payer(payer);
    const accounts = await readAccounts(this.#database.db, this.#payers);
    let [least, most] = [0, 0];
    for (const request of this.reference.requests.values()) {
      if (request.payer !== payer) continue;
      if (request.state === "open") [least, most] = [least + request.amount, most + request.amount];
      // A charge above the reservation stays reserved until it is booked.
      if (["doubt", "dead", "lost"].includes(request.state)) least += Math.max(request.amount, ...request.possible);
      if (request.state === "free" && request.isNoted) least += request.amount;
    }
    const leftOf = (account: string) => this.reference.left(account, accounts.get(account)?.charged ?? 0);
    const user = leftOf(`user ${userId}`);
    // A charge above its reservation may take more from the user than the token has.
    const left = tokenUnlimited ? user : Math.min(user, leftOf(`token ${tokenId}`));
    return { least: left - least, most: left - most };
  }

  #transaction<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    return this.#database.db.transaction().execute(work);
  }

  /** Runs the servers' timers on until the work is done. */
  async #drive<Result>(work: Result | Promise<Result>): Promise<Result> {
    if (!(work instanceof Promise)) return work;
    let isDone = false;
    const end = (): void => void (isDone = true);
    work.then(end, end);
    for (let turns = 0; !isDone;) {
      assert.ok(turns < MOST_TURNS, "a server does not answer");
      await turn();
      if (this.#isBusy()) continue;
      turns += 1;
      this.#clock.advance(1);
      this.#timers.tick(1);
    }
    return work;
  }

  /** Waits until no server has a statement under way. */
  async #settleDown(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet = this.#isBusy() ? 0 : quiet + 1) await turn();
  }

  #isBusy(): boolean {
    return this.#servers.some(({ network }) => network.isBusy);
  }

  #server(number: number): Server {
    const server = this.#servers.find((known) => known.number === number);
    assert.ok(server, `server ${number} runs`);
    return server;
  }

  #payer(payer: number): Payer {
    const known = this.#payers[payer];
    assert.ok(known);
    return known;
  }

  #request(id: string): ModelRequest {
    const request = this.reference.requests.get(id);
    assert.ok(request);
    return request;
  }
}

/** Work beside requests that fails while there is a fault, and is done again. */
function warned(error: unknown): void {
  if (error instanceof assert.AssertionError) throw error;
  if (process.env["LEDGER_WARN"] !== undefined) console.warn(error);
}
