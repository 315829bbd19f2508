import assert from "node:assert/strict";
import { test } from "node:test";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { eachDatabase } from "@one-api/database/test-databases";
import { buildNextBatch } from "./groups/build-log-groups.ts";
import { NO_FILTER } from "./log-filter.ts";
import { countLogResults, sumLogsByResult } from "./sum-logs-by-result.ts";
import { sumLogs } from "./sum-logs.ts";

eachDatabase((open) => {
  test("[CALL-77] totals take in entries however far apart their ids are", async () => {
    const database = await open();
    assert.deepEqual(await sumLogs(database, NO_FILTER), { quota: 0, token: 0 });
    const entry = {
      created_at: 5,
      type: 2,
      content: "",
      username: "mia",
      token_name: "",
      model_name: "m",
      quota: 3,
      prompt_tokens: 2,
      completion_tokens: 1,
      channel_id: 1,
      request_id: "",
      elapsed_time: 0,
      is_stream: 0 as const,
      detail: "",
    };
    const ids = [7, 50_006, 50_007, 120_000];
    await database.db
      .insertInto("logs")
      .values(ids.map((id) => ({ ...entry, id, user_id: id === 7 ? 1 : 2 })))
      .execute();
    assert.deepEqual(await sumLogs(database, NO_FILTER), { quota: 12, token: 12 });
    assert.deepEqual(await sumLogs(database, { ...NO_FILTER, userId: 2 }), { quota: 9, token: 9 });
    assert.deepEqual(await sumLogs(database, { ...NO_FILTER, endTimestamp: 4 }), { quota: 0, token: 0 });
    await database.db.updateTable("logs").set({ result: "timeout" }).where("id", ">", 50_000).execute();
    await database.db.updateTable("logs").set({ result: "ok", model_name: "n" }).where("id", "=", 50_006).execute();
    assert.deepEqual(await countLogResults(database, { ...NO_FILTER, userId: 2, result: "ok" }), [
      { result: "timeout", requests: 2 },
      { result: "ok", requests: 1 },
    ]);
    assert.deepEqual(await countLogResults(database, { ...NO_FILTER, modelName: "n" }), [
      { result: "ok", requests: 1 },
    ]);

    const refund = { ...entry, user_id: 2, type: LOG_TYPE.refund, quota: 2, prompt_tokens: 0, completion_tokens: 0 };
    await database.db
      .insertInto("logs")
      .values({ ...refund, id: 120_001, model_name: "n", result: "gateway-failed" })
      .execute();
    const nets = [
      [NO_FILTER, 10],
      [{ ...NO_FILTER, userId: 2, modelName: "n" }, 1],
      [{ ...NO_FILTER, userId: 1 }, 3],
    ] as const;
    for (const withGroups of [false, true]) {
      if (withGroups) while (await buildNextBatch(database, 120_001, { entries: 1 }));
      for (const [filter, quota] of nets)
        assert.equal((await sumLogs(database, filter)).quota, quota, "a refund lowers what was charged");
      const ofModel = { ...NO_FILTER, modelName: "n" };
      assert.deepEqual(await countLogResults(database, ofModel), [{ result: "ok", requests: 1 }], "it is no request");
      const totals = await sumLogsByResult(database, ofModel);
      const byResult = new Map(totals.map(({ result, entries, quota }) => [result, [entries, quota]]));
      assert.deepEqual(byResult.get("gateway-failed"), [0, -2]);
      assert.deepEqual(byResult.get("ok"), [1, 3]);
      assert.equal(byResult.size, 2);
    }
  });
});
