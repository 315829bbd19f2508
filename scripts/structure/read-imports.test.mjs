import assert from "node:assert/strict";
import { test } from "node:test";
import { readImports } from "./read-imports.mjs";

test("reads every form of import with its line", () => {
  const source = [
    'import a from "a";',
    "import {",
    "  b,",
    "  type C,",
    "} from 'b';",
    'import type { D } from "d";',
    'import * as e from "e";',
    'import "f";',
    'export * from "g";',
    'export { h } from "h";',
    'const i = await import("i");',
    'type J = import("j").J;',
    'const k = require("k");',
  ].join("\n");
  const found = readImports(source).map(({ specifier, line }) => `${specifier}:${line}`);
  assert.deepEqual(found.sort(), ["a:1", "b:5", "d:6", "e:7", "f:8", "g:9", "h:10", "i:11", "j:12", "k:13"]);
});

test("does not read comments, strings, templates and regular expressions", () => {
  const source = [
    '// import a from "a";',
    '/* import b from "b"; */',
    "const c = 'import c from \"c\"';",
    'const d = `import d from "d"; ${text(`import "e"`)} import "f"`;',
    'const quotes = /["\'`]/; // import "g"',
    "const half = total / 2; const other = `half`;",
    'import real from "real";',
    "const page = <p>Don't import</p>;",
    'import last from "last";',
  ].join("\n");
  assert.deepEqual(
    readImports(source).map(({ specifier }) => specifier),
    ["real", "last"],
  );
});

test("code inside a template's placeholder is code", () => {
  const source = 'const a = `x ${await import("inner")} y`;';
  assert.deepEqual(
    readImports(source).map(({ specifier }) => specifier),
    ["inner"],
  );
});
