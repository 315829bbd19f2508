import { spawn } from "node:child_process";
import { prefixLines } from "./prefix-lines.mjs";
import { whenNpmIsGone } from "./when-npm-is-gone.mjs";

const killAfterMs = 5_000;
/** @type {NodeJS.Signals[]} */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * @typedef {object} Program
 * @property {string} name shown before each of its lines
 * @property {string} command
 * @property {string[]} arguments
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * Runs several programs until one ends, Ctrl-C, or the end of the npm above, then stops them all. They share our process group, so that killing the group
 * leaves none behind.
 * @param {Program[]} programs
 * @returns {Promise<number>} exit code: 0 after Ctrl-C, 1 when a program ended by itself
 */
export async function runTogether(programs) {
  const width = Math.max(...programs.map((program) => program.name.length));
  const children = programs.map((program) => startProgram(program, `${program.name.padEnd(width)} |`));
  const firstEnding = Promise.race(children.map((child, index) => endOf(child, programs[index]?.name ?? "")));
  const stopped = new Promise((resolve) => {
    for (const signal of endingSignals) process.once(signal, () => resolve(undefined));
    whenNpmIsGone(() => resolve(undefined));
  });
  const ending = await Promise.race([firstEnding, stopped]);
  if (typeof ending === "string") console.error(ending);
  await Promise.all(children.map(stopChild));
  return typeof ending === "string" ? 1 : 0;
}

/** @param {Program} program @param {string} label */
function startProgram(program, label) {
  const child = spawn(program.command, program.arguments, {
    cwd: program.cwd,
    env: program.env,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  prefixLines(child.stdout, label);
  prefixLines(child.stderr, label);
  return child;
}

/** @param {import("node:child_process").ChildProcess} child @param {string} name @returns {Promise<string>} */
function endOf(child, name) {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`${name} could not be started: ${error.message}`));
    child.once("exit", (code, signal) =>
      resolve(`${name} ended (${signal ?? `exit code ${code}`}); stopping the others.`),
    );
  });
}

/** @param {import("node:child_process").ChildProcess} child */
async function stopChild(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const lastResort = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  await exited;
  clearTimeout(lastResort);
}
