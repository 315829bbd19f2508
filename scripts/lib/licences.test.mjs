import assert from "node:assert/strict";
import { test } from "node:test";
import { isAllowed, licenceOf } from "./licences.mjs";
import { foreignComponents, readSbom } from "./read-sbom.mjs";

test("licences are judged by their SPDX expression", () => {
  for (const licence of ["MIT", "(MPL-2.0 OR GPL-3.0-only)", "MIT AND ISC"]) assert.ok(isAllowed(licence), licence);
  for (const licence of ["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "(MIT AND (GPL-3.0-only OR ISC))"])
    assert.ok(!isAllowed(licence), licence);
});

test("everything shipped has an allowed licence, and nothing of the tests is shipped", () => {
  const components = foreignComponents(readSbom());
  assert.deepEqual(
    components.filter((component) => !isAllowed(licenceOf(component))).map(({ name }) => name),
    [],
  );
  const names = components.map(({ name }) => name);
  for (const name of ["fastify", "react"]) assert.ok(names.includes(name), name);
  for (const name of ["oidc-provider", "vite", "typescript", "openai"]) assert.ok(!names.includes(name), name);
});
