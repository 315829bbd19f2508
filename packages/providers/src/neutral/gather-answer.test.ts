import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_USAGE } from "../usage.ts";
import type { ChatEvent } from "./chat-answer.ts";
import { gatherAnswer } from "./gather-answer.ts";

const start: ChatEvent = { type: "answer-start", id: "1", model: "m" };
const finish = (choice: number): ChatEvent => ({
  type: "answer-finish",
  choice,
  finish: { reason: "stop", stopSequence: "" },
});
const text = (words: string, choice = 0): ChatEvent => ({ type: "text-delta", choice, text: words });

describe("an answer gathered from a stream", () => {
  it("joins deltas of the same part in order", () => {
    const gathered = gatherAnswer([
      start,
      { type: "reasoning-delta", choice: 0, text: "H" },
      { type: "reasoning-delta", choice: 0, text: "m" },
      { type: "reasoning-signature", choice: 0, signature: "s" },
      text("Hel"),
      text("other", 1),
      text("lo"),
      { type: "tool-call-start", choice: 0, call: 0, id: "a", name: "f" },
      { type: "tool-call-start", choice: 0, call: 1, id: "b", name: "g" },
      { type: "tool-input-delta", choice: 0, call: 1, text: "{}" },
      { type: "tool-input-delta", choice: 0, call: 0, text: '{"x":' },
      { type: "tool-input-delta", choice: 0, call: 0, text: "1}" },
      { type: "usage-report", usage: { ...NO_USAGE, promptTokens: 3 } },
      finish(1),
      finish(0),
      { type: "stream-end" },
      text("after the end"),
    ]);
    assert.ok(gathered.ok);
    const { id, model, choices, usage } = gathered.answer;
    assert.deepEqual([id, model, usage?.promptTokens], ["1", "m", 3]);
    assert.deepEqual(choices[0]?.parts, [
      { type: "reasoning", text: "Hm", signature: "s" },
      { type: "text", text: "Hello" },
      { type: "tool-call", id: "a", name: "f", input: '{"x":1}' },
      { type: "tool-call", id: "b", name: "g", input: "{}" },
    ]);
    assert.deepEqual(choices[1]?.parts, [{ type: "text", text: "other" }]);
  });

  it("is none if the stream has no end, or an error event", () => {
    assert.deepEqual(gatherAnswer([start, text("Hel")]), { ok: false, failure: undefined });
    assert.equal(gatherAnswer([start, text("a"), text("b", 1), finish(0)]).ok, false);
    const failure = { kind: "overloaded", status: 200, message: "", code: "", type: "", param: null } as const;
    const failed = { type: "error", failure: { ...failure, retryAfterMs: null } } as const;
    assert.deepEqual(gatherAnswer([start, text("Hel"), failed, finish(0)]), { ok: false, failure: failed.failure });
  });
});
