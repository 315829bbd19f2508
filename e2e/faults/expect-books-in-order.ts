import assert from "node:assert/strict";
import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation } from "@one-api/database/open-database";
import { STUB_TOKEN_QUOTA } from "../gateway/set-up-stub-channel.ts";

const ROOT_QUOTA = 500_000_000_000_000;

/**
 * Reads the database of a gateway that has ended, with one user and one token: each of the delivered requests must be charged exactly once,
 * nothing may be left reserved, and the balances must be what the charges leave. Returns how many requests were charged.
 */
export async function expectBooksInOrder(location: DatabaseLocation, delivered: readonly string[]): Promise<number> {
  const database = await connectDatabase(location);
  try {
    const { db } = database;
    const charges = await db
      .selectFrom("ledger_entries")
      .select(["request_id", "user_amount"])
      .where("kind", "=", "charge")
      .execute();
    for (const id of delivered) assert.equal(charges.filter((charge) => charge.request_id === id).length, 1, id);
    assert.equal(new Set(charges.map((charge) => charge.request_id)).size, charges.length);
    assert.deepEqual(await db.selectFrom("reservations").select("request_id").execute(), []);
    const spent = charges.reduce((sum, charge) => sum - charge.user_amount, 0);
    const user = await db
      .selectFrom("users")
      .select(["quota", "used_quota"])
      .where("username", "=", "root")
      .executeTakeFirstOrThrow();
    const token = await db.selectFrom("tokens").select(["remain_quota", "used_quota"]).executeTakeFirstOrThrow();
    assert.deepEqual({ ...user }, { quota: ROOT_QUOTA - spent, used_quota: spent });
    assert.deepEqual({ ...token }, { remain_quota: STUB_TOKEN_QUOTA - spent, used_quota: spent });
    return charges.length;
  } finally {
    await database.close();
  }
}
