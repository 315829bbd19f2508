import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutUnused, withoutUnusedColours } from "./drop-unused-styles.ts";

const used = new Set(["m_aaaaaaaa", "m_bbbbbbbb"]);

/** Each style sheet, and what is left of it. */
const cases: readonly [title: string, css: string, left: string][] = [
  ["a rule of a component in use stays", ".m_aaaaaaaa{color:red}", ".m_aaaaaaaa{color:red}"],
  ["a rule of another goes", ".m_aaaaaaaa{color:red}.m_cccccccc{color:red}", ".m_aaaaaaaa{color:red}"],
  ["of several selectors only the possible ones stay", ".m_cccccccc,.m_bbbbbbbb:hover{a:b}", ".m_bbbbbbbb:hover{a:b}"],
  ["both classes of a selector must be in use", ".m_aaaaaaaa .m_cccccccc{a:b}", ""],
  [
    "a class that must not be there does not count",
    ".m_aaaaaaaa:not(.m_cccccccc){a:b}",
    ".m_aaaaaaaa:not(.m_cccccccc){a:b}",
  ],
  ["nor one of several choices", ":where(.m_aaaaaaaa, .m_cccccccc) p{a:b}", ":where(.m_aaaaaaaa, .m_cccccccc) p{a:b}"],
  ["rules without such a class stay", "body,.page_ab12{a:b}", "body,.page_ab12{a:b}"],
  ["layers and media queries that become empty go", "@layer m{@media print{.m_cccccccc{a:b}}}", ""],
  ["keyframes stay", "@keyframes k{from{a:b}}", "@keyframes k{from{a:b}}"],
];

for (const [title, css, left] of cases) {
  test(title, () => assert.equal(withoutUnused(css, used), left));
}

/** Each style sheet, what else there is, and what is left of the sheet. */
const colourCases: readonly [title: string, css: string, other: string, left: string][] = [
  ["a palette colour that nothing asks for goes", "a{--mantine-color-teal-3:red;b:c}", "", "a{b:c}"],
  [
    "one that a script asks for stays",
    "a{--mantine-color-teal-3:red}",
    'f("var(--mantine-color-teal-3)")',
    "a{--mantine-color-teal-3:red}",
  ],
  [
    "with the last that asked for it a colour goes too",
    "a{--mantine-color-red-filled:var(--mantine-color-red-6);--mantine-color-red-6:red;b:c}",
    "",
    "a{b:c}",
  ],
  ["the shades of channel types stay", "a{--mantine-color-teal-9:red}", "", "a{--mantine-color-teal-9:red}"],
  ["greys and the accent stay", "a{--mantine-color-gray-3:red}", "", "a{--mantine-color-gray-3:red}"],
];

for (const [title, css, other, left] of colourCases) {
  test(title, () => assert.equal(withoutUnusedColours(css, [css, other]), left));
}
