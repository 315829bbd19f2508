import { readFileSync } from "node:fs";

const checkMs = 1_000;

/**
 * Calls back once when the npm that started this script has ended without passing a signal on (kill -9): its child is then adopted
 * by another process. Does nothing for a script that was started without npm.
 * @param {() => void} callback
 */
export function whenNpmIsGone(callback) {
  if (process.env["npm_lifecycle_event"] === undefined || process.platform === "win32") return;
  const before = ancestry();
  const timer = setInterval(() => {
    if (ancestry() === before) return;
    clearInterval(timer);
    callback();
  }, checkMs);
  timer.unref();
}

/** Our parent, and the parent of that one where it is the shell that some systems keep between npm and its script. */
function ancestry() {
  const parent = process.ppid;
  try {
    const [, name = "", parentOfParent = ""] =
      /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, "utf8")) ?? [];
    return /^(?:ba|da|a)?sh$/.test(name) ? `${parent} ${parentOfParent}` : `${parent}`;
  } catch {
    return `${parent}`;
  }
}
