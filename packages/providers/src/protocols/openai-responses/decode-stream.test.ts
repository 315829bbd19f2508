import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChatEvent } from "../../neutral/chat-answer.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { ResponsesStreamDecoder } from "./decode-stream.ts";

const THOUGHT = {
  type: "reasoning",
  id: "rs_1",
  summary: [
    { type: "summary_text", text: "First." },
    { type: "summary_text", text: "Then." },
  ],
  encrypted_content: "c2ln",
};
const MESSAGE = {
  type: "message",
  id: "msg_1",
  content: [
    { type: "output_text", text: "Hello" },
    { type: "refusal", refusal: "No." },
  ],
};
const CALLS = [
  { type: "function_call", id: "fc_1", call_id: "call_1", name: "f", arguments: '{"n":1}' },
  { type: "function_call", id: "fc_2", call_id: "call_2", name: "g", arguments: '{"n":2}' },
];
const OUTPUT: readonly JsonRecord[] = [THOUGHT, MESSAGE, ...CALLS];
const END = { type: "response.completed", response: { id: "resp_1", status: "completed", output: OUTPUT } };

/** Events of growing items, in OpenAI's order. */
const DELTAS: readonly JsonRecord[] = [
  { type: "response.output_item.added", output_index: 0, item: { ...THOUGHT, summary: [] } },
  ...["First.", "Then."].flatMap((text, summary_index) => [
    { type: "response.reasoning_summary_part.added", output_index: 0, summary_index, item_id: "rs_1" },
    { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index, item_id: "rs_1", delta: text },
    { type: "response.reasoning_summary_text.done", output_index: 0, summary_index, item_id: "rs_1", text },
  ]),
  { type: "response.output_item.done", output_index: 0, item: THOUGHT },
  { type: "response.output_item.added", output_index: 1, item: { ...MESSAGE, content: [] } },
  ...["Hel", "lo"].map((delta) => ({
    type: "response.output_text.delta",
    output_index: 1,
    content_index: 0,
    item_id: "msg_1",
    delta,
  })),
  { type: "response.output_text.done", output_index: 1, content_index: 0, item_id: "msg_1", text: "Hello" },
  { type: "response.refusal.delta", output_index: 1, content_index: 1, item_id: "msg_1", delta: "No." },
  { type: "response.refusal.done", output_index: 1, content_index: 1, item_id: "msg_1", refusal: "No." },
  { type: "response.output_item.done", output_index: 1, item: MESSAGE },
  ...CALLS.flatMap((item, index) => [
    { type: "response.output_item.added", output_index: index + 2, item: { ...item, arguments: "" } },
    {
      type: "response.function_call_arguments.delta",
      output_index: index + 2,
      item_id: item.id,
      delta: item.arguments,
    },
    {
      type: "response.function_call_arguments.done",
      output_index: index + 2,
      item_id: item.id,
      arguments: item.arguments,
    },
    { type: "response.output_item.done", output_index: index + 2, item },
  ]),
];

const isDelta = ({ type }: JsonRecord) => String(type).endsWith(".delta");
const isAdded = ({ type }: JsonRecord) => String(type).endsWith(".added");
const isItemDone = ({ type }: JsonRecord) => type === "response.output_item.done";
const without = (name: string) => (event: JsonRecord) =>
  Object.fromEntries(Object.entries(event).filter(([field]) => field !== name));

const STREAMS: Readonly<Record<string, readonly JsonRecord[]>> = {
  "in deltas": [...DELTAS, END],
  "in deltas alone": [...DELTAS.filter((event) => isDelta(event) || isAdded(event) || isItemDone(event)), END],
  "where each piece is done": [...DELTAS.filter((event) => !isDelta(event)), END],
  "where each item is done": [...DELTAS.filter(isItemDone), END],
  "in the whole answer": [END],
  "in deltas by the items' ids": [...DELTAS.map(without("output_index")), END],
  "in deltas whose items change their ids": [
    ...DELTAS.map((event, index) => (event.item_id === undefined ? event : { ...event, item_id: `other_${index}` })),
    END,
  ],
  "in deltas, and without an answer at the end": [...DELTAS, { type: "response.completed", response: { output: [] } }],
  "in part": [...DELTAS.filter((event) => event.output_index === 0 || event.output_index === 1), END],
};

function wordsOf(events: readonly ChatEvent[]): readonly string[] {
  const words: string[] = [];
  let last = "";
  for (const event of events) {
    if (!("choice" in event) || event.type === "answer-finish") continue;
    const kind = "call" in event ? `call ${event.call}` : event.type;
    const said =
      "text" in event
        ? event.text
        : "signature" in event
          ? event.signature
          : "id" in event
            ? `${event.id} ${event.name} `
            : "";
    if (kind === last) words[words.length - 1] += said;
    else words.push(said);
    last = kind;
  }
  return words;
}

describe("a stream of Responses yields each text and each call once", () => {
  for (const [name, stream] of Object.entries(STREAMS)) {
    it(`written ${name}`, () => {
      const decoder = new ResponsesStreamDecoder();
      const events = stream.flatMap((event) => decoder.read("", JSON.stringify(event)));
      const told = ["First.\\n\\nThen.", "openai:c2ln", "Hello", "No.", 'call_1 f {"n":1}', 'call_2 g {"n":2}'];
      assert.deepEqual(
        wordsOf(events),
        told.map((text) => text.replaceAll("\\n", "\n")),
      );
      const finish = events.find((event) => event.type === "answer-finish");
      assert.equal(finish?.type === "answer-finish" && finish.finish.reason, "tool-calls");
    });
  }
});
