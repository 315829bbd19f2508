import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { it } from "node:test";
import type { OpenDatabase } from "@one-api/database/open-database";
import { eachDatabase } from "@one-api/database/test-databases";
import { systemClock } from "../core/clock.ts";
import { inTransaction } from "../core/transaction.ts";
import { createTestToken } from "../testing/create-test-token.ts";
import { createTestUser } from "../testing/create-test-user.ts";
import { checkBalances } from "./check-balances.ts";
import type { GroupCommitter } from "./commits/commit-groups.ts";
import { createLedger } from "./create-ledger.ts";
import { type Payer, whenSettled } from "./ledger.ts";

const USERS = 12;

/** Lets groups gather while one is on its way, and keeps what the database said of each try. */
function watchCommits() {
  const errors: unknown[] = [];
  const sizes: number[] = [];
  const around = (committer: GroupCommitter): GroupCommitter => ({
    async commit(group, attempt) {
      sizes.push(group.length);
      try {
        return await committer.commit(group, attempt);
      } catch (error) {
        errors.push(error);
        throw error;
      }
    },
    close: () => committer.close(),
  });
  return { around, errors, sizes };
}

async function balanceOf({ db }: OpenDatabase, { userId, tokenId }: Payer) {
  const user = db.selectFrom("user_balances").select(["remaining", "used", "requests"]).where("user_id", "=", userId);
  const token = db.selectFrom("token_balances").select(["remaining", "used"]).where("token_id", "=", tokenId);
  return { user: { ...(await user.executeTakeFirstOrThrow()) }, token: { ...(await token.executeTakeFirst()) } };
}

eachDatabase((open) => {
  it("books many accounts at once as it books them one by one, those too whose quota falls short", async (t) => {
    const database = await open();
    t.after(() => database.close());
    const payers: Payer[] = [];
    for (let index = 0; index < USERS; index += 1) {
      const { id: userId } = await createTestUser(database, systemClock, "user", { quota: 1_000 });
      const tokenUnlimited = index % 3 === 0;
      // A third of the tokens has no limit of its own, a third does not cover two reservations.
      const tokenId = await createTestToken(database, userId, index % 3 === 1 ? 150 : 500, tokenUnlimited);
      payers.push({ userId, tokenId, tokenUnlimited });
    }
    const { around, errors, sizes } = watchCommits();
    const { ledger, upkeep } = createLedger({ database, clock: systemClock, aroundCommits: around });
    await upkeep.start();
    await Promise.all(payers.map(async (payer) => ledger.available(payer, 1)));

    const asked = payers.flatMap((payer) =>
      [100, 100].map((amount) => ({ ...payer, amount, requestId: randomUUID() })),
    );
    const outcomes = await Promise.all(asked.map(async (ask) => ledger.reserve({ ...ask, createdAt: 1 })));
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.ok ? "held" : outcome.refusal)),
      payers.flatMap((_, index) => ["held", index % 3 === 1 ? "token-quota" : "held"]),
    );
    // An owner who takes from a token in between, and one who deletes it.
    const [emptied, deleted] = [payers[2], payers[5]];
    assert.ok(emptied !== undefined && deleted !== undefined);
    const from = (await balanceOf(database, emptied)).token.remaining ?? 0;
    assert.ok(await inTransaction(database, (trx) => ledger.quota.allot(trx, { ...emptied, from, to: 0, at: 1 })));
    await database.db.deleteFrom("token_balances").where("token_id", "=", deleted.tokenId).execute();

    const held = asked.filter((_, index) => outcomes[index]?.ok === true);
    const settled = await Promise.all(
      held.map(({ requestId, userId, tokenId, tokenUnlimited }) =>
        whenSettled(ledger, {
          requestId,
          userId,
          tokenId,
          tokenUnlimited,
          channelId: 0,
          charge: 70,
          at: 2,
          log: undefined,
        }),
      ),
    );
    assert.ok(settled.every((outcome) => outcome.settled && outcome.charged === 70));
    for (const [index, payer] of payers.entries()) {
      const requests = index % 3 === 1 ? 1 : 2;
      const { user, token } = await balanceOf(database, payer);
      assert.deepEqual(user, { remaining: 1_000 - 70 * requests, used: 70 * requests, requests }, `user ${index}`);
      if (index % 3 === 1) assert.deepEqual(token, { remaining: 80, used: 70 });
    }
    assert.deepEqual(errors, [], "no statement failed, so that none had to be tried again");
    assert.ok(Math.max(...sizes) > USERS, "the settlements shared a commit");
    assert.deepEqual(await checkBalances(database), []);
    await ledger.close();
  });
});
