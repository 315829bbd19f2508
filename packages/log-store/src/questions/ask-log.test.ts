import assert from "node:assert/strict";
import { test } from "node:test";
import { LogEngine } from "../engine.ts";
import { NO_FILTER } from "../log-filter.ts";
import { recordRemoval } from "../record-removal.ts";
import { LogSource } from "../source/log-source.ts";
import { TEST_SETTINGS } from "../testing/local-log-store.ts";
import { addEntries, createTestLog } from "../testing/test-log.ts";

test("pages far from the newest entry are those of the log", async (t) => {
  const log = await createTestLog(t, "sqlite");
  const { db } = log.database;
  await addEntries(log, 1);
  // Ids of four buckets, and none of those between them.
  await db.updateTable("logs").set({ id: 100 }).execute();
  await addEntries(log, 15_000, 1);
  await db.updateTable("logs").set({ id: 60_000 }).where("id", "=", 15_100).execute();
  await addEntries(log, 9_000, 20_000);
  await db.updateTable("logs").set({ id: 400_000 }).where("id", "=", 69_000).execute();
  await addEntries(log, 6_000, 30_000);
  const removed = await db.selectFrom("logs").selectAll().where("id", "in", [62_000, 64_321]).execute();
  const engine = await LogEngine.open(log.file, new LogSource(log.database), TEST_SETTINGS);
  while (!(await engine.step()));
  await db.deleteFrom("logs").where("id", "in", [62_000, 64_321]).execute();
  await recordRemoval(db, { firstId: 62_000, lastId: 64_321, at: 1 }, removed);
  // A question waits for one second at most.
  while (!(await engine.step()));
  for (const modelNames of [[], ["gpt"]]) {
    const rows = await db.selectFrom("logs").select(["id", "model_name"]).orderBy("id", "desc").execute();
    const ids = rows
      .filter((row) => modelNames.length === 0 || modelNames.includes(row.model_name))
      .map(({ id }) => id);
    for (const offset of [19_990, 20_001, 20_995, 23_456, 26_000, ids.length - 3, ids.length, 90_000]) {
      const { answer } = await engine.ask({
        kind: "page",
        filter: { ...NO_FILTER, modelNames },
        offset,
        limit: 10,
        upTo: 0,
        withTotal: true,
      });
      assert.deepEqual(answer, { ids: ids.slice(offset, offset + 10), total: ids.length });
    }
  }
  engine.close();
});
