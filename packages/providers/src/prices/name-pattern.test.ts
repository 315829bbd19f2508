import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compilePattern } from "./name-pattern.ts";
import { PatternError } from "./parse-pattern.ts";

/** Patterns of published lists, and one for each form of the grammar. */
const PATTERNS = [
  "^o[134]",
  String.raw`^gpt-5\.6-luna-\d{4}-\d{2}-\d{2}$`,
  String.raw`^(?!.*-[tT][tT][sS](?:$|-))`,
  String.raw`^(?![^/]+/)(?:labs-)?(?:(?:mi|code|dev|magi|mini)stral|mixtral|pixtral|open-(?:mistral|mixtral))`,
  "^(?=gpt).*mini$",
  "a|^b|c$",
  "(ab)*c",
  "(?:a|b){2,3}$",
  "a{2,}b+?c??",
  "(a*)*b",
  "x()y|",
  "^$",
  String.raw`[^\d-]\w\W\s?\S\D`,
  String.raw`[a-c\-.\]]+[x-]`,
  ".-.",
  "(^a|b$)",
];

const NAMES = [
  "",
  "o3",
  "o5",
  "gpt-5.6-luna-2026-11-20",
  "gpt-5x6-luna-2026-11-20",
  "gemini-2.5-flash-tts",
  "gemini-2.5-flash-tts-preview",
  "gemini-tts2",
  "mistral-large",
  "labs-devstral-small",
  "mistralai/mistral-large",
  "open-mixtral-8x7b",
  "gpt-4o-mini",
  "a-mini",
  "b",
  "ab",
  "cab",
  "aabab",
  "aaabbbc",
  "xy",
  "abc-].x",
  "a1-_ b.c",
  "ba",
];

describe("a pattern of names", () => {
  it("matches what the same regular expression matches", () => {
    for (const text of PATTERNS) {
      const [pattern, expression] = [compilePattern(text), new RegExp(text)];
      for (const name of NAMES) assert.equal(pattern.test(name), expression.test(name), `${text} on "${name}"`);
    }
  });

  it("is as fast on a name that almost matches, with any alternatives", () => {
    const name = "a".repeat(256);
    const wide = [
      `^${"(.|.)".repeat(55)}!$`,
      "^(a+)+$b",
      "^(a|aa)+$b",
      "(a*)*b",
      "(.*)(.*)(.*)(.*)(.*)b",
      `${"a?".repeat(50)}b`,
      "^(?!(a|a|a)*b)(a|a)*b",
    ];
    for (const text of wide) assert.equal(compilePattern(text).test(name), false, text);
  });

  it("is refused outside of the grammar, with the reason", () => {
    const refused: readonly (readonly [string, RegExp])[] = [
      ["", /empty/],
      ["(a", /without its \)/],
      ["a)", /without its \(/],
      ["[a", /too early/],
      ["[z-a]", /range/],
      ["a**", /repetition of nothing/],
      ["*a", /needs a/],
      ["a{2,1}", /count/],
      ["a{999}", /count/],
      ["a{x}", /repetition of nothing/],
      [String.raw`(a)\1`, /unknown escape/],
      [String.raw`\bword`, /unknown escape/],
      [String.raw`\p{L}`, /unknown escape/],
      ["a\\", /too early/],
      ["^(?<!x)a", /group/],
      ["a(?=b)", /group/],
      ["(?<name>a)", /group/],
      ["(?i:a)", /group/],
      ["^(?!a)b|c", /condition/],
      ["((a{100}){100}){100}", /written out/],
    ];
    for (const [text, reason] of refused)
      assert.throws(
        () => compilePattern(text),
        (error) => error instanceof PatternError && reason.test(error.message),
        text,
      );
  });
});
