import assert from "node:assert/strict";
import { test } from "node:test";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { eachDatabase } from "@one-api/database/test-databases";
import { createLocalLogStore } from "@one-api/log-store/testing/local-log-store";
import { askLog } from "./ask-log.ts";
import { NO_FILTER } from "./log-filter.ts";
import { sumLogs } from "./read-log-totals.ts";

eachDatabase((open) => {
  test("[CALL-77] totals include entries with distant ids", async () => {
    const database = await open();
    const logStore = createLocalLogStore(database);
    assert.deepEqual(await sumLogs({ logStore }, NO_FILTER), { quota: 0, token: 0 });
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
      result: "",
    };
    const ids = [7, 50_006, 50_007, 120_000];
    await database.db
      .insertInto("logs")
      .values(
        ids.map((id) => ({
          ...entry,
          id,
          user_id: id === 7 ? 1 : 2,
          ...(id > 50_000 ? { result: "timeout" } : {}),
          ...(id === 50_006 ? { result: "ok", model_name: "n" } : {}),
        })),
      )
      .execute();
    assert.deepEqual(await sumLogs({ logStore }, NO_FILTER), { quota: 12, token: 12 });
    assert.deepEqual(await sumLogs({ logStore }, { ...NO_FILTER, userId: 2 }), { quota: 9, token: 9 });
    assert.deepEqual(await sumLogs({ logStore }, { ...NO_FILTER, endTimestamp: 4 }), { quota: 0, token: 0 });

    const refund = { ...entry, user_id: 2, type: LOG_TYPE.refund, quota: 2, prompt_tokens: 0, completion_tokens: 0 };
    await database.db
      .insertInto("logs")
      .values({ ...refund, id: 120_001, model_name: "n", result: "gateway-failed" })
      .execute();
    const nets = [
      [NO_FILTER, 10],
      [{ ...NO_FILTER, userId: 2, modelNames: ["n"] }, 1],
      [{ ...NO_FILTER, userId: 1 }, 3],
    ] as const;
    for (const [filter, quota] of nets)
      assert.equal((await sumLogs({ logStore }, filter)).quota, quota, "a refund lowers what was charged");
    const ofModel = { ...NO_FILTER, modelNames: ["n"] };
    const { answer } = await askLog({ logStore }, { kind: "results", filter: ofModel });
    const byResult = new Map(answer.map(({ result, entries, quota }) => [result, [entries, quota]]));
    assert.deepEqual(byResult.get("gateway-failed"), [0, -2]);
    assert.deepEqual(byResult.get("ok"), [1, 3]);
    assert.equal(byResult.size, 2);
    await logStore.close();
  });
});
