import assert from "node:assert/strict";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { connectDatabase } from "@one-api/database/connect-database";
import type { OpenDatabase } from "@one-api/database/open-database";
import { createMigratedDatabase, type DatabaseKind } from "@one-api/database/test-databases";
import { sampleLog } from "@one-api/database/testing/sample-rows";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import { sql } from "kysely";
import type { ChildStart } from "../child/messages.ts";
import { NO_FILTER } from "../log-filter.ts";
import { type LogStore, LogStoreError } from "../log-store.ts";
import { type Answered, type AnswerTo, type LogQuestion, NO_USAGE_FILTER, type Sums } from "../questions.ts";
import { type LogStoreOptions, startLogStore } from "../start-log-store.ts";
import { TEST_SETTINGS } from "./local-log-store.ts";

/** Midnight UTC. */
const START = 1_763_683_200;
const SPAN = 3 * 86_400;

/** A database with a log, and stores that follow it. */
export interface TestLog {
  readonly database: OpenDatabase;
  /** What the store's process is started with. */
  readonly started: ChildStart;
  /** The replica's file. */
  readonly file: string;
  /** Messages that stores logged. */
  readonly messages: readonly string[];
  /** Starts a store that is closed after the test. */
  readonly start: (options?: Partial<LogStoreOptions>) => LogStore;
}

export async function createTestLog(t: TestContext, kind: DatabaseKind, folder?: string): Promise<TestLog> {
  const made = await createMigratedDatabase(kind);
  const database = await connectDatabase(made.location);
  const stores: LogStore[] = [];
  t.after(async () => {
    for (const store of stores) await store.close();
    await database.close();
    await made.remove();
  });
  const file = join(folder ?? temporaryFolder("one-api-log-store-"), "replica.duckdb");
  const messages: string[] = [];
  const write = (_details: object, message: string) => void messages.push(message);
  const started: ChildStart = { file, location: made.location, settings: TEST_SETTINGS };
  const start = (options: Partial<LogStoreOptions> = {}) => {
    const store = startLogStore({
      start: started,
      log: { warn: write, error: write },
      startAfterMs: 1_000_000,
      ...options,
    });
    stores.push(store);
    return store;
  };
  return { database, started, file, messages, start };
}

const MODELS = ["gpt", "o3", "claude"];
const ROWS_PER_INSERT = 1_000;

/** Inserts entries that differ in everything that usage counts. */
export async function addEntries({ database }: TestLog, count: number, seed = 0): Promise<void> {
  for (let done = 0; done < count; done += ROWS_PER_INSERT) {
    const rows = Array.from({ length: Math.min(ROWS_PER_INSERT, count - done) }, (_, index) => {
      const n = seed + done + index;
      return sampleLog({
        created_at: START + ((n * 997) % SPAN),
        user_id: 1 + (n % 7),
        token_name: `token-${n % 11}`,
        model_name: MODELS[n % 3] ?? "",
        channel_id: 1 + (n % 5),
        quota: n,
        result: n % 13 === 0 ? "timeout" : "ok",
        cost: n % 4 === 0 ? -1 : n % 100,
        prompt_tokens: n % 1_000,
        completion_tokens: n % 77,
      });
    });
    await database.db.insertInto("logs").values(rows).execute();
  }
}

/** Asks again while the process is being started anew. */
export async function askUntilAnswered<Question extends LogQuestion>(
  store: LogStore,
  question: Question,
): Promise<Answered<AnswerTo<Question>>> {
  for (;;) {
    try {
      const answered = await store.ask(question);
      if (answered.isComplete) return answered;
    } catch (error) {
      if (!(error instanceof LogStoreError) || error.code !== "failed") throw error;
    }
    await wait(5);
  }
}

/** Compares counts and sums of entries and of the rollup with the database. */
export async function assertSameAsDatabase({ database }: TestLog, store: LogStore): Promise<void> {
  const page = await askUntilAnswered(store, {
    kind: "page",
    filter: NO_FILTER,
    offset: 0,
    limit: 1,
    upTo: 0,
    withTotal: true,
  });
  const { rows } = await sql<{ model: string; entries: number; ids: number; quota: number; tokens: number }>`
    select model_name as model, count(*) as entries, max(id) as ids, cast(sum(quota) as bigint) as quota,
      cast(sum(prompt_tokens + completion_tokens) as bigint) as tokens
    from logs group by model_name order by model_name`.execute(database.db);
  const byModel = rows.map(({ model, entries, quota, tokens }) => [model, entries, quota, tokens]);
  const sum = (column: number) => byModel.reduce((total, row) => total + Number(row[column]), 0);
  assert.equal(page.answer.total, sum(1));
  assert.equal(page.answer.ids[0], Math.max(...rows.map(({ ids }) => ids)));
  const { answer: totals } = await store.ask({ kind: "totals", filter: NO_FILTER });
  assert.deepEqual(totals, { quota: sum(2), tokens: sum(3) });
  const usage = await store.ask({
    kind: "usage",
    filter: NO_USAGE_FILTER,
    edges: [START, START + SPAN],
    by: "model",
    order: "spend",
    rows: 10,
    split: 0,
    times: "none",
  });
  const used = usage.answer.rows.map(({ key, usage: of }) => [
    key,
    requestsOf(of),
    of.quota,
    of.promptTokens + of.completionTokens,
  ]);
  assert.deepEqual(used.toSorted(byName), byModel);
}

function requestsOf({ requests, refused }: Sums): number {
  return requests + refused;
}

function byName(left: readonly unknown[], right: readonly unknown[]): number {
  return String(left[0]) < String(right[0]) ? -1 : 1;
}
