import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fromRoot, repositoryFiles } from "./repository.mjs";
import { suites } from "../suites/suites.mjs";

const bundled = `node_modules/node-${process.platform}-${process.arch}/bin/node`;

/** What npm would bring: the Node that runs the sources and Vite, both told apart by what they print. */
const npm = `
  const { mkdirSync, symlinkSync, writeFileSync } = require("node:fs");
  console.error("npm", process.argv.slice(2).join(" "));
  mkdirSync("${path.dirname(bundled)}", { recursive: true });
  symlinkSync(${JSON.stringify(process.execPath)}, "${bundled}");
  mkdirSync("node_modules/vite");
  writeFileSync("node_modules/vite/package.json", '{"bin":{"vite":"vite.mjs"}}');
  writeFileSync("node_modules/vite/vite.mjs", "");
`;

/** A clone of a small repository that has this one's scripts. @param {import("node:test").TestContext} t */
function makeClone(t) {
  const root = mkdtempSync(path.join(os.tmpdir(), "one-api-clone-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ["lib", "suites"])
    cpSync(fromRoot("scripts", folder), path.join(root, "scripts", folder), { recursive: true });
  for (const name of ["run.mjs", "test.mjs"]) cpSync(fromRoot("scripts", name), path.join(root, "scripts", name));
  const files = {
    "package.json": '{"workspaces":["apps/*"]}',
    "package-lock.json": '{"packages":{}}',
    "npm.js": npm,
    "apps/console/package.json": "{}",
    "apps/console/src/main.tsx": "// the console",
    "packages/contract/package.json": "{}",
    "apps/server/src/main.ts": "const started: string = process.version; console.log(`served by ${started}`);",
  };
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  /** Runs a script as npm does, with the Node that the machine has. @param {string[]} words */
  const run = (...words) => {
    const env = { ...process.env, npm_execpath: path.join(root, "npm.js"), npm_node_execpath: process.execPath };
    const { stdout, status } = spawnSync("node", words, { cwd: root, encoding: "utf8", env, timeout: 120_000 });
    return { lines: stdout.trimEnd().split("\n"), status };
  };
  return { run, write };
}

test("[START-11] [START-12] [START-15] [START-16] [START-17] a fresh clone installs what is missing, builds the console and serves by the Node that npm brought; the next start does only what is stale", (t) => {
  const { run, write } = makeClone(t);
  const served = `served by ${process.version}`;
  const first = ["Installing dependencies (first start)…", "Building the console…", served];
  assert.deepEqual(run("scripts/run.mjs", "start"), { lines: first, status: 0 });
  assert.deepEqual(run("scripts/run.mjs", "start"), { lines: [served], status: 0 });
  write("apps/console/src/main.tsx", "// a changed console");
  assert.deepEqual(run("scripts/run.mjs", "start"), { lines: ["Building the console…", served], status: 0 });
});

test("[START-17] npm brings Node 24 for each kind of machine", () => {
  /** @type {{ optionalDependencies: Record<string, string> }} */
  const { optionalDependencies } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8"));
  const nodes = Object.entries(optionalDependencies).filter(([name]) => name.startsWith("node-"));
  assert.ok(nodes.length >= 4);
  for (const [name, version] of nodes) assert.match(version, /^\^24\./, name);
});

test("[START-14] every test file, those for a browser too, belongs to exactly one suite", () => {
  const folders = ["apps", "packages", "scripts", "bench", "e2e"];
  const all = repositoryFiles(folders).filter((file) => /\.(?:test|spec)\.(?:ts|tsx|mjs)$/.test(file));
  const run = suites.flatMap((suite) => suite.files([])).filter((file) => file !== "scripts/check.mjs");
  assert.deepEqual(run.sort(), all.sort());
  assert.ok(suites.find(({ name }) => name === "journeys")?.files([]).length);
});
