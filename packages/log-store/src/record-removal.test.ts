import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { LOG_TYPE } from "@one-api/contract/constants";
import type { OpenDatabase } from "@one-api/database/open-database";
import { eachDatabase } from "@one-api/database/test-databases";
import { forgetChanges, recordRemoval, type RemovedEntry } from "./record-removal.ts";

const DAY = 86_400;

const charge: RemovedEntry = {
  created_at: 10 * DAY + 5,
  type: LOG_TYPE.consumption,
  result: "ok",
  status_code: 200,
  user_id: 1,
  token_name: "main",
  model_name: "gpt",
  channel_id: 7,
  quota: 100,
  cost: 40,
  prompt_tokens: 10,
  cached_tokens: 4,
  completion_tokens: 3,
};

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeEach(async () => {
    database ??= await open();
    await database.db.deleteFrom("cleared_usage").execute();
  });

  const record = (entries: readonly RemovedEntry[], at = 1_000) =>
    database.db
      .transaction()
      .execute((transaction) => recordRemoval(transaction, { firstId: 3, lastId: 9, at }, entries));
  const changes = () => database.db.selectFrom("log_changes").selectAll().orderBy("id").execute();
  const cleared = () => database.db.selectFrom("cleared_usage").selectAll().orderBy("kind").orderBy("day").execute();

  test("counts entries by user and token, and by channel, on each day", async () => {
    const count = (await changes()).length;
    await record([
      charge,
      { ...charge, result: "timeout", cost: -1 },
      { ...charge, result: "refused", quota: 0, cost: 0 },
      { ...charge, type: LOG_TYPE.refund, quota: 30, prompt_tokens: 0, cached_tokens: 0, completion_tokens: 0 },
      { ...charge, type: LOG_TYPE.system },
      { ...charge, created_at: 12 * DAY, quota: 1 },
    ]);
    const sums = {
      day: 10,
      model_name: "gpt",
      requests: 2,
      refused: 1,
      errors: 1,
      quota: 170,
      cost: 40,
      unknown_requests: 1,
      unknown_quota: 100,
      prompt_tokens: 30,
      cached_tokens: 12,
      completion_tokens: 9,
    };
    const rows = await cleared();
    assert.deepEqual(
      rows.filter(({ day }) => day === 10).map((row) => ({ ...row })),
      [
        { kind: 0, user_id: 1, token_name: "main", channel_id: 0, ...sums },
        { kind: 1, user_id: 0, token_name: "", channel_id: 7, ...sums },
      ],
    );
    assert.deepEqual(
      rows.filter(({ day }) => day === 12).map(({ quota }) => quota),
      [1, 1],
    );
    const [change, ...others] = (await changes()).slice(count);
    assert.deepEqual(
      { ...change, id: 0 },
      { id: 0, first_id: 3, last_id: 9, first_day: 10, last_day: 12, created_at: 1_000 },
    );
    assert.equal(others.length, 0);
  });

  test("adds up what is cleared later", async () => {
    await record([charge]);
    await record([charge, { ...charge, user_id: 2 }]);
    const rows = (await cleared()).map((row) => [row.kind, row.user_id, row.quota, row.requests].join(" "));
    assert.deepEqual(new Set(rows), new Set(["0 1 200 2", "0 2 100 1", "1 0 300 3"]));
  });

  test("records a change without usage, and nothing where nothing was removed", async () => {
    const count = (await changes()).length;
    await record([]);
    assert.equal((await changes()).length, count);
    await record([{ ...charge, type: LOG_TYPE.system }]);
    assert.equal((await changes()).length, count + 1);
    assert.deepEqual(await cleared(), []);
  });

  test("counts more keys than one statement takes", async () => {
    const entries = Array.from({ length: 1_700 }, (_, index) => ({ ...charge, token_name: `token-${index}` }));
    await record(entries);
    await record(entries);
    const rows = await cleared();
    assert.equal(rows.length, 1_701);
    assert.equal(rows.filter(({ kind, quota }) => kind === 0 && quota === 200).length, 1_700);
  });

  test("forgets old changes but the newest", async () => {
    await record([charge], 2_000);
    await record([charge], 3_000);
    const newest = (await changes()).at(-1)?.id;
    await forgetChanges(database.db, 3_000);
    assert.deepEqual(
      (await changes()).map(({ id }) => id),
      [newest],
    );
    await forgetChanges(database.db, 9_000);
    assert.deepEqual(
      (await changes()).map(({ id }) => id),
      [newest],
    );
  });
});
