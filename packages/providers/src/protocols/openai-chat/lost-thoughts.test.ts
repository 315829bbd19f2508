import assert from "node:assert/strict";
import { test } from "node:test";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import { providerOf } from "../../registry.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { anthropicMessages } from "../anthropic-messages/anthropic-messages.ts";

const hi = { role: "user", content: "Hi" };
const call = { type: "tool_use", id: "c1", name: "f", input: {} };
const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "r" }] };
const thought = { type: "thinking", thinking: "I ponder", signature: "" };
const turn = (...content: readonly JsonRecord[]) => [{ role: "assistant", content: [...content, call] }, result];

/** The written reasoning options and the dropped fields. */
function told(typeName: string, model: string, messages: readonly JsonRecord[], more: JsonRecord = {}): unknown {
  const type = CHANNEL_TYPES.find(({ name }) => name === typeName)?.type ?? -1;
  const served = providerOf(type)?.serve("chat-completions", model)?.format.chat;
  const request = anthropicMessages("2023-06-01").chat?.readRequest({ model, max_tokens: 9_000, messages, ...more });
  assert.ok(served !== undefined && request !== undefined);
  const { body, dropped } = served.writeRequest(request);
  return [body["thinking"], dropped];
}

test("a model that requires its thoughts does not think if the caller has dropped one, and the option is named", () => {
  const asked = { thinking: { type: "enabled", budget_tokens: 2_000 } };
  for (const [typeName, model] of [
    ["deepseek", "deepseek-v4-pro"],
    ["moonshot", "kimi-k2.6"],
  ] as const) {
    const thinking = typeName === "deepseek" ? { type: "enabled" } : undefined;
    const named = typeName === "deepseek" ? [] : ["reasoning"];
    assert.deepEqual(told(typeName, model, [hi, ...turn(thought)], asked), [thinking, named], model);
    assert.deepEqual(told(typeName, model, [hi, { role: "assistant", content: "Hi" }, hi], asked), [thinking, named]);
    const off = { type: "disabled" };
    assert.deepEqual(told(typeName, model, [hi, ...turn()], asked), [off, ["reasoning"]], model);
    assert.deepEqual(told(typeName, model, [hi, ...turn()]), [off, []], model);
    assert.deepEqual(told(typeName, model, [hi, ...turn(), hi, ...turn(thought)]), [off, []], model);
  }
  assert.deepEqual(told("moonshot", "moonshot-v1-8k", [hi, ...turn()]), [undefined, []]);
  assert.deepEqual(told("zhipu", "glm-5", [hi, ...turn()], asked), [{ type: "enabled" }, []]);
});
