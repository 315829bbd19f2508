import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorsOf, findDeadPaths } from "./find-dead-paths.mjs";

const repository = {
  files: new Set(["docs/a.md", "packages/x/README.md", "packages/x/src/read-x.ts"]),
  folders: new Set(["docs", "packages", "packages/x", "packages/x/src"]),
  commands: new Set(["check"]),
  headingsOf: () => anchorsOf("# How does it work?\n```\n# no heading\n```\n## Ten million entries\n"),
};

/** @param {string} text */
const deadIn = (text) =>
  findDeadPaths("docs/a.md", text, repository).map((finding) => /names (.*), which/.exec(finding)?.[1]);

test("paths, links, headings and commands that exist are no findings", () => {
  const text = [
    "`packages/x`, `packages/x/src/`, `src/`, `read-x.ts`, `src/read-x.ts`, `npm run check`, `x.y`, `*-tables.ts`",
    "[x](../packages/x/README.md) [a](#how-does-it-work) [b](a.md#ten-million-entries) [c](https://example.com/d.md)",
    "```ts\nlist[0](x)\n```",
  ].join("\n");
  assert.deepEqual(deadIn(text), []);
});

test("those that are gone are named", () => {
  const dead = ["packages/y/src", "gone/", "read-y.ts", "../y.md", "#no-heading", "a.md#how", "npm run chek"];
  const [folder, gone, file, link, heading, anchor, command] = dead;
  const text = `\`${folder}\` \`${gone}\` \`${file}\` [a](${link}) [b](${heading}) [c](${anchor}) ${command}`;
  assert.deepEqual(new Set(deadIn(text)), new Set(dead));
});
