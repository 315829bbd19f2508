import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  mkdtempSync,
  copyFileSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { LogEngine } from "./engine.ts";
import type { LogStore } from "./log-store.ts";
import { NO_USAGE_FILTER } from "./questions.ts";
import { openDuck } from "./replica/duck.ts";
import { remedyOf } from "./replica/failures.ts";
import { LogSource } from "./source/log-source.ts";
import { TEST_SETTINGS } from "./testing/local-log-store.ts";
import { addEntries, askUntilAnswered, assertSameAsDatabase, createTestLog, type TestLog } from "./testing/test-log.ts";

// A replica whose file is damaged is deleted and built again from the database.

const REBUILT = "the log store's file is damaged or outdated; it is rebuilt";
const BLOCK = 262_144;
const HEADERS = 12_288;

function overwrite(file: string, at: number, bytes: number): void {
  const open = openSync(file, "r+");
  writeSync(open, randomBytes(bytes), 0, bytes, at);
  closeSync(open);
}

/** Opens the replica with DuckDB, so that its write-ahead log becomes part of the file. */
async function runStatements(file: string, sql: string): Promise<void> {
  const duck = await openDuck(file, TEST_SETTINGS);
  await duck.writer.run(sql);
  duck.close();
}

interface Damage {
  readonly name: string;
  readonly damage: (file: string) => void | Promise<void>;
}

const DAMAGES: readonly Damage[] = [
  { name: "its header is overwritten", damage: (file) => overwrite(file, 0, 4_096) },
  { name: "its second header is overwritten", damage: (file) => overwrite(file, 4_096, 8_192) },
  { name: "it is cut short", damage: (file) => truncateSync(file, Math.floor(statSync(file).size / 2)) },
  { name: "it is cut within its header", damage: (file) => truncateSync(file, 100) },
  { name: "it is a text", damage: (file) => writeFileSync(file, "nothing like a database\n".repeat(1_000)) },
  { name: "it is of another version", damage: (file) => runStatements(file, "update state set version = 0") },
  { name: "it has other tables", damage: (file) => runStatements(file, "alter table state drop column version") },
  { name: "it has no state", damage: (file) => runStatements(file, "delete from state") },
];

/** A log with a replica that has no write-ahead log. */
async function createClosedReplica(t: TestContext, entries: number): Promise<TestLog> {
  const log = await createTestLog(t, "sqlite");
  await addEntries(log, entries);
  const engine = await LogEngine.open(log.file, new LogSource(log.database), TEST_SETTINGS);
  await waitUntil(() => engine.step());
  engine.close();
  return log;
}

/** A log with a replica whose process was killed: the last entries are in its write-ahead log. */
async function createKilledReplica(t: TestContext): Promise<TestLog> {
  const log = await createTestLog(t, "sqlite");
  await addEntries(log, 20_000);
  const store = log.start();
  await assertSameAsDatabase(log, store);
  await store.close();
  return log;
}

/** Reads every block. */
async function readEverything(store: LogStore): Promise<void> {
  for (const by of ["model", "channel", "user", "token"] as const)
    await askUntilAnswered(store, {
      kind: "usage",
      filter: NO_USAGE_FILTER,
      edges: [0, 4_000_000_000 - (4_000_000_000 % 1_800)],
      by,
      order: "spend",
      rows: 10,
      split: 0,
      times: "rows",
    });
}

describe("a replica is rebuilt where", () => {
  test("its file cannot be used", async (t) => {
    const log = await createClosedReplica(t, 3_000);
    for (const { name, damage } of DAMAGES)
      await t.test(name, async () => {
        const file = join(temporaryFolder("one-api-log-store-"), "replica.duckdb");
        copyFileSync(log.file, file);
        await damage(file);
        const [before, store] = [log.messages.length, log.start({ start: { ...log.started, file } })];
        await assertSameAsDatabase(log, store);
        assert.equal(log.messages[before], REBUILT);
        await store.close();
      });
  });

  test("its write-ahead log is overwritten", async (t) => {
    const log = await createKilledReplica(t);
    const wal = `${log.file}.wal`;
    overwrite(wal, Math.floor(statSync(wal).size / 2), 5_000);
    await assertSameAsDatabase(log, log.start());
    assert.ok(log.messages.includes(REBUILT));
  });

  test("a block in the middle is overwritten, once a question reads it", async (t) => {
    const log = await createClosedReplica(t, 20_000);
    for (let at = HEADERS + BLOCK; at + BLOCK <= statSync(log.file).size; at += BLOCK)
      overwrite(log.file, at + 1_000, 5_000);
    const store = log.start();
    await readEverything(store);
    await assertSameAsDatabase(log, store);
    assert.ok(log.messages.includes(REBUILT));
  });
});

describe("a replica goes on where", () => {
  test("its write-ahead log is cut short", async (t) => {
    const log = await createKilledReplica(t);
    const wal = `${log.file}.wal`;
    truncateSync(wal, Math.floor(statSync(wal).size * 0.6));
    await assertSameAsDatabase(log, log.start());
    assert.deepEqual(log.messages, []);
  });

  test("its file is gone, and an old write-ahead log is left", async (t) => {
    const log = await createKilledReplica(t);
    rmSync(log.file);
    await assertSameAsDatabase(log, log.start());
  });

  test("its process is killed while it appends", async (t) => {
    const rounds = Number(process.env["LOG_STORE_KILLS"] ?? 3);
    const folder = temporaryFolder("one-api-log-store-");
    process.env["LOG_STORE_PID_FILE"] = join(folder, "pid");
    const child = fileURLToPath(new URL("testing/child-with-pid.ts", import.meta.url));
    const log = await createTestLog(t, "sqlite");
    await addEntries(log, 5_000);
    const store = log.start({ child });
    for (let round = 0; round < rounds; round += 1) {
      await assertSameAsDatabase(log, store);
      const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
      await addEntries(log, 30_000, round * 30_000 + 5_000);
      // The question makes it append; it is killed at any moment of that.
      const asked = Promise.allSettled([store.ask({ kind: "old-entries", before: 0 })]);
      await wait(Math.random() * 150);
      process.kill(pid, "SIGKILL");
      await asked;
      await waitUntil(async () => (await store.status()).state === "starting");
    }
    await assertSameAsDatabase(log, store);
    await store.close();
    await assertRollupIsSumOfEntries(log.file);
    assert.ok(!log.messages.includes(REBUILT));
  });
});

async function assertRollupIsSumOfEntries(file: string): Promise<void> {
  const sums = ["quota", "cost", "prompt_tokens", "cached_tokens", "completion_tokens"]
    .map((column) => `sum(${column})::bigint`)
    .join(", ");
  const duck = await openDuck(file, TEST_SETTINGS);
  const rollup = await duck.reader.rows(
    `select slot, model_name, outcome, sum(n)::bigint, ${sums} from half_hours group by all order by all`,
  );
  const entries = await duck.reader.rows(
    `select created_at // 1800, model_name, outcome, count(*), ${sums} from entries where outcome < 7 group by all order by all`,
  );
  const [twice] = await duck.reader.rows("select count(*) - count(distinct id) from entries");
  duck.close();
  assert.deepEqual(rollup, entries);
  assert.deepEqual(twice, [0]);
}

/** Mounts a disk of 100 MB until the test ends. Returns undefined where that is not possible. */
function mountSmallDisk(t: TestContext): string | undefined {
  if (process.platform !== "linux") return undefined;
  const folder = mkdtempSync(join(tmpdir(), "one-api-small-disk-"));
  t.after(() => {
    spawnSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true });
  });
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=100m", "tmpfs", folder], { stdio: "ignore" });
  return status === 0 ? folder : undefined;
}

describe("the disk", () => {
  test("stops the replica where it is full, which still answers and goes on when there is space", async (t) => {
    const folder = mountSmallDisk(t);
    if (folder === undefined) return t.skip("Only root on Linux can make a small disk.");
    const log = await createTestLog(t, "sqlite", folder);
    await addEntries(log, 5_000);
    const store = log.start();
    await assertSameAsDatabase(log, store);
    writeFileSync(join(folder, "other"), Buffer.alloc(80 * 1024 ** 2));
    await addEntries(log, 100, 5_000);
    const count = async (asked: LogStore) => {
      const { answer, isComplete } = await asked.ask({ kind: "old-entries", before: Number.MAX_SAFE_INTEGER });
      return [answer.entries, isComplete];
    };
    assert.deepEqual(await count(store), [5_000, false]);
    await waitUntil(async () => (await store.status()).state === "stalled");
    // A start on a full disk answers too.
    await store.close();
    const again = log.start();
    assert.deepEqual(await count(again), [5_000, false]);
    await waitUntil(async () => (await again.status()).state === "stalled");
    rmSync(join(folder, "other"));
    await assertSameAsDatabase(log, again);
    await again.close();
  });

  test("ends DuckDB where it is full during a checkpoint, and the file is intact", () => {
    const message = `Could not write file "/r.duckdb": No space left on device`;
    assert.equal(remedyOf(new Error(`TransactionContext Error: Failed to commit: ${message}`)), "retry");
    assert.equal(
      remedyOf(new Error(`FATAL Error: Failed to create checkpoint because of error: ${message}`)),
      "reopen",
    );
    assert.equal(
      remedyOf(new Error(`FATAL Error: Failed: database has been invalidated because of a previous fatal error`)),
      "delete",
    );
    assert.equal(remedyOf(new Error(`IO Error: Could not set lock on file "/r.duckdb"`)), "retry");
    assert.equal(remedyOf(new Error(`index "logs_pkey" contains corrupted page at block 7`)), "retry");
  });

  test("is used where a checkpoint needs more than the memory limit", async (t) => {
    const log = await createTestLog(t, "sqlite");
    await addEntries(log, 140_000);
    await assertSameAsDatabase(
      log,
      log.start({ start: { ...log.started, settings: { memoryMegabytes: 32, threads: 1 } } }),
    );
    assert.deepEqual(log.messages, []);
  });
});
