import assert from "node:assert/strict";
import { test } from "node:test";
import { callOf, connectionTo } from "../../testing/call-provider.ts";

test("PaLM 2 is replaced by another model at the same address; current models are unchanged", () => {
  const urlWith = (model: string) => callOf(11, connectionTo(""), "chat-completions", {}, model).address.url;
  const base = "https://generativelanguage.googleapis.com/v1beta/models";
  assert.deepEqual(
    ["PaLM-2", "chat-bison-001", "gemini-3-flash-preview"].map(urlWith),
    ["gemini-3.5-flash-lite", "gemini-3.5-flash-lite", "gemini-3-flash-preview"].map(
      (m) => `${base}/${m}:generateContent`,
    ),
  );
});
