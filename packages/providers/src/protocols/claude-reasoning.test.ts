import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChatRequest } from "../neutral/chat-request.ts";
import type { JsonRecord } from "../shared/json-fields.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { writeReasoning } from "./claude-reasoning.ts";

const BY_BUDGET = "claude-haiku-4-5";
const ADAPTIVE = "claude-sonnet-4-6";
const user = { role: "user", content: "Hi" };
const thought = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
const foreign = { type: "thinking", thinking: "Hm.", signature: "" };
const said = { type: "text", text: "Looking." };
const call = { type: "tool_use", id: "c1", name: "f", input: {} };
const result = { type: "tool_result", tool_use_id: "c1", content: "r" };

function ask(model: string, messages: readonly JsonRecord[], more: JsonRecord = {}): ChatRequest {
  const read = anthropicMessages("2023-06-01").chat?.readRequest({
    model,
    messages,
    max_tokens: 20_000,
    output_config: { effort: "medium" },
    ...more,
  });
  assert.ok(read !== undefined);
  return read;
}

function thinkingOf(request: ChatRequest): readonly [unknown, readonly string[]] {
  const dropped: string[] = [];
  const { thinking } = writeReasoning(request, 20_000, (name) => void dropped.push(name));
  return [thinking?.type, dropped];
}

const assistant = (...content: readonly JsonRecord[]) => ({ role: "assistant", content });
const results = (...content: readonly JsonRecord[]) => ({ role: "user", content: [result, ...content] });

describe("whether Claude may think in a conversation with calls", () => {
  const turns: readonly (readonly [string, readonly JsonRecord[], boolean])[] = [
    ["a new turn", [user], true],
    ["a turn that ended without calls", [user, assistant(said), user], true],
    ["a thought in front of the call", [user, assistant(thought, said, call), results()], true],
    [
      "a hidden thought in front",
      [user, assistant({ type: "redacted_thinking", data: "aGlk" }, call), results()],
      true,
    ],
    ["a call without a thought", [user, assistant(call), results()], false],
    ["a thought of another provider", [user, assistant(foreign, call), results()], false],
    ["a thought behind the text", [user, assistant(said, thought, call), results()], false],
    ["a thought of another provider in front of its own", [user, assistant(foreign, thought, call), results()], true],
    ["a user's words behind the result", [user, assistant(said, call), results(said)], false],
    ["a user's message behind the result", [user, assistant(said, call), results(), user], false],
    ["a thought in the first message of a joined turn", [user, assistant(thought), assistant(call), results()], true],
    [
      "thoughts of an earlier step alone",
      [user, assistant(thought, call), results(), assistant(call), results()],
      false,
    ],
    [
      "an earlier step without a thought",
      [user, assistant(call), results(), assistant(thought, call), results()],
      true,
    ],
  ];

  it("with a budget depends on the first block of the last assistant messages", () => {
    for (const [name, messages, mayThink] of turns) {
      const expected = mayThink ? ["enabled", []] : [undefined, ["reasoning_effort"]];
      assert.deepEqual(thinkingOf(ask(BY_BUDGET, messages)), expected, name);
    }
  });

  it("does not with adaptive thinking", () => {
    for (const [name, messages] of turns) {
      assert.deepEqual(thinkingOf(ask(ADAPTIVE, messages)), ["adaptive", []], name);
    }
  });

  it("does with a budget for a model that supports adaptive thinking", () => {
    const budget = { thinking: { type: "enabled", budget_tokens: 2_000 } };
    const messages = [user, assistant(call), results()];
    assert.deepEqual(thinkingOf(ask(ADAPTIVE, messages, budget)), [undefined, ["reasoning_effort"]]);
    assert.deepEqual(thinkingOf(ask(ADAPTIVE, [user], budget)), ["enabled", []]);
  });
});

it("a budget becomes an effort for models that refuse budgets", () => {
  const budget = { thinking: { type: "enabled", budget_tokens: 20_000 }, output_config: undefined };
  const written = writeReasoning(ask("claude-opus-4-7", [user], budget), 30_000, assert.fail);
  assert.deepEqual(written, { thinking: { type: "adaptive" }, effort: "high" });
});
