import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { withLock } from "./with-lock.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "one-api-lock-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("jobs under one lock never overlap, and the lock is gone afterwards", async () => {
  const lockFile = path.join(folder, "jobs.lock");
  let running = 0;
  let most = 0;
  const jobs = Array.from({ length: 5 }, () =>
    withLock(lockFile, async () => {
      most = Math.max(most, ++running);
      await sleep(20);
      running--;
    }),
  );
  await Promise.all(jobs);
  assert.equal(most, 1);
  assert.equal(existsSync(lockFile), false);
});

test("the lock is released when the job fails", async () => {
  const lockFile = path.join(folder, "failing.lock");
  await assert.rejects(
    withLock(lockFile, () => Promise.reject(new Error("broken"))),
    /broken/,
  );
  assert.equal(await withLock(lockFile, async () => "free"), "free");
});

test("a lock that a killed process left behind is taken over by one waiter at a time", async () => {
  const lockFile = path.join(folder, "stale.lock");
  const gone = spawnSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" });
  writeFileSync(lockFile, JSON.stringify({ pid: Number(gone.stdout), id: "dead" }));
  const longAgo = new Date(Date.now() - 10_000);
  utimesSync(lockFile, longAgo, longAgo);
  let running = 0;
  let most = 0;
  const job = async () => {
    most = Math.max(most, ++running);
    await sleep(10);
    running--;
  };
  await Promise.all([withLock(lockFile, job), withLock(lockFile, job), withLock(lockFile, job)]);
  assert.equal(most, 1);
});
