// npm run dev: the server restarting on changes, the console with hot reload, a stub server, and a seeded database of its own.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { prepare } from "./lib/prepare.mjs";
import { fromRoot, packageBin, PlainError, repositoryRoot, runMain } from "./lib/repository.mjs";
import { runCaptured } from "./lib/run-captured.mjs";
import { whenNpmIsGone } from "./lib/run-foreground.mjs";

const dataDir = fromRoot(".cache", "dev-data");
const killAfterMs = 5_000;
/** @type {NodeJS.Signals[]} */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"];
const quiet = "--disable-warning=ExperimentalWarning";

await runMain(async () => {
  const node = await prepare({ withConsole: false });
  const env = { ...process.env, PORT: "3000", DATA_DIR: dataDir };
  await seedWhenNew(node, env);
  const consoleFolder = fromRoot("apps", "console");
  const vite = packageBin("vite", { workspace: "apps/console" });
  const upstream = [quiet, "packages/stub-server/src/main.ts", "--port", "8400"];
  process.exitCode = await runTogether([
    {
      name: "server",
      command: node,
      arguments: [quiet, "--watch", "apps/server/src/main.ts"],
      cwd: repositoryRoot,
      env,
    },
    { name: "console", command: node, arguments: [vite, "--port", "5173", "--strictPort"], cwd: consoleFolder, env },
    { name: "upstream", command: node, arguments: upstream, cwd: repositoryRoot, env },
  ]);
});

/** @param {string} node @param {NodeJS.ProcessEnv} env */
async function seedWhenNew(node, env) {
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) return;
  console.log("Filling the development database with samples (first time)…");
  const run = await runCaptured(node, [quiet, "apps/server/src/demo/seed-demo.ts"], { env });
  if (run.ok) return;
  rmSync(dataDir, { recursive: true, force: true });
  throw new PlainError(
    `${run.output}\nThe development database could not be filled (${run.ending}); the output is above.`,
  );
}

/**
 * @typedef {object} Program
 * @property {string} name shown before each of its lines
 * @property {string} command
 * @property {string[]} arguments
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * Runs programs until one ends, Ctrl-C, or the end of the npm above, then stops all. They share our process group, so
 * killing the group leaves none behind.
 * @param {Program[]} programs
 * @returns {Promise<number>} exit code: 0 after Ctrl-C, 1 when a program ended
 */
async function runTogether(programs) {
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

/**
 * @param {import("node:stream").Readable} stream
 * @param {string} label
 */
function prefixLines(stream, label) {
  createInterface({ input: stream }).on("line", (line) => console.log(`${label} ${line}`));
}
