import assert from "node:assert/strict";
import { test } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { systemClock } from "../../core/clock.ts";
import { createServerLedger } from "@one-api/ledger/create-server-ledger";
import { BLANK_LOG } from "@one-api/ledger/journal-columns";
import { type LogRow, whenSettled } from "@one-api/ledger/ledger";
import { createTestToken } from "../../testing/create-test-token.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { holdCommits } from "../../testing/ledger/hold-commits.ts";
import { foldNextUsage } from "./fold-usage.ts";
import { readUsage } from "./read-usage.ts";

const AT = 1_800_000_000;

const LOG: LogRow = {
  ...BLANK_LOG,
  created_at: AT,
  token_name: "main",
  model_name: "m",
  result: "ok",
  status_code: 200,
  cost: 0,
};

eachDatabase((open) => {
  test("a charge that is in the sums and is lowered after a commit that nobody knew of counts once, with what is left of it", async () => {
    const database = await open();
    const user = await createTestUser(database, systemClock, "user", { quota: 1_000 });
    const tokenId = await createTestToken(database, user.id, 1_000, true);
    const payer = { userId: user.id, tokenId, tokenUnlimited: true };
    const commits = holdCommits();
    const server = createServerLedger({
      database,
      clock: systemClock,
      aroundStorage: commits.around,
      warn: () => undefined,
      onOutdated: assert.fail,
    });
    const { ledger } = server;
    await server.start();
    const settle = (requestId: string, charge: number) => {
      const call = { ...payer, requestId, channelId: 0, charge, at: AT };
      const log = { ...LOG, request_id: requestId, user_id: user.id, username: user.username, cost: charge };
      return whenSettled(ledger, { ...call, log });
    };
    const fold = async () => {
      while (await foldNextUsage(database, Number.MAX_SAFE_INTEGER, { entries: 1 }));
    };
    const read = async () => {
      const question = { edges: [AT - 3_600, AT + 3_600], by: "model" as const };
      const answers = [
        await readUsage(database, { ...question, userId: 0 }),
        await readUsage(database, { ...question, userId: user.id }),
      ];
      return answers.map(({ parts: [all], table }) => {
        const [, model] = [...table.entries()][0] ?? [];
        return [all?.requests, all?.quota, all?.cost, model?.requests, model?.quota];
      });
    };

    await ledger.reserve({ ...payer, requestId: "a", amount: 300, createdAt: AT });
    await ledger.reserve({ ...payer, requestId: "b", amount: 300, createdAt: AT });
    await settle("b", 10);
    commits.lose("settle");
    await assert.rejects(settle("a", 120));
    await fold();
    // What the request cost the operator stays.
    const once = (quota: number) => [2, quota, 130, 2, quota];
    assert.deepEqual(await read(), [once(130), once(130)], "it was committed, and added up");
    commits.release();
    assert.deepEqual(await settle("a", 80), { settled: true, charged: 80 });
    await fold();
    assert.deepEqual(await read(), [once(90), once(90)]);
    assert.equal(await foldNextUsage(database, Number.MAX_SAFE_INTEGER, { entries: 1 }), false, "it is taken out once");
    await ledger.close();
    await database.close();
  });
});
