import assert from "node:assert/strict";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation, OpenDatabase } from "@one-api/database/open-database";
import { checkBalances } from "@one-api/ledger/check-balances";
import { REFUND_TYPE } from "@one-api/ledger/storage/journal-columns";
import type { DeliveredAnswer } from "../gateway/delivered-answer.ts";
import { stubCharge, STUB_TOKEN_QUOTA } from "../gateway/set-up-stub-channel.ts";

const ROOT_QUOTA = 500_000_000_000_000;

/**
 * Checks the database of a stopped gateway with one user and one token: each delivered answer is charged exactly once,
 * for its own tokens, by its own settlement; nothing is reserved; balances match the charges. Returns the number of
 * charged requests.
 */
export async function expectBooksInOrder(
  location: DatabaseLocation,
  delivered: readonly DeliveredAnswer[],
): Promise<number> {
  const database = await connectDatabase(location);
  try {
    const { db } = database;
    const charges = await db
      .selectFrom("logs")
      .select(["request_id", "quota", "token_amount", "prompt_tokens", "completion_tokens", "result"])
      .where("type", "=", LOG_TYPE.consumption)
      .where("quota", ">", 0)
      .execute();
    const chargesById = Map.groupBy(charges, (charge) => charge.request_id);
    for (const { id, promptTokens, completionTokens } of delivered) {
      const quota = stubCharge(promptTokens, completionTokens);
      assert.deepEqual(
        chargesById.get(id)?.map((charge) => ({ ...charge })),
        [
          {
            request_id: id,
            quota,
            token_amount: quota,
            prompt_tokens: promptTokens,
            completion_tokens: completionTokens,
            result: "ok",
          },
        ],
      );
    }
    assert.equal(chargesById.size, charges.length);
    const refunds = await db.selectFrom("logs").select("quota").where("type", "=", REFUND_TYPE).execute();
    assert.deepEqual(await checkBalances(database), []);
    await expectNothingReserved(database);
    const sumOf = (rows: readonly { readonly quota: number }[]) => rows.reduce((sum, { quota }) => sum + quota, 0);
    const spent = sumOf(charges) - sumOf(refunds);
    const user = await db
      .selectFrom("user_balances")
      .innerJoin("users", "users.id", "user_id")
      .select(["remaining", "used"])
      .where("username", "=", "root")
      .executeTakeFirstOrThrow();
    const token = await db.selectFrom("token_balances").select(["remaining", "used"]).executeTakeFirstOrThrow();
    assert.deepEqual({ ...user }, { remaining: ROOT_QUOTA - spent, used: spent });
    assert.deepEqual({ ...token }, { remaining: STUB_TOKEN_QUOTA - spent, used: spent });
    await expectBudgetsInOrder(database, spent);
    return charges.length;
  } finally {
    await database.close();
  }
}

/** No request or batch is open, and no server holds quota. On SQLite the one server keeps its shares, all of which are free. */
async function expectNothingReserved({ db, kind }: OpenDatabase): Promise<void> {
  assert.deepEqual(await db.selectFrom("checkpoints").select("request_id").execute(), []);
  const owners = await db.selectFrom("owners").select(["id", "state"]).execute();
  assert.deepEqual(owners, kind === "sqlite" ? [{ id: 1, state: "live" }] : []);
  if (kind === "sqlite") return;
  assert.deepEqual(await db.selectFrom("shares").select(["kind", "account"]).where("owner", "<>", 0).execute(), []);
}

/** Budgets that were set before the first request, and whose period has not turned since, must have counted all of it. */
async function expectBudgetsInOrder({ db }: OpenDatabase, spent: number): Promise<void> {
  const budgets = await db
    .selectFrom("budgets")
    .innerJoin("budget_uses", "budget_uses.budget_id", "budgets.id")
    .select(["spent", "since", "window_start"])
    .execute();
  for (const budget of budgets) if (budget.window_start <= budget.since) assert.equal(budget.spent, spent);
}
