// What lint does not say of the server as a whole: which of its files may start a process, and that none loads code by a name from outside.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fromRoot, repositoryFiles } from "../lib/repository.mjs";

/** Workers, the log store's process and the comparison of balances run files of the repository; V8 is told to collect its garbage. */
const ALLOWED = [
  "apps/server/src/monitoring/balance-check.ts: node:child_process",
  "apps/server/src/platform/runtime-tuning.ts: node:vm",
  "apps/server/src/workers/run-workers.ts: node:child_process",
  "packages/log-store/src/start-log-store.ts: node:child_process",
];
const RUNS_CODE = /["'](?:node:)?(child_process|vm|repl|inspector|cluster)(?:\/promises)?["']/g;
/** A dynamic import of anything but a text that stands there. */
const LOADS_BY_NAME =
  /\bimport\((?!\s*["'][^"'$]+["']\s*\))|\brequire\(|\bcreateRequire\b|(?<!\.)\beval\(|\bnew Function\b/g;
const notOfTheServer =
  /\.test\.ts$|\/testing\/|\/stub\/|\/stub-kit\/|^packages\/stub-server\/|^apps\/server\/src\/demo\//;

const files = repositoryFiles(["apps/server/src", "packages"]).filter(
  (file) => file.endsWith(".ts") && /\/src\//.test(file) && !notOfTheServer.test(file),
);

test("[V31] the server starts no programs but its own processes", () => {
  assert.ok(files.length > 300);
  const found = files.flatMap((file) =>
    [...readFileSync(fromRoot(file), "utf8").matchAll(RUNS_CODE)].map(([, name]) => `${file}: node:${name}`),
  );
  assert.deepEqual([...new Set(found)], ALLOWED);
});

test("[V31] the server loads and evaluates no code by a computed name", () => {
  const found = files.flatMap((file) =>
    [...withoutComments(readFileSync(fromRoot(file), "utf8")).matchAll(LOADS_BY_NAME)].map(
      ([text]) => `${file}: ${text}`,
    ),
  );
  assert.deepEqual(found, []);
});

/** @param {string} text */
function withoutComments(text) {
  return text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "");
}
