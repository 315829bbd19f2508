import { expect, test } from "vitest";
import { type Answer, emptyAnswer } from "./conversation.ts";
import { addEvent, readEvents } from "./read-answer.ts";

async function eventsOf(pieces: readonly Uint8Array<ArrayBuffer>[]): Promise<string[]> {
  const events: string[] = [];
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  for await (const data of readEvents(stream)) events.push(data);
  return events;
}

const answerTo = (events: readonly object[]): Answer =>
  events.reduce<Answer>((answer, event) => addEvent(answer, JSON.stringify(event)), emptyAnswer("1", "gpt-4o"));

const delta = (fields: object) => ({ choices: [{ delta: fields }] });

test.each(["\n", "\r\n", "\r"])(
  "a stream reads the same wherever it is cut, with lines that end in %j",
  async (end) => {
    const lines = [": a comment", "", 'data: {"é":"你好"}', "", "event: x", "data:[DONE]", ""];
    const bytes = new TextEncoder().encode(lines.map((line) => line + end).join(""));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(await eventsOf([bytes.slice(0, cut), bytes.slice(cut)]), `cut at ${cut}`).toEqual([
        '{"é":"你好"}',
        "[DONE]",
      ]);
    }
  },
);

test("texts, thoughts and the pieces of calls come together, and the usage is the last that was told", () => {
  const answer = answerTo([
    delta({ role: "assistant", content: "" }),
    delta({ reasoning_content: "Hm" }),
    delta({ reasoning: "m." }),
    delta({ content: "Let me " }),
    delta({ content: "look." }),
    delta({ tool_calls: [{ index: 0, id: "a", function: { name: "look", arguments: '{"at":' } }] }),
    delta({
      tool_calls: [
        { index: 0, function: { arguments: "1}" } },
        { index: 1, id: "b", function: { name: "see" } },
      ],
    }),
    { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 9 } },
  ]);
  expect(answer).toMatchObject({ text: "Let me look.", thoughts: "Hmm.", finish: "tool_calls", state: "running" });
  expect(answer.calls.map(({ id, name, input }) => [id, name, input])).toEqual([
    ["a", "look", '{"at":1}'],
    ["b", "see", ""],
  ]);
  expect([answer.promptTokens, answer.completionTokens]).toEqual([3, 9]);
  expect(addEvent(answer, "[DONE]").state).toBe("done");
});

test("calls without places are told apart by their ids", () => {
  const { calls } = answerTo([
    delta({ tool_calls: [{ id: "a", function: { name: "look", arguments: "{}" } }] }),
    delta({ tool_calls: [{ id: "b", function: { name: "see", arguments: "{" } }] }),
    delta({ tool_calls: [{ function: { arguments: "}" } }] }),
  ]);
  expect(calls.map(({ id, input }) => [id, input])).toEqual([
    ["a", "{}"],
    ["b", "{}"],
  ]);
});

test("an error within a stream ends the answer for good; what is no JSON says nothing", () => {
  const failed = addEvent(
    answerTo([delta({ content: "Half" })]),
    '{"error":{"message":"Gone. (request id: x)","code":"upstream_failed"}}',
  );
  expect(failed).toMatchObject({
    state: "failed",
    text: "Half",
    failure: { message: "Gone.", code: "upstream_failed" },
  });
  expect(addEvent(failed, "[DONE]").state).toBe("failed");
  expect(addEvent(failed, "{half")).toBe(failed);
});
