import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { OpenAiStreamDecoder } from "./decode-stream.ts";

/** Decodes deltas. Returns each call as the caller receives it. */
function callsOf(
  pieces: readonly JsonRecord[],
  finish: JsonRecord | string = "[DONE]",
): readonly (readonly string[])[] {
  const decoder = new OpenAiStreamDecoder();
  const calls: string[][] = [];
  const chunks = pieces.map((piece) => ({ id: "1", choices: [{ index: 0, delta: { tool_calls: [piece] } }] }));
  for (const chunk of [...chunks, finish]) {
    for (const event of decoder.read("", typeof chunk === "string" ? chunk : JSON.stringify(chunk))) {
      if (event.type === "tool-call-start") calls[event.call] = [event.id, event.name, ""];
      if (event.type !== "tool-input-delta") continue;
      const call = calls[event.call];
      assert.ok(call !== undefined, "arguments come after the start of their call");
      call[2] += event.text;
    }
  }
  return calls;
}

const piece = (index: number | undefined, id: string | undefined, name: string | undefined, input?: string) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  function: { ...(name !== undefined && { name }), ...(input !== undefined && { arguments: input }) },
});

describe("calls of a streamed chat", () => {
  const cases: Readonly<Record<string, readonly [readonly JsonRecord[], readonly (readonly string[])[]]>> = {
    "of one index and other ids are several": [
      [piece(0, "a", "f", '{"n":1}'), piece(0, "b", "g", '{"n":2}'), piece(0, "c", "g", '{"n":3}')],
      [
        ["a", "f", '{"n":1}'],
        ["b", "g", '{"n":2}'],
        ["c", "g", '{"n":3}'],
      ],
    ],
    "of one index grow by their ids, however they alternate": [
      [
        piece(0, "a", "f", '{"n'),
        piece(0, "b", "g", '{"m'),
        piece(0, "a", undefined, '":1}'),
        piece(0, "b", "", '":2}'),
      ],
      [
        ["a", "f", '{"n":1}'],
        ["b", "g", '{"m":2}'],
      ],
    ],
    "of one index and no id are told apart by whole arguments and other names": [
      [piece(0, "", "f", '{"n":1}'), piece(0, "", "f", '{"n":2}'), piece(0, "", "g", ""), piece(0, "", "h", "{}")],
      [
        ["", "f", '{"n":1}'],
        ["", "f", '{"n":2}'],
        ["", "g", ""],
        ["", "h", "{}"],
      ],
    ],
    "without an index are told apart by their ids": [
      [
        piece(undefined, "a", "f", '{"n":'),
        piece(undefined, undefined, undefined, "1}"),
        piece(undefined, "b", "f", "{}"),
      ],
      [
        ["a", "f", '{"n":1}'],
        ["b", "f", "{}"],
      ],
    ],
    "go on where each piece has an id of its own, but only the first a name": [
      [
        piece(0, "x1", "f", ""),
        piece(0, "x2", undefined, '{"n"'),
        piece(0, "x3", undefined, ":1}"),
        piece(1, "x4", "g", "{}"),
      ],
      [
        ["x1", "f", '{"n":1}'],
        ["x4", "g", "{}"],
      ],
    ],
    "wait for an id or a name that comes late": [
      [
        piece(0, undefined, "f", ""),
        piece(0, "a", undefined, '{"n":1}'),
        piece(1, "b", undefined, "{"),
        piece(1, undefined, "g", "}"),
      ],
      [
        ["a", "f", '{"n":1}'],
        ["b", "g", "{}"],
      ],
    ],
    "of several indexes may share an id": [
      [piece(0, "f", "f", '{"n":1}'), piece(1, "f", "f", '{"n":2}')],
      [
        ["f", "f", '{"n":1}'],
        ["f", "f", '{"n":2}'],
      ],
    ],
    "repeat their name in every piece": [
      [
        piece(0, "a", "f", '{"n"'),
        piece(0, "a", "f", ":1}"),
        piece(1, undefined, "g", '{"m"'),
        piece(1, undefined, "g", ":2}"),
      ],
      [
        ["a", "f", '{"n":1}'],
        ["", "g", '{"m":2}'],
      ],
    ],
    "need no arguments": [
      [piece(0, undefined, "f"), piece(1, "b", "g")],
      [
        ["", "f", ""],
        ["b", "g", ""],
      ],
    ],
  };
  for (const [name, [pieces, calls]] of Object.entries(cases)) {
    it(name, () => {
      assert.deepEqual(callsOf(pieces), calls);
      assert.deepEqual(
        callsOf(pieces, { id: "1", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] }),
        calls,
      );
    });
  }

  it("are one function in the deprecated form", () => {
    const decoder = new OpenAiStreamDecoder();
    const read = (function_call: JsonRecord) =>
      decoder.read("", JSON.stringify({ choices: [{ index: 0, delta: { function_call } }] }));
    const events = [...read({ name: "f", arguments: "" }), ...read({ arguments: "{}" })];
    assert.deepEqual(events.slice(1), [
      { type: "tool-call-start", choice: 0, call: 0, id: "", name: "f" },
      { type: "tool-input-delta", choice: 0, call: 0, text: "{}" },
    ]);
  });
});
