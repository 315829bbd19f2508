import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import { LogStoreError } from "../log-store.ts";
import type { LogQuestion } from "../questions.ts";
import { type Duck, openDuck } from "../replica/duck.ts";
import { TEST_SETTINGS } from "../testing/local-log-store.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import type { FromChild } from "./messages.ts";
import { QuestionQueue } from "./question-queue.ts";

/** A statement that no machine ends within a test. */
const ENDLESS = "select count(*) from range(1000000) as a, range(1000000) as b where a.range * b.range % 7 = 3";

/** Asks DuckDB an endless statement for `before: 1`, the same after a pause for `before: 2`, else a short one. */
function engineOf(duck: Duck) {
  return {
    interrupt: () => duck.reader.interrupt(),
    ask: async (question: LogQuestion) => {
      const before = question.kind === "old-entries" ? question.before : 0;
      try {
        if (before === 2) await new Promise((resolve) => setTimeout(resolve, 50));
        await duck.reader.rows(before === 0 ? "select 1" : ENDLESS);
      } catch (error) {
        throw new LogStoreError("cancelled", String(error));
      }
      return { answer: before, isComplete: true };
    },
  };
}

async function createQueue(limitMs?: number) {
  const duck = await openDuck(join(temporaryFolder("one-api-log-store-"), "any.duckdb"), TEST_SETTINGS);
  const sent: FromChild[] = [];
  const queue = new QuestionQueue(
    engineOf(duck),
    (message) => void sent.push(message),
    () => undefined,
    limitMs,
  );
  return { duck, queue, sent };
}

const ask = (before: number): LogQuestion => ({ kind: "old-entries", before });

const codes = (sent: readonly FromChild[]) =>
  sent.map((message) => (message.kind === "failure" ? [message.id, message.code] : "id" in message ? message.id : 0));

describe("the queue of questions", () => {
  test("ends a running question at once, and answers the next", async () => {
    const { duck, queue, sent } = await createQueue();
    for (const id of [1, 2, 3]) queue.ask(id, ask(id === 1 ? 1 : 0));
    queue.cancel(2);
    queue.cancel(1);
    queue.cancel(7);
    await waitUntil(() => sent.length === 2);
    assert.deepEqual(codes(sent), [[1, "cancelled"], 3]);
    queue.cancel(3);
    queue.ask(4, ask(0));
    await waitUntil(() => sent.length === 3);
    assert.deepEqual(codes(sent)[2], 4);
    duck.close();
  });

  test("ends a question that is between two statements", async () => {
    const { duck, queue, sent } = await createQueue();
    queue.ask(1, ask(2));
    queue.cancel(1);
    queue.ask(2, ask(0));
    await waitUntil(() => sent.length === 2);
    assert.deepEqual(codes(sent), [[1, "cancelled"], 2]);
    duck.close();
  });

  test("ends a question after its time limit", async () => {
    const { duck, queue, sent } = await createQueue(30);
    queue.ask(1, ask(1));
    await waitUntil(() => sent.length === 1);
    assert.deepEqual(codes(sent), [[1, "time-limit"]]);
    duck.close();
  });
});
