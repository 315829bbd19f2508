import { spawn, spawnSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { repositoryRoot } from "./repository.mjs";

const killAfterMs = 5_000;
/** @type {NodeJS.Signals[]} */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * @typedef {object} CapturedRun
 * @property {boolean} ok true when the exit code is 0
 * @property {string} output standard output and error in the order they came, without colours
 * @property {string} ending how it ended, for people: `exit code 1`, `signal SIGKILL`, `stopped after 240 s without output`
 */

/**
 * Runs a command without a terminal and collects what it prints. It is stopped, with all that it started, when this process is.
 * @param {string} command
 * @param {string[]} commandArguments
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, idleLimitMs?: number }} [options]
 *   `idleLimitMs`: stop it when it prints nothing for so long
 * @returns {Promise<CapturedRun>}
 */
export function runCaptured(command, commandArguments, options = {}) {
  const { cwd = repositoryRoot, env = process.env, shell = false, idleLimitMs } = options;
  return new Promise((resolve) => {
    const child = spawn(command, commandArguments, {
      cwd,
      env,
      shell,
      stdio: ["ignore", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    let output = "";
    let stopped = "";
    const watchdog = idleLimitMs === undefined ? undefined : setTimeout(giveUp, idleLimitMs);
    const forgetChild = stopWithUs(child);

    function giveUp() {
      stopped = `stopped after ${Number(idleLimitMs) / 1000} s without output`;
      stopProcessTree(child.pid, "SIGTERM");
      setTimeout(() => stopProcessTree(child.pid, "SIGKILL"), killAfterMs).unref();
    }
    /** @param {Buffer} chunk */
    function collect(chunk) {
      output += chunk.toString();
      watchdog?.refresh();
    }
    /** @param {boolean} ok @param {string} ending */
    function finish(ok, ending) {
      clearTimeout(watchdog);
      forgetChild();
      resolve({ ok, output: stripVTControlCharacters(output), ending: stopped || ending });
    }

    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", (error) => finish(false, `${command} could not be started: ${error.message}`));
    child.on("close", (code, signal) => finish(code === 0, signal ? `signal ${signal}` : `exit code ${code}`));
  });
}

/**
 * A command in its own process group does not receive Ctrl-C, so it is forwarded before this process ends.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @returns {() => void} stops listening
 */
function stopWithUs(child) {
  /** @param {NodeJS.Signals} signal */
  function passOn(signal) {
    stopProcessTree(child.pid, "SIGTERM");
    forget();
    process.kill(process.pid, signal);
  }
  function forget() {
    for (const signal of endingSignals) process.off(signal, passOn);
  }
  for (const signal of endingSignals) process.on(signal, passOn);
  return forget;
}

/**
 * Signals a process that was started with `detached: true` and everything it started. Silent when it has ended already.
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 */
function stopProcessTree(pid, signal) {
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
