import assert from "node:assert/strict";
import { test } from "node:test";
import { findRawSizes } from "./find-raw-sizes.mjs";

const refused = [
  "font-size: 13px",
  "font: 600 14px/20px var(--mono)",
  "gap: 8px 16px",
  "padding: 0 var(--mantine-spacing-xs) 0.5rem",
  "margin-top: -12px",
  "border-radius: 999px",
  "border-top-left-radius: 4px",
  "padding: calc(100% - 10px)",
];
const passing = [
  "font-size: var(--mantine-font-size-sm)",
  "padding: 0 var(--mantine-spacing-xs)",
  "margin: 0 auto",
  "margin-bottom: -1px",
  "padding: 2px",
  "gap: calc(var(--mantine-spacing-xs) / 2)",
  "font-size: 0.92em",
  "border-radius: 50%",
  "border-radius: var(--radius, var(--mantine-radius-sm, 4px))",
  "width: 320px",
  "border: 1px solid",
];

for (const declaration of refused) {
  test(`refused: ${declaration}`, () => {
    const found = findRawSizes("a.css", `.a {\n  color: red;\n  ${declaration};\n}\n`);
    assert.equal(found.length, 1);
    assert.match(found[0] ?? "", /^a\.css:3 /);
  });
}

for (const declaration of passing) {
  test(`fine: ${declaration}`, () => assert.deepEqual(findRawSizes("a.css", `.a { ${declaration} }`), []));
}

test("comments are not read, nested rules are", () => {
  const css = "/* gap: 8px; */\n.a {\n  &:hover { gap: 3px; }\n  @media (min-width: 40em) { padding: 4px }\n}";
  assert.deepEqual(
    findRawSizes("a.css", css).map((line) => line.split(" ")[0]),
    ["a.css:3", "a.css:4"],
  );
});
