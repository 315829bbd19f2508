// Where packages come from, and what they may do when they are installed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fromRoot, repositoryFiles } from "../lib/repository.mjs";

const MOST_RUNTIME_PACKAGES = 40;
const REGISTRY = "https://registry.npmjs.org/";

/** @type {{ packages: Record<string, { link?: boolean, integrity?: string, resolved?: string }> }} */
const lock = JSON.parse(readFileSync(fromRoot("package-lock.json"), "utf8"));
const foreign = Object.entries(lock.packages).filter(
  ([place, { link }]) => place.includes("node_modules/") && link !== true,
);

test("[V40] every package of the lock file has the checksum of its content, and comes from npm's registry", () => {
  assert.ok(foreign.length > 300);
  const unchecked = foreign.filter(
    ([, { integrity = "", resolved = REGISTRY }]) => !integrity.startsWith("sha512-") || !resolved.startsWith(REGISTRY),
  );
  assert.deepEqual(unchecked, []);
});

test("[V40] no package runs a script when it is installed", () => {
  assert.match(readFileSync(fromRoot(".npmrc"), "utf8"), /^ignore-scripts=true$/m);
});

test(`[V40] the server has at most ${MOST_RUNTIME_PACKAGES} direct dependencies`, () => {
  const manifests = repositoryFiles(["apps/server/package.json", "packages"]).filter(
    (file) => /^(?:apps|packages)\/[^/]+\/package\.json$/.test(file) && !file.startsWith("packages/stub-server/"),
  );
  const names = manifests.flatMap((file) => {
    /** @type {{ dependencies?: Record<string, string> }} */
    const { dependencies = {} } = JSON.parse(readFileSync(fromRoot(file), "utf8"));
    return Object.keys(dependencies);
  });
  const packages = new Set(names.filter((name) => !name.startsWith("@one-api/")));
  assert.ok(packages.size > 10);
  assert.ok(packages.size <= MOST_RUNTIME_PACKAGES, `${packages.size}: ${[...packages].join(", ")}`);
});
