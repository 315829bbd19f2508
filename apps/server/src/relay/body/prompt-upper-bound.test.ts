import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonRecord } from "@one-api/providers/shared/json-fields";
import { promptUpperBound } from "./prompt-upper-bound.ts";

const TEXT = "letters that a model reads ".repeat(10_000);
const PICTURE = { mimeType: "image/png", data: TEXT };
const bound = (json: JsonRecord) => promptUpperBound(json, JSON.stringify(json).length);

/** Field names that callers may use in arguments and results of tools. */
const NAMED: readonly JsonRecord[] = [
  { image: TEXT },
  { file: { audio: TEXT } },
  { deeper: [{ type: "image", source: TEXT }] },
  { inlineData: PICTURE },
  { input_audio: { data: TEXT, format: "wav" } },
];

const toolUse = (type: string) => (input: JsonRecord) => ({
  messages: [{ role: "assistant", content: [{ type, id: "t", name: "look", input }] }],
});
const part = (parent: string, field: string) => (json: JsonRecord) => ({
  contents: [{ parts: [{ [parent]: { name: "look", [field]: json } }] }],
});
const CALLS: readonly (readonly [what: string, call: (json: JsonRecord) => JsonRecord])[] = [
  ["Anthropic's calls", toolUse("tool_use")],
  ["Anthropic's own calls", toolUse("server_tool_use")],
  ["Gemini's calls", part("functionCall", "args")],
  ["Gemini's older name for calls", part("function_call", "args")],
  ["Gemini's results", part("functionResponse", "response")],
];

describe("promptUpperBound", () => {
  for (const [what, call] of CALLS) {
    it(`counts ${what} as text under any field name`, () => {
      for (const json of NAMED) {
        const { promptTokens } = bound(call(json));
        assert.ok(promptTokens >= TEXT.length, `${Object.keys(json).join()}: ${promptTokens}`);
      }
    });
  }

  it("has an open bound for content that the provider stores", () => {
    const message = { role: "user", content: "hello", id: "msg_1" };
    const isOpen = (item: JsonRecord) => bound({ input: [message, item] }).isOpen;
    const references = [{ type: "item_reference", id: "msg_2" }, { id: "msg_2" }, { type: null, id: "msg_2" }];
    assert.deepEqual(references.map(isOpen), [true, true, true]);
    assert.equal(isOpen(message), false);
  });

  it("covers a prompt that is compacted", () => {
    const isOpen = (type: string) => bound({ messages: [], context_management: { edits: [{ type }] } }).isOpen;
    assert.deepEqual(["compact_20260112", "clear_thinking_20251015"].map(isOpen), [true, false]);
  });

  const added = (tool: JsonRecord): readonly JsonRecord[] => [
    { input: [{ type: "additional_tools", role: "developer", tools: [tool] }] },
    { messages: [{ content: [{ type: "tool_addition", tool: { type: "tool_definition", definition: tool } }] }] },
  ];
  it("counts tools in the input", () => {
    for (const json of added({ type: "web_search" })) {
      const { isOpen, toolFees } = bound(json);
      assert.deepEqual([isOpen, toolFees > 0], [true, true]);
    }
    for (const json of added({ type: "function", name: "look", parameters: {} }))
      assert.equal(bound(json).isOpen, false);
  });

  it("reserves fees of containers by memory, for shell and interpreter", () => {
    const feesOf = (tool: JsonRecord) => bound({ input: "hello", tools: [tool] }).toolFees;
    const shell = (environment: JsonRecord) => ({ type: "shell", environment });
    assert.equal(feesOf(shell({ type: "container_auto", memory_limit: "64g" })), 3_840);
    assert.equal(feesOf(shell({ type: "container_auto" })), 60);
    assert.equal(feesOf(shell({ type: "local" })), 0);
    assert.ok(feesOf({ type: "code_interpreter", container: { type: "auto", memory_limit: "64g" } }) >= 3_840);
  });

  it("caps the searches", () => {
    const tools = [{ type: "web_search_20250305", max_uses: 1e15 }];
    assert.equal(bound({ messages: [], tools }).toolFees, 20_000);
  });

  it("has an open bound for Azure's data sources", () => {
    assert.equal(bound({ messages: [], data_sources: [{ type: "azure_search" }] }).isOpen, true);
  });

  it("counts images by their own bound, also in tool results", () => {
    const results: readonly JsonRecord[] = [
      { contents: [{ parts: [{ functionResponse: { response: {}, parts: [{ inlineData: PICTURE }] } }] }] },
      { messages: [{ content: [{ type: "tool_result", content: [{ type: "image", source: { data: TEXT } }] }] }] },
    ];
    for (const json of results) assert.ok(bound(json).promptTokens < 40_000);
  });
});
