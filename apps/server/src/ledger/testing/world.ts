import assert from "node:assert/strict";
import type { MockTimers } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { connectDatabase } from "@one-api/database/connect-database";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { TestDatabase } from "@one-api/database/test-databases";
import { nowSeconds } from "../../core/clock.ts";
import { inTransaction } from "../../core/transaction.ts";
import { createTestClock } from "../../testing/test-clock.ts";
import { createTestToken } from "../../testing/create-test-token.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { checkBalances } from "../check-balances.ts";
import { createLedger } from "../create-ledger.ts";
import { type Payer, type ReserveOutcome, type SettleOutcome, whenSettled } from "../ledger.ts";
import { readTokenBalance, readUserBalance } from "../read-balances.ts";
import { type Fault, Network } from "./network.ts";
import { type ModelRequest, Reference, type StoredAccount } from "./reference.ts";

/** A simulated server process. */
interface Server {
  readonly number: number;
  readonly network: Network;
  readonly process: ReturnType<typeof createLedger>;
  isFrozen: boolean;
}

const BEAT_SECONDS = 10;
/** A server that is silent for longer is declared dead, in seconds. */
const DEAD_SECONDS = 31;
const DAY_SECONDS = 86_400;
/** How long a request whose server hangs may wait, in turns of the event loop without a statement under way. */
const MOST_TURNS = 200_000;

/** Servers on one database, their clock and their faults, and what the reference says of all that. */
export class World {
  readonly reference = new Reference();
  readonly #clock = createTestClock(Date.UTC(2026, 10, 18, 12));
  readonly #timers: MockTimers;
  readonly #made: TestDatabase;
  /** What administrators change, and what is compared. On SQLite there is one process, so it is that of the server. */
  #database: OpenDatabase;
  readonly #payers: Payer[] = [];
  readonly #versions: number[] = [];
  #servers: Server[] = [];
  #started = 0;
  #redeemed = 0;
  #changes = 0;

  private constructor(timers: MockTimers, made: TestDatabase, database: OpenDatabase) {
    this.#timers = timers;
    this.#made = made;
    this.#database = database;
  }

  /** New users on a database that no server uses: every second one has an unlimited token. */
  static async create(timers: MockTimers, made: TestDatabase, quota: readonly number[]): Promise<World> {
    const world = new World(timers, made, await connectDatabase(made.location));
    const { db } = world.#database;
    for (const table of ["instances", "relay_holds", "quota_leases"] as const) await db.deleteFrom(table).execute();
    for (const [index, amount] of quota.entries()) await world.#addPayer(amount, index % 2 === 1);
    return world;
  }

  get kind(): OpenDatabase["kind"] {
    return this.#database.kind;
  }

  get payerCount(): number {
    return this.#payers.length;
  }

  /** Servers that answer. */
  get awake(): readonly number[] {
    return this.#servers.filter(({ isFrozen }) => !isFrozen).map(({ number }) => number);
  }

  get frozen(): readonly number[] {
    return this.#servers.filter(({ isFrozen }) => isFrozen).map(({ number }) => number);
  }

  async #addPayer(quota: number, tokenUnlimited: boolean): Promise<void> {
    const { id: userId } = await createTestUser(this.#database, this.#clock, "user", { quota });
    const tokenId = await createTestToken(this.#database, userId, tokenUnlimited ? 0 : quota, tokenUnlimited);
    this.reference.granted(`user ${userId}`, quota);
    this.reference.granted(`token ${tokenId}`, tokenUnlimited ? 0 : quota);
    this.#payers.push({ userId, tokenId, tokenUnlimited, budgeted: false });
    this.#versions.push(0);
  }

  /** Starts a server, which recovers what dead ones left. */
  async start(): Promise<void> {
    const network = new Network();
    if (this.kind === "sqlite") {
      await this.#database.close();
      this.#database = await connectDatabase(this.#made.location);
    }
    const process = createLedger({ database: network.around(this.#database), clock: this.#clock });
    const server = { number: (this.#started += 1), network, process, isFrozen: false };
    this.#servers.push(server);
    await this.#drive(process.upkeep.start());
  }

  /** Ends a server as kill -9 does: nothing of its memory comes to the database. */
  async kill(number: number): Promise<void> {
    const server = this.#server(number);
    server.network.isDown = true;
    this.#servers = this.#servers.filter((other) => other !== server);
    this.reference.die(number);
  }

  /** The server stands still for so long that others declare it dead. */
  async freeze(number: number): Promise<void> {
    this.#server(number).isFrozen = true;
    this.reference.die(number);
    await this.pass(DEAD_SECONDS);
  }

  async wake(number: number): Promise<void> {
    const server = this.#server(number);
    server.isFrozen = false;
    await this.#drive(server.process.upkeep.beat());
  }

  /** Lets so many seconds pass. Servers that are awake send heartbeats and recover what dead ones left. */
  async pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left -= BEAT_SECONDS) {
      for (const { network } of this.#servers) await network.deliverLate();
      const step = Math.min(left, BEAT_SECONDS);
      this.#clock.advanceSeconds(step);
      this.#timers.tick(step * 1000);
      if (this.kind === "postgres")
        await this.#database.db
          .updateTable("instances")
          .set((row) => ({ beat_at: row("beat_at", "-", step) }))
          .execute();
      for (const server of this.#awake()) await this.#drive(server.process.upkeep.beat());
    }
    for (const server of this.#awake()) await this.#drive(server.process.upkeep.recover());
  }

  /** The next period of every budget begins. */
  async nextDay(): Promise<void> {
    this.#clock.advanceSeconds(DAY_SECONDS);
    await this.pass(1);
  }

  async reserve(number: number, payer: number, amount: number): Promise<ReserveOutcome> {
    const id = this.#nextId();
    const free = await this.#free(payer);
    const { ledger } = this.#server(number).process;
    const outcome = await this.#drive(
      ledger.reserve({
        ...this.#payer(payer),
        requestId: id,
        amount,
        createdAt: this.#seconds(),
        callerVersion: this.#versions[payer],
      }),
    );
    this.reference.open({ id, payer, server: number, amount });
    if (outcome.ok) assert.ok(amount <= free.most, `${amount} of ${free.most} are reserved`);
    else {
      this.#request(id).state = "free";
      if (outcome.refusal === "caller-changed") await this.#readVersion(payer);
      else if (outcome.refusal === "user-quota" || outcome.refusal === "token-quota")
        assert.ok(amount > free.least, `${amount} are refused though ${free.least} are free`);
    }
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
      at: this.#seconds(),
      log: undefined,
    };
    try {
      const outcome = await this.#drive(whenSettled(server.process.ledger, settlement));
      if (outcome.settled) {
        if (request.state === "settled") assert.ok(request.wasInDoubt, `${id} is settled twice`);
        assert.ok(outcome.charged <= (charge ?? 0), `${id} is charged ${outcome.charged} instead of ${charge}`);
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
      if (server.network.fault === "none") throw error;
      if (request.state === "open") request.state = "doubt";
      request.wasInDoubt = true;
      request.wasReturned ||= charge === undefined;
      // A charge above the reservation may be cut at what is left.
      for (let booked = Math.min(charge ?? 0, request.amount); booked <= (charge ?? 0); booked += 1)
        request.possible.add(booked);
      return undefined;
    }
  }

  /** Reserves while commits fail: what the server refuses with an error is reserved for nobody. */
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
    await this.#drive(
      this.#server(request.server).process.ledger.release({ ...this.#payer(request.payer), requestId: id }),
    );
    request.state = "free";
    request.possible = new Set([0]);
  }

  async checkpoint(id: string, delivered: number): Promise<void> {
    const request = this.#request(id);
    const { ledger } = this.#server(request.server).process;
    if (delivered < request.noted) return;
    request.noted = delivered;
    await this.#drive(ledger.checkpoint([{ requestId: id, channelId: 0, delivered }]));
  }

  /** Runs the work while commits of the server fail. */
  async withFault(number: number, fault: Fault, work: () => Promise<unknown>): Promise<void> {
    const { network } = this.#server(number);
    network.fault = fault;
    try {
      await work();
    } finally {
      network.fault = "none";
    }
  }

  /** Statements that outlived their connection come through. */
  async deliverLate(): Promise<void> {
    for (const { network } of this.#servers) await network.deliverLate();
  }

  /** Adds to a user's quota, or takes from it, as an administrator does. */
  async grant(number: number, payer: number, amount: number): Promise<void> {
    const { quota } = this.#server(number).process.ledger;
    const { userId } = this.#payer(payer);
    const at = this.#seconds();
    const isGranted = await this.#drive(
      inTransaction(this.#database, (transaction) => quota.grant(transaction, { userId, amount, note: "", at })),
    );
    if (isGranted) this.reference.granted(`user ${userId}`, amount);
    else assert.ok(amount < 0, "a grant is refused");
  }

  async redeem(number: number, payer: number, amount: number): Promise<void> {
    const { quota } = this.#server(number).process.ledger;
    const { userId } = this.#payer(payer);
    const redemptionId = this.#payer(0).userId * 1000 + (this.#redeemed += 1);
    const redeeming = { userId, redemptionId, amount, at: this.#seconds() };
    assert.ok(await this.#drive(inTransaction(this.#database, (transaction) => quota.redeem(transaction, redeeming))));
    this.reference.granted(`user ${userId}`, amount);
  }

  /** Sets what remains of a payer's token, unless requests changed it meanwhile. */
  async allot(number: number, payer: number, to: number): Promise<void> {
    const { quota } = this.#server(number).process.ledger;
    const { userId, tokenId } = this.#payer(payer);
    const from = (await readTokenBalance(this.#database.db, tokenId)).remaining;
    const allotment = { userId, tokenId, from, to, at: this.#seconds() };
    if (await this.#drive(inTransaction(this.#database, (transaction) => quota.allot(transaction, allotment))))
      this.reference.granted(`token ${tokenId}`, to - from);
  }

  /** Sets the user's budget of a day; null takes it away. */
  async setBudget(number: number, payer: number, amount: number | null): Promise<void> {
    const { quota } = this.#server(number).process.ledger;
    const known = this.#payer(payer);
    const budget = amount === null ? null : ({ period: "daily", quota: amount } as const);
    const setting = { userId: known.userId, tokenId: 0, budget, at: this.#seconds() };
    await this.#drive(inTransaction(this.#database, (transaction) => quota.setBudget(transaction, setting)));
    this.#payers[payer] = { ...known, budgeted: budget !== null };
  }

  /** Changes what requests need to know of a user. */
  async changeCaller(payer: number): Promise<void> {
    const { userId } = this.#payer(payer);
    const group = `group-${(this.#changes += 1)}`;
    await this.#database.db.updateTable("users").set({ group }).where("id", "=", userId).execute();
    if (this.#changes % 2 === 0) await this.#readVersion(payer);
  }

  /** Compares the database with the reference. */
  async check(): Promise<void> {
    assert.deepEqual(await this.#drive(checkBalances(this.#database)), []);
    this.reference.check(await this.#charges(), await this.#accounts());
  }

  /** Ends all faults, settles what is open, lets the dead be recovered, and compares everything. */
  async finish(): Promise<void> {
    for (const server of this.#servers) if (server.isFrozen) await this.wake(server.number);
    if (this.#servers.length === 0) await this.start();
    for (const { id, server, state, amount } of this.reference.requests.values())
      if (["open", "doubt", "dead"].includes(state) && this.awake.includes(server)) await this.#settleLast(id, amount);
    await this.pass(DEAD_SECONDS);
    await this.check();
    for (const { process } of this.#servers) {
      assert.equal(process.ledger.open, 0, "a request is still open");
      await this.#drive(process.upkeep.stop());
      await this.#drive(process.ledger.close());
    }
    await this.check();
    this.reference.checkAtRest(await this.#accounts());
    const holds = await this.#database.db
      .selectFrom("relay_holds")
      .select("request_id")
      .where((row) => row.or([row("user_amount", "<>", 0), row("delivered_quota", "<>", 0)]))
      .execute();
    assert.deepEqual(holds, [], "quota is reserved for nobody");
  }

  /** As the relay does: an answer that can no longer be charged is withheld, and nothing is charged for it. */
  async #settleLast(id: string, charge: number): Promise<void> {
    const outcome = await this.settle(id, charge);
    if (outcome?.settled === false) await this.settle(id, undefined);
  }

  /** Ends the run, whatever became of its servers. */
  async close(): Promise<void> {
    for (const { network } of this.#servers) network.isDown = true;
    await this.#database.close();
  }

  #nextId(): string {
    return `request-${this.reference.requests.size + 1}-${this.#payer(0).userId}`;
  }

  /** What the payer may reserve now: exactly, unless requests are in doubt, dead ones are not recovered, or other servers hold leases. */
  async #free(payer: number): Promise<{ readonly least: number; readonly most: number }> {
    const { userId, tokenId, tokenUnlimited } = this.#payer(payer);
    const charges = await this.#charges();
    let [booked, least, most] = [0, 0, 0];
    for (const request of this.reference.requests.values()) {
      if (request.payer !== payer) continue;
      booked += charges.get(request.id)?.[0] ?? 0;
      if (request.state === "open") [least, most] = [least + request.amount, most + request.amount];
      if (["doubt", "dead", "lost"].includes(request.state)) least += request.amount;
    }
    const user = this.reference.left(`user ${userId}`, booked);
    const left = tokenUnlimited ? user : Math.min(user, this.reference.left(`token ${tokenId}`, booked));
    const { leased } = await this.#database.db
      .selectFrom("user_balances")
      .select("leased")
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    return { least: left - least - leased, most: left - most };
  }

  async #charges(): Promise<Map<string, number[]>> {
    const rows = await this.#database.db
      .selectFrom("logs")
      .select(["request_id", "quota"])
      .where("type", "=", LOG_TYPE.consumption)
      .where(
        "user_id",
        "in",
        this.#payers.map(({ userId }) => userId),
      )
      .execute();
    const charges = new Map<string, number[]>();
    for (const { request_id, quota } of rows) charges.set(request_id, [...(charges.get(request_id) ?? []), quota]);
    return charges;
  }

  async #accounts(): Promise<Map<string, StoredAccount>> {
    const { db } = this.#database;
    const rows = await db.selectFrom("logs").select(["user_id", "token_id", "quota", "token_amount"]).execute();
    const accounts = new Map<string, StoredAccount>();
    for (const { userId, tokenId } of this.#payers) {
      const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((all, row) => all + of(row), 0);
      const user = await readUserBalance(db, userId);
      accounts.set(`user ${userId}`, {
        remaining: user.remaining,
        charged: sum((row) => (row.user_id === userId ? row.quota : 0)),
      });
      const token = await readTokenBalance(db, tokenId);
      accounts.set(`token ${tokenId}`, {
        remaining: token.remaining,
        charged: sum((row) => (row.token_id === tokenId ? row.token_amount : 0)),
      });
    }
    return accounts;
  }

  async #readVersion(payer: number): Promise<void> {
    const { userId } = this.#payer(payer);
    const row = await this.#database.db
      .selectFrom("caller_versions")
      .select("version")
      .where("user_id", "=", userId)
      .executeTakeFirst();
    this.#versions[payer] = row?.version ?? 0;
  }

  /** Runs the servers' timers on until the work is done. */
  async #drive<Result>(work: Result | Promise<Result>): Promise<Result> {
    if (!(work instanceof Promise)) return work;
    let isDone = false;
    const end = (): void => void (isDone = true);
    work.then(end, end);
    for (let turns = 0; !isDone; turns += 1) {
      assert.ok(turns < MOST_TURNS, "a server does not answer");
      await turn();
      if (!this.#servers.some(({ network }) => network.isBusy)) this.#timers.tick(1);
    }
    return work;
  }

  #awake(): Server[] {
    return this.#servers.filter(({ isFrozen }) => !isFrozen);
  }

  #seconds(): number {
    return nowSeconds(this.#clock);
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
