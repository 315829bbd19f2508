import assert from "node:assert/strict";
import { test } from "node:test";
import { connectDatabase } from "@one-api/database/connect-database";
import { createMigratedDatabase } from "@one-api/database/test-databases";
import { sampleUser } from "@one-api/database/testing/sample-rows";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { createLog } from "../platform/logging/create-log.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { createBalanceCheck } from "./balance-check.ts";

test("the check of the balances counts differences in a process of its own, beside the server", async (t) => {
  const made = await createMigratedDatabase("sqlite");
  t.after(() => made.remove());
  const database = await connectDatabase(made.location);
  t.after(() => database.close());
  const { db } = database;
  const lines: string[] = [];
  const environment = { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], DATA_DIR: made.location.dataDirectory };
  const check = async (everyHours = 1) => {
    const log = createLog("error", { write: (line) => void lines.push(line) });
    const balances = createBalanceCheck({ everyHours, clock: createTestClock(), log, firstAfterMs: 0, environment });
    t.after(() => balances.stop());
    balances.start();
    await waitUntil(() => Promise.resolve(balances.last !== undefined));
    return balances.last?.differences;
  };
  const user = await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow();
  await createQuotaLedger().grant(db, { userId: user.id, amount: 500, note: "", at: 1 });
  assert.equal(await check(), 0);
  await db.updateTable("shares").set({ remaining: 400, used: 7 }).where("account", "=", user.id).execute();
  assert.equal(await check(), 2);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /balances differ from the ledger/);
});
