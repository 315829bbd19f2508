import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestDatabase } from "@one-api/database/test-databases";
import { sampleLog } from "@one-api/database/testing/sample-rows";
import type { LogStore } from "@one-api/log-store/log-store";
import { createLocalLogStore } from "@one-api/log-store/testing/local-log-store";
import { NO_FILTER } from "../log-filter.ts";
import { walkLogs } from "./walk-logs.ts";

test("a walk waits while the log store copies entries", async (t) => {
  const database = await openTestDatabase("sqlite");
  const copy = createLocalLogStore(database);
  t.after(async () => {
    await copy.close();
    await database.close();
  });
  await database.db.insertInto("logs").values([sampleLog(), sampleLog()]).execute();
  let questions = 0;
  const logStore: LogStore = {
    ...copy,
    async ask(question) {
      const answered = await copy.ask(question);
      questions += 1;
      return { ...answered, isComplete: questions > 2 };
    },
  };
  const ids: number[] = [];
  const signal = new AbortController().signal;
  for await (const rows of walkLogs({ database, logStore, signal }, NO_FILTER)) ids.push(...rows.map(({ id }) => id));
  assert.deepEqual([ids, questions], [[2, 1], 3]);
});
