import assert from "node:assert/strict";
import { it } from "node:test";
import { connectDatabase } from "@one-api/database/connect-database";
import { migrate } from "@one-api/database/migrate";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createDevelopmentDatabase } from "@one-api/database/testing/development-database";
import { checkBalances } from "./check-balances.ts";

for (const kind of DATABASE_KINDS)
  it(`keeps every balance of a development version on ${kind}`, { skip: whyMissing(kind) ?? false }, async (t) => {
    const made = await createDevelopmentDatabase(kind);
    const database = await connectDatabase(made.location);
    t.after(async () => {
      await database.close();
      await made.remove();
    });
    await migrate(database);
    const { db } = database;
    assert.deepEqual(await db.selectFrom("user_balances").select(["remaining", "used", "requests"]).execute(), [
      { remaining: 900, used: 100, requests: 1 },
    ]);
    assert.deepEqual(await db.selectFrom("token_balances").select(["remaining", "used"]).execute(), [
      { remaining: 400, used: 100 },
    ]);
    assert.deepEqual(await db.selectFrom("budget_uses").select("spent").execute(), [{ spent: 100 }]);
    assert.deepEqual(await db.selectFrom("checkpoints").select(["request_id", "delivered"]).execute(), [
      { request_id: "b", delivered: 50 },
    ]);
    assert.deepEqual(await checkBalances(database), []);
  });
