import { CHAT_PARAMETERS, type ChatModel } from "@one-api/contract/playground";
import { expect, test } from "vitest";
import { type ChatAsk, writeChatRequest } from "./chat-request.ts";
import { emptyAnswer, type Turn } from "./conversation.ts";

const able: ChatModel = { model: "able", parameters: [...CHAT_PARAMETERS], max_output_tokens: null };
const question = (text: string, dataUrl?: string): Turn => ({
  role: "user",
  id: text,
  text,
  images: dataUrl === undefined ? [] : [{ id: "1", name: "x.png", dataUrl }],
});
const ask: ChatAsk = { model: able, options: {}, system: "", tools: [], turns: [question("Hi")] };
const tool = { name: "look", description: "", schema: { type: "object" } };

test("what is not wished for is not sent", () => {
  expect(writeChatRequest(ask)).toEqual({ model: "able", messages: [{ role: "user", content: "Hi" }] });
});

test("a model gets what it knows and nothing else", () => {
  const options = { temperature: 0, top_p: 0.5, max_tokens: 9, json: true, effort: "low" } as const;
  expect(writeChatRequest({ ...ask, options, tools: [tool], system: " Be brief. " })).toMatchObject({
    messages: [{ role: "system", content: "Be brief." }, { role: "user" }],
    tools: [{ type: "function", function: { name: "look", parameters: { type: "object" } } }],
    temperature: 0,
    top_p: 0.5,
    max_completion_tokens: 9,
    response_format: { type: "json_object" },
    reasoning_effort: "low",
  });
  const plain = { ...able, parameters: [] };
  expect(Object.keys(writeChatRequest({ ...ask, model: plain, options, tools: [tool] }))).toEqual([
    "model",
    "messages",
  ]);
});

test("pictures go with their question, those that were not kept do not", () => {
  const png = "data:image/png;base64,AA==";
  const turns = [question("See", png), question("Lost", "")];
  expect(writeChatRequest({ ...ask, turns })["messages"]).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "See" },
        { type: "image_url", image_url: { url: png } },
      ],
    },
    { role: "user", content: "Lost" },
  ]);
});

test("answers go on as they came: calls with their results, stopped ones without half calls, empty ones not at all", () => {
  const answer = emptyAnswer("a", "able");
  const calls = [{ id: "c", name: "look", input: "{}", result: "seen" }];
  const turns: Turn[] = [
    question("1"),
    { ...answer, state: "done", calls },
    { ...answer, state: "stopped", text: "Half", calls: [{ id: "", name: "lo", input: "", result: "" }] },
    { ...answer, state: "failed" },
    question("2"),
  ];
  expect(writeChatRequest({ ...ask, turns })["messages"]).toEqual([
    { role: "user", content: "1" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "c", content: "seen" },
    { role: "assistant", content: "Half" },
    { role: "user", content: "2" },
  ]);
});
