import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { copyFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { openSqlite, openSqliteToRead } from "@one-api/database/dialects/sqlite";
import type { OpenDatabase } from "@one-api/database/open-database";
import { openTestDatabase } from "@one-api/database/test-databases";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import { systemClock } from "../../core/clock.ts";
import { inTransaction } from "../../core/transaction.ts";
import { createTestToken } from "../../testing/create-test-token.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { waitUntil } from "../../testing/wait-until.ts";
import { checkBalances } from "../check-balances.ts";
import { createLedger } from "../create-ledger.ts";
import { type Payer, whenSettled } from "../ledger.ts";
import { readTokenBalance, readUserBalance } from "../read-balances.ts";

const QUOTA = 1_000;

/** A ledger with a user of a token; what is known of both is read by then, as after their first request. */
async function start(context: TestContext, around = (database: OpenDatabase) => database) {
  const database = around(await openTestDatabase("sqlite"));
  const { ledger, upkeep } = createLedger({ database, clock: systemClock });
  await upkeep.start();
  context.after(async () => {
    await ledger.close();
    await database.close();
  });
  const payer = await addPayer(database);
  await ledger.available(payer, 1);
  const charge = async (amount: number, of: Payer = payer) => {
    const requestId = randomUUID();
    const reserved = await ledger.reserve({ ...of, requestId, amount, createdAt: 1 });
    if (!reserved.ok) return 0;
    const settled = await whenSettled(ledger, {
      ...of,
      requestId,
      channelId: 0,
      charge: amount,
      at: 7,
      log: undefined,
    });
    return settled.charged;
  };
  return { database, ledger, payer, charge };
}

async function addPayer(database: OpenDatabase): Promise<Payer> {
  const { id: userId } = await createTestUser(database, systemClock, "user", { quota: QUOTA });
  return { userId, tokenId: await createTestToken(database, userId, QUOTA, false), tokenUnlimited: false };
}

function folderOf({ sqliteFile }: OpenDatabase): string {
  assert.ok(sqliteFile);
  return path.dirname(sqliteFile.path);
}

/** What a program sees that has no part in this process: the rows as they are in the file. */
async function remainingInFile(database: OpenDatabase, { userId }: Payer): Promise<number> {
  const file = await openSqliteToRead(folderOf(database));
  try {
    assert.deepEqual(await checkBalances(file), [], "what is not added yet is counted");
    return (await readUserBalance(file.db, userId)).remaining;
  } finally {
    await file.close();
  }
}

describe("balances that are brought up to date late", () => {
  it("are exact for whoever reads them, in a transaction or not", async (context) => {
    const { database, payer, charge } = await start(context);
    assert.equal(await charge(30), 30);
    assert.equal(await remainingInFile(database, payer), QUOTA, "the charge is in the log alone");
    assert.deepEqual({ ...(await readUserBalance(database.db, payer.userId)) }, { remaining: QUOTA - 30, used: 30 });
    assert.equal(await charge(5), 5);
    assert.equal(await charge(6), 6);
    const inside = await inTransaction(database, (transaction) => readTokenBalance(transaction, payer.tokenId));
    assert.deepEqual({ ...inside }, { remaining: QUOTA - 41, used: 41 });
    const rest = database.db
      .selectFrom("user_balances")
      .innerJoin("token_balances", (join) => join.onTrue())
      .select(["requests", "last_used_at"]);
    assert.deepEqual({ ...(await rest.executeTakeFirst()) }, { requests: 3, last_used_at: 7 });
    assert.equal(await remainingInFile(database, payer), QUOTA - 41);
  });

  it("stay exact when the transaction that read them is undone", async (context) => {
    const { database, payer, charge } = await start(context);
    await charge(30);
    const undone = inTransaction(database, async (transaction) => {
      assert.equal((await readUserBalance(transaction, payer.userId)).remaining, QUOTA - 30);
      throw new Error("undone");
    });
    await assert.rejects(undone, /undone/);
    assert.equal((await readUserBalance(database.db, payer.userId)).remaining, QUOTA - 30);
    assert.deepEqual(await checkBalances(database), []);
  });

  it("are brought up to date a second after a request, though nobody reads them", async (context) => {
    const { database, payer, charge } = await start(context);
    await charge(30);
    await waitUntil(async () => (await remainingInFile(database, payer)) === QUOTA - 30);
  });

  it("are brought up to date of many requests of many accounts", async (context) => {
    const { database, charge } = await start(context);
    const payers: Payer[] = [];
    for (let index = 0; index < 150; index += 1) payers.push(await addPayer(database));
    for (let round = 0; round < 300; round += 1)
      await Promise.all(payers.slice(round % 7).map((payer) => charge(1 + (round % 3), payer)));
    const left = await database.db
      .selectFrom("user_balances")
      .select((row) => row.fn.sum("remaining").as("sum"))
      .executeTakeFirst();
    let charged = 0;
    for (let round = 0; round < 300; round += 1) charged += (150 - (round % 7)) * (1 + (round % 3));
    assert.equal(Number(left?.sum), 151 * QUOTA - charged);
    assert.deepEqual(await checkBalances(database), []);
  });

  it("are brought up to date later where the database would not", async (context) => {
    let refusals = 0;
    const { database, payer, charge } = await start(context, (opened) => ({
      ...opened,
      writeTransaction: (work, durability) =>
        opened.writeTransaction(async (run) => {
          const result = await work(run);
          if (durability === "in-order" && refusals === 1)
            throw new DatabaseUnavailableError(`refused ${(refusals += 1)}`);
          return result;
        }, durability),
    }));
    refusals = 1;
    await charge(30);
    await waitUntil(async () => (await remainingInFile(database, payer)) === QUOTA - 30);
    assert.equal(refusals, 2);
  });

  it("are brought up to date by the next start where the process died", async (context) => {
    const { database, payer, charge } = await start(context);
    await charge(30);
    await charge(4);
    const folder = temporaryFolder("one-api-died-");
    for (const ending of ["", "-wal"])
      copyFileSync(`${database.sqliteFile?.path}${ending}`, path.join(folder, `one-api.db${ending}`));
    const copy = await openSqlite(folder);
    context.after(() => copy.close());
    const next = createLedger({ database: copy, clock: systemClock });
    await next.upkeep.start();
    assert.equal(await remainingInFile(copy, payer), QUOTA - 34);
    assert.equal((await readTokenBalance(copy.db, payer.tokenId)).remaining, QUOTA - 34);
    assert.deepEqual(await checkBalances(copy), []);
    await next.ledger.close();
  });

  it("are brought up to date when the ledger is closed", async (context) => {
    const { database, ledger, payer, charge } = await start(context);
    await charge(30);
    await ledger.close();
    assert.equal(await remainingInFile(database, payer), QUOTA - 30);
  });

  it("take from a token that its owner left less than a request costs what it has", async (context) => {
    const { database, ledger, payer, charge } = await start(context);
    await charge(100);
    const requestId = randomUUID();
    await ledger.reserve({ ...payer, requestId, amount: 500, createdAt: 1 });
    const allotted = await inTransaction(database, (transaction) =>
      ledger.quota.allot(transaction, { ...payer, from: QUOTA - 100, to: 20, at: 1 }),
    );
    assert.equal(allotted, true);
    await ledger.available(payer, 1);
    await whenSettled(ledger, { ...payer, requestId, channelId: 0, charge: 400, at: 7, log: undefined });
    assert.equal((await readTokenBalance(database.db, payer.tokenId)).remaining, 0);
    assert.equal((await readUserBalance(database.db, payer.userId)).remaining, QUOTA - 500);
    assert.deepEqual(await checkBalances(database), []);
  });

  it("add up, and stay above nothing, whoever charges, grants, takes, allots and reads at the same time", async (context) => {
    const { database, ledger, charge } = await start(context);
    const payers = await Promise.all(Array.from({ length: 8 }, () => addPayer(database)));
    const expected = new Map(payers.map(({ userId }) => [userId, QUOTA]));
    const add = ({ userId }: Payer, amount: number) => expected.set(userId, (expected.get(userId) ?? 0) + amount);
    const grant = (payer: Payer, amount: number) =>
      inTransaction(database, async (transaction) => {
        if (await ledger.quota.grant(transaction, { userId: payer.userId, amount, note: "", at: 1 }))
          add(payer, amount);
      });
    const steps: readonly ((payer: Payer) => Promise<unknown>)[] = [
      async (payer) => add(payer, -(await charge(randomInt(1, 60), payer))),
      async (payer) => add(payer, -(await charge(randomInt(1, 60), payer))),
      (payer) => grant(payer, randomInt(-80, 80)),
      (payer) =>
        inTransaction(database, async (transaction) => {
          const { remaining: from } = await readTokenBalance(transaction, payer.tokenId);
          await ledger.quota.allot(transaction, { ...payer, from, to: randomInt(0, 300), at: 1 });
        }),
      (payer) => readUserBalance(database.db, payer.userId),
    ];
    for (let round = 0; round < 40; round += 1)
      await Promise.all(payers.flatMap((payer) => [0, 1, 2].map(async () => steps[randomInt(steps.length)]?.(payer))));
    for (const { userId } of payers)
      assert.equal((await readUserBalance(database.db, userId)).remaining, expected.get(userId));
    assert.deepEqual(await checkBalances(database), []);
  });
});
