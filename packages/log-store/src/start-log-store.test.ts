import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import { NO_FILTER } from "./log-filter.ts";

import { openDuck } from "./replica/duck.ts";
import { TEST_SETTINGS } from "./testing/local-log-store.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { addEntries, assertSameAsDatabase, createTestLog } from "./testing/test-log.ts";

const ALL = { kind: "old-entries", before: Number.MAX_SAFE_INTEGER } as const;
/** Of `child-that-waits.ts`: how many questions were cancelled. */
const CANCELLED = { kind: "old-entries", before: 0 } as const;

async function isUnlocked(file: string): Promise<boolean> {
  try {
    (await openDuck(file, TEST_SETTINGS)).close();
    return true;
  } catch {
    return false;
  }
}

const child = (name: string) => fileURLToPath(new URL(`testing/${name}.ts`, import.meta.url));

for (const kind of DATABASE_KINDS) {
  describe(`the log store's process on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    test("answers with all entries that were committed before the question", async (t) => {
      const log = await createTestLog(t, kind);
      await addEntries(log, 5_000);
      const store = log.start();
      assert.deepEqual(await store.status(), { state: "starting", progress: 0, behind: 0 });
      await assertSameAsDatabase(log, store);
      await addEntries(log, 3, 5_000);
      const { answer, isComplete } = await store.ask(ALL);
      assert.deepEqual([answer.entries, isComplete], [5_003, true]);
      await waitUntil(async () => (await store.status()).state === "following");
      assert.deepEqual(log.messages, []);
    });

    test("copies the log without a question, and ends until there is one", async (t) => {
      const log = await createTestLog(t, kind);
      await addEntries(log, 5_000);
      const store = log.start({ startAfterMs: 1 });
      await waitUntil(async () => (await store.status()).state === "idle");
      await waitUntil(() => isUnlocked(log.file));
      await addEntries(log, 3, 5_000);
      assert.equal((await store.ask(ALL)).answer.entries, 5_003);
    });

    test("ends when it is idle, and catches up from time to time", async (t) => {
      const log = await createTestLog(t, kind);
      const store = log.start({ idleMs: 1, catchUpEveryMs: 1 });
      for (let round = 1; round <= 3; round += 1) {
        await addEntries(log, 1_000, round * 1_000);
        assert.equal((await store.ask(ALL)).answer.entries, round * 1_000);
        await waitUntil(async () => (await store.status()).state === "idle");
      }
      assert.deepEqual(log.messages, []);
    });
  });
}

test("ends a question by its signal, and tells the process", async (t) => {
  const store = (await createTestLog(t, "sqlite")).start({ child: child("child-that-waits") });
  const stop = new AbortController();
  assert.equal((await store.ask(CANCELLED)).answer, 0);
  const asked = assert.rejects(store.ask(ALL, stop.signal), { code: "cancelled" });
  stop.abort();
  await asked;
  assert.equal((await store.ask(CANCELLED)).answer, 1);
  await assert.rejects(store.ask(ALL, stop.signal), { code: "cancelled" });
  // Before the process is ready it receives neither the question nor its end.
  const other = (await createTestLog(t, "sqlite")).start({ child: child("child-that-waits") });
  const early = new AbortController();
  const rejected = assert.rejects(other.ask(ALL, early.signal), { code: "cancelled" });
  early.abort();
  await rejected;
  assert.equal((await other.ask(CANCELLED)).answer, 0);
});

test("refuses the 33rd question at once", async (t) => {
  const store = (await createTestLog(t, "sqlite")).start({ child: child("child-that-waits") });
  const stop = new AbortController();
  const waiting = Array.from({ length: 32 }, () => store.ask(ALL, stop.signal));
  await assert.rejects(store.ask(ALL), { code: "busy" });
  stop.abort();
  for (const each of await Promise.allSettled(waiting)) assert.equal(each.status, "rejected");
  assert.equal((await store.ask(CANCELLED)).answer, 0);
});

test("kills a process that hangs, and starts another", async (t) => {
  const log = await createTestLog(t, "sqlite");
  const store = log.start({ child: child("child-that-hangs"), silenceLimitMs: 500 });
  await assert.rejects(store.ask(ALL), { code: "failed" });
  assert.equal((await store.status()).state, "starting");
  assert.deepEqual(log.messages, ["the log store ended; it is started again"]);
  assert.equal((await store.ask(ALL)).answer, 7);
});

test("is off where there is no DuckDB for the platform", async (t) => {
  const log = await createTestLog(t, "sqlite");
  const store = log.start({ child: child("child-without-engine") });
  await assert.rejects(store.ask(ALL), { code: "unavailable" });
  assert.equal((await store.status()).state, "off");
  await assert.rejects(store.ask(ALL), { code: "unavailable" });
  await store.close();
  assert.deepEqual(log.messages, ["there is no DuckDB for this platform: the log has no totals and no dashboards"]);
});

test("says what a process wrote that cannot start", async (t) => {
  const details: object[] = [];
  const warn = (of: object) => void details.push(of);
  const log = await createTestLog(t, "sqlite");
  const store = log.start({ child: child("no-such-file"), log: { warn, error: warn } });
  await assert.rejects(store.ask(ALL), { code: "failed" });
  assert.match(JSON.stringify(details), /Cannot find module/);
});

test("fails what is asked while it closes, and ends the process", async (t) => {
  const log = await createTestLog(t, "sqlite");
  const store = log.start();
  await store.ask(ALL);
  const asked = assert.rejects(store.ask({ kind: "totals", filter: NO_FILTER }), { code: "unavailable" });
  await Promise.all([store.close(), store.close()]);
  await asked;
  await assert.rejects(store.ask(ALL), { code: "unavailable" });
  // The file's lock went with the process.
  (await openDuck(log.file, TEST_SETTINGS)).close();
});

test("the process ends with the one that started it", async (t) => {
  const log = await createTestLog(t, "sqlite");
  await addEntries(log, 2_000);
  const folder = temporaryFolder("one-api-log-store-");
  const file = join(folder, "replica.duckdb");
  const parent = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", child("parent-of-log-store"), file, log.started.location.dataDirectory],
    { env: { ...process.env, LOG_STORE_PID_FILE: join(folder, "pid") }, stdio: ["ignore", "pipe", "inherit"] },
  );
  assert.equal(String(await once(parent.stdout, "data")), "2000\n");
  await assert.rejects(openDuck(file, TEST_SETTINGS), /Could not set lock/);
  parent.kill("SIGKILL");
  await waitUntil(() => isUnlocked(file));
});
