import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StreamDecoder } from "../format-sides.ts";
import type { JsonRecord } from "../shared/json-fields.ts";
import { AnthropicStreamDecoder } from "./anthropic-messages/decode-stream.ts";
import { ConverseStreamDecoder } from "../vendors/aws/answer.ts";
import { traitsOf } from "../vendors/aws/model-traits.ts";
import { CohereStreamDecoder } from "./cohere/answer.ts";
import { ResponsesStreamDecoder } from "./openai-responses/decode-stream.ts";

/** Events of one call, by name. */
type Frames = (id: string, input: string) => readonly (readonly [name: string, event: JsonRecord])[];

const FORMATS: Readonly<Record<string, readonly [StreamDecoder, Frames]>> = {
  "Anthropic's": [
    new AnthropicStreamDecoder(),
    (id, partial_json) => [
      ["", { type: "content_block_start", content_block: { type: "tool_use", id, name: "f", input: {} } }],
      ["", { type: "content_block_delta", delta: { type: "input_json_delta", partial_json } }],
      ["", { type: "content_block_stop" }],
    ],
  ],
  "Bedrock's": [
    new ConverseStreamDecoder(traitsOf("some-model")),
    (toolUseId, input) => [
      ["contentBlockStart", { contentBlockIndex: 0, start: { toolUse: { toolUseId, name: "f" } } }],
      ["contentBlockDelta", { contentBlockIndex: 0, delta: { toolUse: { input } } }],
      ["contentBlockStop", { contentBlockIndex: 0 }],
    ],
  ],
  "Cohere's": [
    new CohereStreamDecoder(),
    (id, input) => [
      [
        "",
        {
          type: "tool-call-start",
          index: 0,
          delta: { message: { tool_calls: { id, function: { name: "f", arguments: input } } } },
        },
      ],
      ["", { type: "tool-call-end", index: 0 }],
    ],
  ],
  "OpenAI's Responses": [
    new ResponsesStreamDecoder(),
    (call_id, input) => [
      [
        "",
        {
          type: "response.output_item.added",
          item: { type: "function_call", id: `fc_${call_id}`, call_id, name: "f" },
        },
      ],
      ["", { type: "response.function_call_arguments.delta", item_id: `fc_${call_id}`, delta: input }],
    ],
  ],
};

describe("calls with the same index, or none, in a stream", () => {
  for (const [name, [decoder, frames]] of Object.entries(FORMATS)) {
    it(`are separate in ${name} format`, () => {
      const calls = new Map<number, string>();
      for (const [event, data] of [...frames("a", '{"n":1}'), ...frames("b", '{"n":2}')]) {
        for (const read of decoder.read(event, JSON.stringify(data))) {
          if (read.type === "tool-call-start") calls.set(read.call, `${read.id} `);
          if (read.type === "tool-input-delta") calls.set(read.call, `${calls.get(read.call)}${read.text}`);
        }
      }
      assert.deepEqual([...calls.values()], ['a {"n":1}', 'b {"n":2}']);
    });
  }
});
