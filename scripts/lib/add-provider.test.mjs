import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { addProvider } from "./add-provider.mjs";
import { fromRoot, PlainError } from "./repository.mjs";

const changed = [
  "packages/contract/src/channels/channel-type-list.ts",
  "packages/providers/src/registry.ts",
  "packages/stub-server/src/stubs.ts",
  "apps/server/src/relay/translate/tests/provider-matrix.test.ts",
];

/** Who is asked about the list, and what both load. */
const asked = ["packages/contract/src/channels/channel-types.ts", "packages/contract/src/channels/channel-key.ts"];

/** A copy of what the generator changes. @param {import("node:test").TestContext} context */
function copyOfRepository(context) {
  const root = mkdtempSync(path.join(tmpdir(), "one-api-provider-"));
  context.after(() => rmSync(root, { recursive: true }));
  for (const file of [...changed, ...asked]) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    cpSync(fromRoot(file), path.join(root, file));
  }
  return { root, read: (/** @type {string} */ file) => readFileSync(path.join(root, file), "utf8") };
}

test("a new provider stands wherever one has to, and each file is still TypeScript", async (context) => {
  const { root, read } = copyOfRepository(context);
  const written = addProvider(root, "new-vendor", 99);
  assert.equal(written.length, changed.length + 3);
  for (const file of written) assert.doesNotThrow(() => stripTypeScriptTypes(read(file)), file);
  const types = await import(path.join(root, asked[0] ?? ""));
  assert.equal(types.channelTypeInfo(99).name, "new-vendor");
  assert.match(read("packages/providers/src/registry.ts"), /^ {2}"new-vendor": newVendor,$/m);
  assert.match(
    read("packages/providers/src/registry.ts"),
    /^import { newVendor } from ".\/vendors\/new-vendor\/vendor.ts";$/m,
  );
  assert.match(read("packages/stub-server/src/stubs.ts"), /^ {2}"new-vendor": newVendorStub,$/m);
  assert.match(
    read("apps/server/src/relay/translate/tests/provider-matrix.test.ts"),
    /type: 99, model: "new-vendor-model"/,
  );
});

test("what is there already is refused, and nothing is changed", (context) => {
  const { root, read } = copyOfRepository(context);
  const before = changed.map(read);
  for (const [name, type] of /** @type {const} */ ([
    ["ollama", 30],
    ["other", 30],
    ["Not A Name", 99],
  ])) {
    assert.throws(() => addProvider(root, name, type), PlainError);
  }
  assert.deepEqual(changed.map(read), before);
});
