import assert from "node:assert/strict";
import { test } from "node:test";
import { claudeThinkingOf, needsResponses, refusesSampling, responsesOnlyOf } from "./api-facts.ts";

test("Claude's newest models refuse a temperature at every vendor; older and other models do not", () => {
  const older = [
    "claude-2.1",
    "claude-3-5-sonnet-latest",
    "claude-opus-4-20250514",
    "claude-opus-4-1@20250805",
    "claude-sonnet-4-5",
    "eu.anthropic.claude-haiku-4-5-20251001-v1:0",
    "global.anthropic.claude-opus-4-6-v1",
    "deepseek-v4",
  ];
  const newest = [
    "claude-opus-4-7",
    "anthropic.claude-opus-4-8",
    "claude-sonnet-5",
    "claude-opus-5-5@20260922",
    "claude-fable-5-1",
  ];
  assert.deepEqual(older.filter(refusesSampling), []);
  assert.deepEqual(newest.filter(refusesSampling), newest);
});

test("Claude thinks by budget, adaptively or not at all, at every vendor", () => {
  const rows = [
    ["claude-3-5-sonnet-latest", "none"],
    ["anthropic.claude-v2", "none"],
    ["claude-3-7-sonnet", "budget"],
    ["claude-opus-4-1@20250805", "budget"],
    ["eu.anthropic.claude-haiku-4-5-20251001-v1:0", "budget"],
    ["claude-sonnet-4-6", "either"],
    ["global.anthropic.claude-opus-4-6-v1", "either"],
    ["claude-opus-4-7", "adaptive"],
    ["claude-fable-5-1", "adaptive"],
  ] as const;
  for (const [model, thinking] of rows) assert.equal(claudeThinkingOf(model), thinking, model);
});

test("OpenAI's models answer by chat completions, by Responses alone, or by Responses with tools", () => {
  const rows = [
    ["gpt-4.1", "never"],
    ["gpt-5", "never"],
    ["gpt-5.1", "never"],
    ["gpt-5.3-chat-latest", "never"],
    ["gpt-5.4", "tools-with-effort"],
    ["openai/gpt-5.4-mini", "tools-with-effort"],
    ["gpt-5.5-2026-04-23", "tools-with-effort"],
    ["gpt-5.6-sol", "tools"],
    ["gpt-6.2-sol", "tools"],
    ["gpt-5.4-pro", "always"],
    ["gpt-5.3-codex", "always"],
    ["o3-pro", "always"],
    // The list of endpoints has these.
    ["codex-mini-latest", "always"],
    ["o4-mini-deep-research", "always"],
    ["gpt-5.2", "never"],
    // Newer than that list.
    ["gpt-6.1-luna", "tools"],
    ["gpt-5.10", "tools"],
    ["gpt-6-pro", "tools"],
    ["gpt-7-chat-latest", "never"],
    ["gpt-4.5", "never"],
    ["claude-fable-5-2", "never"],
    ["grok-4.6", "never"],
  ] as const;
  for (const [model, when] of rows) assert.equal(responsesOnlyOf(model), when, model);
  assert.deepEqual(
    (["none", "unsaid", "asked"] as const).map((reasoning) => [
      needsResponses("gpt-4.1", reasoning),
      needsResponses("gpt-5.4", reasoning),
      needsResponses("gpt-5.6-sol", reasoning),
      needsResponses("o3-pro", reasoning),
    ]),
    [
      [false, false, false, true],
      [false, false, true, true],
      [false, true, true, true],
    ],
  );
});
