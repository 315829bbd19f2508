import assert from "node:assert/strict";
import { test } from "node:test";
import { refusesSampling } from "./claude-reasoning.ts";

test("Claude's newest models refuse a temperature, whoever serves them, and older and other models do not", () => {
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
