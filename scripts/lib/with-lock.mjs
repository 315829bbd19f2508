import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const heartbeatMs = 2_000;
const staleAfterMs = 20_000;
const retryMs = 200;

/**
 * Runs a job while holding a lock file, so that two processes never do it at once. A lock whose owner stopped refreshing it
 * (killed, machine switched off) is taken over after 20 s, after 6 s when its process is known to be gone.
 * @template T
 * @param {string} lockFile absolute path
 * @param {() => Promise<T>} job
 * @returns {Promise<T>} what the job returns
 */
export async function withLock(lockFile, job) {
  mkdirSync(path.dirname(lockFile), { recursive: true });
  const owner = JSON.stringify({ pid: process.pid, id: randomUUID() });
  while (!tryAcquire(lockFile, owner)) {
    if (!takeAwayWhenStale(lockFile)) await sleep(retryMs);
  }
  const heartbeat = setInterval(() => touch(lockFile), heartbeatMs);
  try {
    return await job();
  } finally {
    clearInterval(heartbeat);
    if (readOwner(lockFile) === owner) rmSync(lockFile, { force: true });
  }
}

/** @param {string} lockFile @param {string} owner */
function tryAcquire(lockFile, owner) {
  try {
    writeFileSync(lockFile, owner, { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes a dead owner's lock. The rename decides between several waiters; a lock that turns out to be a newer one is put back.
 * @param {string} lockFile
 */
function takeAwayWhenStale(lockFile) {
  const owner = readOwner(lockFile);
  if (owner === undefined) return true;
  if (!isStale(lockFile, owner)) return false;
  const aside = `${lockFile}.${randomUUID()}`;
  try {
    renameSync(lockFile, aside);
    if (readOwner(aside) !== owner) linkSync(aside, lockFile);
  } catch {
    // Another waiter was faster; the next round sees what it left.
  }
  rmSync(aside, { force: true });
  return true;
}

/** @param {string} lockFile @param {string} owner */
function isStale(lockFile, owner) {
  try {
    const silentMs = Date.now() - statSync(lockFile).mtimeMs;
    if (silentMs > staleAfterMs) return true;
    return silentMs > 3 * heartbeatMs && !isRunning(Number(JSON.parse(owner).pid));
  } catch {
    return false;
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** @param {string} lockFile */
function readOwner(lockFile) {
  try {
    return readFileSync(lockFile, "utf8");
  } catch {
    return undefined;
  }
}

/** @param {string} lockFile */
function touch(lockFile) {
  const now = new Date();
  try {
    utimesSync(lockFile, now, now);
  } catch {
    // The lock file was cleaned away with its folder; the job goes on.
  }
}
