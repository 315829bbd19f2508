import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { anthropicMessages } from "../anthropic-messages/anthropic-messages.ts";
import { openAiChat } from "./openai-chat.ts";

const tools = [{ name: "f", input_schema: { type: "object", properties: {} } }];
const thinks = { thinking: { type: "adaptive" }, output_config: { effort: "high" } };
const off = { thinking: { type: "disabled" } };

/** The written effort and the dropped fields. */
function told(model: string, more: JsonRecord): unknown {
  const messages = [{ role: "user", content: "Hi" }];
  const request = anthropicMessages("2023-06-01").chat?.readRequest({ model, max_tokens: 50, messages, ...more });
  assert.ok(request !== undefined);
  const written = openAiChat().chat?.writeRequest(request);
  return [written?.body["reasoning_effort"], written?.dropped];
}

test("a model that refuses tools while reasoning does not reason if its server has no Responses API", () => {
  assert.deepEqual(told("gpt-5.4", { tools, ...thinks }), ["none", ["reasoning"]]);
  assert.deepEqual(told("gpt-5.4", { tools }), [undefined, []]);
  assert.deepEqual(told("gpt-5.4", { tools, ...off }), ["none", []]);
  assert.deepEqual(told("gpt-5.6-sol", { tools, ...thinks }), ["none", ["reasoning"]]);
  assert.deepEqual(told("gpt-5.6-sol", { tools }), ["none", []]);
  assert.deepEqual(told("gpt-5.6-sol", { tools, ...off }), ["none", []]);
});

test("every other request retains its effort", () => {
  assert.deepEqual(told("gpt-5.6-sol", thinks), ["high", []]);
  assert.deepEqual(told("gpt-5", { tools, ...thinks }), ["high", []]);
  assert.deepEqual(told("gpt-4.1", { tools }), [undefined, []]);
});
