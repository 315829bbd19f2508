import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { connectDatabase } from "@one-api/database/connect-database";
import { CommitOutcomeUnknownError } from "@one-api/database/database-errors";
import type { OpenDatabase, RunStatement } from "@one-api/database/open-database";
import { openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { systemClock } from "../../core/clock.ts";
import { createTestToken } from "../../testing/create-test-token.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { checkBalances } from "../check-balances.ts";
import { createLedger } from "../create-ledger.ts";
import { type Payer, whenSettled } from "../ledger.ts";

const QUOTA = 1_000;

interface Setting {
  readonly quota?: number;
  readonly around?: (run: RunStatement) => RunStatement;
}

/** A ledger with some users, and the number of transactions of several statements that it began. */
async function start({ quota = QUOTA, around = (run) => run }: Setting = {}) {
  const database = await openTestDatabase("postgres");
  const { writeStatement } = database;
  assert.ok(writeStatement);
  const stepwise = { count: 0 };
  const watched: OpenDatabase = {
    ...database,
    writeTransaction(work, durability) {
      stepwise.count += 1;
      return database.writeTransaction(work, durability);
    },
    writeStatement: around(writeStatement),
  };
  const payers: Payer[] = [];
  for (let index = 0; index < 3; index += 1) {
    const { id: userId } = await createTestUser(database, systemClock, "user", { quota });
    const tokenUnlimited = index === 0;
    payers.push({ userId, tokenId: await createTestToken(database, userId, quota, tokenUnlimited), tokenUnlimited });
  }
  const { ledger, upkeep } = createLedger({ database: watched, clock: systemClock });
  await upkeep.start();
  const reserve = async (payer: Payer | undefined, requestId: string, amount = 100, callerVersion?: number) => {
    assert.ok(payer);
    return ledger.reserve({ ...payer, requestId, amount, createdAt: 1, callerVersion });
  };
  const settle = async (payer: Payer | undefined, requestId: string, charge: number | undefined) => {
    assert.ok(payer);
    return whenSettled(ledger, { ...payer, requestId, channelId: 0, charge, at: 2, log: undefined });
  };
  const remaining = async () => {
    const rows = await database.db.selectFrom("user_balances").select(["user_id", "remaining"]).execute();
    return payers.map(({ userId }) => rows.find((row) => row.user_id === userId)?.remaining);
  };
  const close = async () => {
    assert.deepEqual(await checkBalances(database), []);
    await ledger.close();
    await database.close();
  };
  return { database, payers, reserve, settle, remaining, stepwise, close };
}

/** Returns how the commits of the charges were told to treat the disk that are booked from now on. */
async function watchCharges({ db }: OpenDatabase): Promise<() => Promise<string[]>> {
  await sql`create table seen (waits text)`.execute(db);
  await sql`create function see() returns trigger language plpgsql as
    $$ begin insert into seen values (current_setting('synchronous_commit')); return new; end $$`.execute(db);
  await sql`create trigger see after insert on logs for each row execute function see()`.execute(db);
  return async () => (await sql<{ waits: string }>`select waits from seen`.execute(db)).rows.map(({ waits }) => waits);
}

describe("a group on PostgreSQL", { skip: whyMissing("postgres") ?? false }, () => {
  it("waits for the disk wherever it books a charge: in one statement, in several, and beside what is only set aside", async () => {
    const { database, payers, reserve, settle, stepwise, close } = await start();
    const waitsOfCharges = await watchCharges(database);
    const [plain, other] = payers;
    // Budgets take more than one statement.
    const budgeted = other && { ...other, budgeted: true };
    await Promise.all([reserve(plain, "a"), reserve(budgeted, "b"), reserve(plain, "c"), reserve(budgeted, "d")]);
    stepwise.count = 0;
    await settle(plain, "a", 7);
    assert.equal(stepwise.count, 0);
    await settle(budgeted, "b", 7);
    assert.equal(stepwise.count, 1);
    await Promise.all([settle(plain, "c", 7), reserve(plain, "e"), settle(budgeted, "d", 7), reserve(budgeted, "f")]);
    assert.deepEqual(await waitsOfCharges(), ["on", "on", "on", "on"]);
    await close();
  });

  it("is one statement where the balances cover it: what begins and what ends, of one user and of several", async () => {
    const { payers, reserve, settle, remaining, stepwise, close } = await start();
    stepwise.count = 0;
    await Promise.all(payers.map((payer, index) => reserve(payer, `a${index}`)));
    assert.deepEqual(await remaining(), [900, 900, 900]);
    const ended = await Promise.all([
      settle(payers[0], "a0", 7),
      reserve(payers[0], "b0", 50),
      settle(payers[1], "a1", 130),
      settle(payers[2], "a2", undefined),
      reserve(payers[1], "b1", 870),
    ]);
    assert.deepEqual(ended, [
      { settled: true, charged: 7 },
      { ok: true },
      { settled: true, charged: 130 },
      { settled: true, charged: 0 },
      { ok: true },
    ]);
    assert.deepEqual(await remaining(), [943, 0, 1_000]);
    assert.equal(stepwise.count, 0);
    await close();
  });

  it("refuses whose balance falls short and serves all others, and goes on with one statement for them", async () => {
    let givenUp = 0;
    const around = (run: RunStatement): RunStatement => {
      return async (statement, parameters) => {
        givenUp += 1;
        const outcome = await run(statement, parameters);
        givenUp -= 1;
        return outcome;
      };
    };
    const { payers, reserve, remaining, stepwise, close } = await start({ quota: 150, around });
    const both = await Promise.all([
      reserve(payers[0], "a", 100),
      reserve(payers[0], "b", 100),
      reserve(payers[1], "c", 100),
    ]);
    assert.deepEqual(both, [{ ok: true }, { ok: false, refusal: "user-quota" }, { ok: true }]);
    assert.equal(givenUp, 1);
    stepwise.count = 0;
    const later = await Promise.all([reserve(payers[0], "d", 100), reserve(payers[2], "e", 100)]);
    assert.deepEqual(later, [{ ok: false, refusal: "user-quota" }, { ok: true }]);
    assert.equal(stepwise.count, 1, "the user whose balance fell short");
    assert.equal(givenUp, 1, "nobody else is kept from the one statement again");
    assert.deepEqual(await reserve(payers[0], "f", 50), { ok: true });
    stepwise.count = 0;
    assert.deepEqual(await reserve(payers[2], "g", 50), { ok: true });
    assert.equal(stepwise.count, 0);
    assert.deepEqual(await remaining(), [0, 50, 0]);
    await close();
  });

  it("is kept from nobody by requests that could cost more than anything does", async () => {
    const { payers, reserve, settle, stepwise, close } = await start();
    const [rich, poor] = payers;
    const before = stepwise.count;
    const absurd = Array.from({ length: 4 }, (_, index) => reserve(poor, `absurd ${index}`, Number.MAX_SAFE_INTEGER));
    const usual = await reserve(rich, "usual");
    assert.equal(usual.ok, true);
    for (const outcome of await Promise.all(absurd)) assert.deepEqual(outcome, { ok: false, refusal: "user-quota" });
    assert.deepEqual(await settle(rich, "usual", 100), { settled: true, charged: 100 });
    assert.equal(stepwise.count, before);
    await close();
  });

  it("takes nothing for a caller who has changed, in one statement or in several, and serves all others", async () => {
    const { database, payers, reserve, remaining, stepwise, close } = await start();
    const [one, other] = payers;
    assert.ok(one);
    await database.db.updateTable("users").set({ group: "vip" }).where("id", "=", one.userId).execute();
    const budgeted = { ...one, budgeted: true };
    const group = [reserve(one, "a", 100, 0), reserve(one, "b", 100, 1), reserve(other, "c", 100, 0)];
    assert.deepEqual(await Promise.all(group), [{ ok: false, refusal: "caller-changed" }, { ok: true }, { ok: true }]);
    assert.deepEqual(await reserve(budgeted, "d", 100, 0), { ok: false, refusal: "caller-changed" });
    assert.deepEqual(await remaining(), [900, 900, 1_000]);
    stepwise.count = 0;
    const again = [reserve(one, "a", 100, 1), reserve(one, "d"), reserve(other, "e", 100, 0)];
    assert.deepEqual(await Promise.all(again), [{ ok: true }, { ok: true }, { ok: true }]);
    assert.equal(stepwise.count, 0, "whoever has changed is no longer kept from the one statement");
    await close();
  });

  it("books once what was committed by a statement whose answer never came", async () => {
    let cut = false;
    const around = (run: RunStatement): RunStatement => {
      return async (statement, parameters) => {
        const outcome = await run(statement, parameters);
        if (!cut) return outcome;
        cut = false;
        throw new CommitOutcomeUnknownError("The answer never came.");
      };
    };
    const { database, payers, reserve, settle, remaining, close } = await start({ around });
    cut = true;
    assert.deepEqual(await reserve(payers[1], "a"), { ok: true });
    assert.deepEqual(await remaining(), [1_000, 900, 1_000]);
    cut = true;
    const ended = await Promise.all([settle(payers[1], "a", 40), reserve(payers[2], "b", 10)]);
    assert.deepEqual(ended, [{ settled: true, charged: 40 }, { ok: true }]);
    assert.deepEqual(await remaining(), [1_000, 960, 990]);
    const charges = await database.db.selectFrom("logs").select("quota").where("type", "=", 2).execute();
    assert.deepEqual(charges, [{ quota: 40 }]);
    await close();
  });

  it("books nothing of a group in which a hold is gone, and then each for itself", async () => {
    const { database, payers, reserve, settle, remaining, close } = await start();
    await Promise.all([reserve(payers[0], "a"), reserve(payers[1], "b")]);
    // What another process does that takes this one for dead.
    await database.db.deleteFrom("relay_holds").where("request_id", "=", "a").execute();
    await database.db
      .updateTable("user_balances")
      .set({ remaining: 5 })
      .where("user_id", "=", payers[0]?.userId ?? 0)
      .execute();
    const ended = await Promise.all([settle(payers[0], "a", 60), settle(payers[1], "b", 60)]);
    assert.deepEqual(ended, [
      { settled: false, charged: 0 },
      { settled: true, charged: 60 },
    ]);
    assert.deepEqual(await remaining(), [5, 940, 1_000]);
    await database.db
      .updateTable("user_balances")
      .set({ remaining: QUOTA })
      .where("user_id", "=", payers[0]?.userId ?? 0)
      .execute();
    await close();
  });

  it("of two processes blocks none of another for good, in whatever order their users come", async () => {
    const errors: unknown[] = [];
    const around = (run: RunStatement): RunStatement => {
      return async (statement, parameters) => {
        try {
          return await run(statement, parameters);
        } catch (error) {
          errors.push(error);
          throw error;
        }
      };
    };
    const { database, payers, close } = await start({ quota: 1_000_000 });
    const runs = [1, 2].map(async (process) => {
      // Each on a connection of its own, as in a process of its own.
      const own = await openSame(database);
      const watched: OpenDatabase = { ...own, writeStatement: own.writeStatement && around(own.writeStatement) };
      const { ledger, upkeep } = createLedger({ database: watched, clock: systemClock });
      await upkeep.start();
      const inTurn = process === 1 ? payers : payers.toReversed();
      for (let round = 0; round < 100; round += 1) {
        const requests = inTurn.map((payer) => ({ ...payer, requestId: `${process}-${payer.userId}-${round}` }));
        await Promise.all(requests.map(async (each) => ledger.reserve({ ...each, amount: 50, createdAt: 1 })));
        await Promise.all(
          requests.map((each) => whenSettled(ledger, { ...each, channelId: 0, charge: 9, at: 2, log: undefined })),
        );
      }
      await ledger.close();
      await own.close();
    });
    await Promise.all(runs);
    assert.deepEqual(errors, []);
    await close();
  });
});

/** Opens the database of the connection once more. */
async function openSame({ db }: OpenDatabase): Promise<OpenDatabase> {
  const { rows } = await sql<{ name: string; folder: string; port: string; user: string }>`
    select current_database() as name, current_setting('unix_socket_directories') as folder,
      current_setting('port') as port, current_user as user`.execute(db);
  const [at] = rows;
  const databaseUrl = `postgres://${at?.user}@localhost:${at?.port}/${at?.name}?host=${encodeURIComponent(at?.folder ?? "")}`;
  return connectDatabase({ databaseUrl, dataDirectory: "" });
}
