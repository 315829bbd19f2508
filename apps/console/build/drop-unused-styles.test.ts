import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutUnused } from "./drop-unused-styles.ts";

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
