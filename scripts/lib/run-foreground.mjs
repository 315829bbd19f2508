import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { fromRoot, repositoryRoot } from "./repository.mjs";

const isWindows = process.platform === "win32";
const repeatWithinMs = 1_000;
const checkMs = 1_000;
/** @type {NodeJS.Signals[]} */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Runs a TypeScript program of the repository in the foreground until it ends, and ends this process the same way (exit code or
 * signal). Ctrl-C and signals reach the program once each; it ends as well when this process or the npm above it is killed.
 * @param {string} node path of the Node to use
 * @param {string} program path relative to the repository
 * @param {string[]} programArguments
 */
export function runForeground(node, program, programArguments = []) {
  // Compiled modules are kept for the next start, which then takes little more than half as long.
  const env = { NODE_COMPILE_CACHE: fromRoot(".cache", "compiled"), ...process.env };
  const child = spawn(
    node,
    [
      "--disable-warning=ExperimentalWarning",
      `--import=${pathToFileURL(fromRoot("scripts", "lib", "exit-with-parent.mjs")).href}`,
      fromRoot(program),
      ...programArguments,
    ],
    // A group of its own keeps Ctrl-C from arriving twice, from the terminal and from here: the second means "at once".
    { cwd: repositoryRoot, env, stdio: ["inherit", "inherit", "inherit", "ipc"], detached: !isWindows },
  );
  if (!isWindows) passSignalsOn(child);
  child.on("error", (error) => {
    console.error(`${program} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const name of endingSignals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

/**
 * npm repeats a signal that reached the whole group, so a repetition within a second is the same one. The end of npm counts as a
 * signal when none has come before.
 * @param {import("node:child_process").ChildProcess} child
 */
function passSignalsOn(child) {
  let lastMs = -Infinity;
  /** @param {NodeJS.Signals} signal */
  function passOn(signal) {
    const nowMs = performance.now();
    // A terminal that closes is a reason to stop in good order, not to die.
    if (nowMs - lastMs > repeatWithinMs) child.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
    lastMs = nowMs;
  }
  for (const signal of endingSignals) process.on(signal, passOn);
  whenNpmIsGone(() => {
    if (lastMs === -Infinity) passOn("SIGTERM");
  });
}

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
