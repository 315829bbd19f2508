import { spawnSync } from "node:child_process";

/**
 * Signals a process that was started with `detached: true` and everything it started. Silent when it has ended already.
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 */
export function stopProcessTree(pid, signal) {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended between our decision and the signal.
  }
}
