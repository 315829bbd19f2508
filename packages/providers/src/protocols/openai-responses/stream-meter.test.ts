import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openAiResponses } from "./openai-responses.ts";

/** Delivered tokens of a stream, one per character, and the number of events passed unread. */
function countOf(events: readonly object[]): number {
  const meter = openAiResponses.meter({ passUsage: true, countText: (text) => text.length });
  for (const event of events) {
    const bytes = Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
    if (meter.passing(bytes, bytes.toString("latin1"), 0) === 0) meter.look(bytes);
  }
  return meter.deliveredTokens();
}

const created = { type: "response.created", response: { id: "r", output: [] } };
const at = (output_index: number) => ({ output_index, item_id: `item_${output_index}` });
const message = { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "alpha" }] };
const call = { type: "custom_tool_call", id: "ctc_1", call_id: "call_1", name: "write", input: "beta" };

describe("the text of a stream of Responses is counted once", () => {
  it("if it consists of deltas and is repeated at the end of each item", () => {
    const events = [
      created,
      { type: "response.output_item.added", ...at(0), item: { ...message, content: [] } },
      { type: "response.output_text.delta", ...at(0), delta: "al" },
      { type: "response.output_text.delta", ...at(0), delta: "pha" },
      { type: "response.output_text.done", ...at(0), text: "alpha" },
      { type: "response.content_part.done", ...at(0), part: message.content[0] },
      { type: "response.output_item.done", ...at(0), item: message },
      { type: "response.output_item.added", ...at(1), item: { ...call, input: "" } },
      { type: "response.custom_tool_call_input.delta", ...at(1), delta: "beta" },
      { type: "response.custom_tool_call_input.done", ...at(1), input: "beta" },
      { type: "response.output_item.done", ...at(1), item: call },
    ];
    assert.equal(countOf(events), "alphawritebeta".length);
  });

  it("if only the end events of items hold it", () => {
    const added = { type: "response.output_item.added", ...at(1), item: { ...call, input: "" } };
    const ends = [
      { type: "response.output_text.done", ...at(0), text: "alpha" },
      { type: "response.output_item.done", ...at(0), item: message },
    ];
    assert.equal(countOf([created, ...ends]), "alpha".length);
    assert.equal(countOf([created, { type: "response.output_item.done", ...at(0), item: message }]), "alpha".length);
    const input = { type: "response.custom_tool_call_input.done", ...at(1), input: "beta" };
    assert.equal(countOf([created, added, input]), "writebeta".length);
    assert.equal(
      countOf([created, added, { type: "response.output_item.done", ...at(1), item: call }]),
      "writebeta".length,
    );
  });

  it("if only the whole answer holds it", () => {
    const whole = { type: "response.completed", response: { id: "r", output: [message, call] } };
    assert.equal(countOf([created, whole]), "alphawritebeta".length);
    assert.equal(countOf([created, { type: "response.output_text.delta", ...at(0), delta: "alpha" }, whole]), 5);
  });

  it("if one of its events is unknown", () => {
    assert.equal(
      countOf([created, { type: "response.new_kind.delta", ...at(0), delta: { text: "alpha", id: "x" } }]),
      5,
    );
  });
});
