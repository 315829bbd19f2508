import { CHAT_PARAMETERS } from "@one-api/contract/playground";
import { expect, test } from "vitest";
import { writeAnthropicRequest } from "../code/write-anthropic-request.ts";
import { type ChatAsk, writeChatRequest } from "./chat-request.ts";
import { emptyAnswer, type Turn } from "./conversation.ts";
import { readReplay } from "./read-replay.ts";
import { readTools } from "./read-tools.ts";

const picture = "data:image/png;base64,AAAA";
const turns: readonly Turn[] = [
  { role: "user", id: "1", text: "See", images: [{ id: "2", name: "a.png", dataUrl: picture }] },
  {
    ...emptyAnswer("3", "able"),
    state: "done",
    text: "I look.",
    calls: [{ id: "c", name: "look", input: '{"at":1}', result: "seen" }],
  },
  { role: "user", id: "4", text: "And?", images: [] },
];
const ask: ChatAsk = {
  model: { model: "able", parameters: [...CHAT_PARAMETERS], max_output_tokens: null },
  options: { temperature: 0.5, max_tokens: 9, effort: "low" },
  system: "Be brief.",
  tools: [{ name: "look", description: "d", schema: { type: "object" } }],
  turns,
};

test.each([
  ["OpenAI", writeChatRequest],
  ["Anthropic", writeAnthropicRequest],
])("what was asked in the form of %s is asked again as it was", (_form, write) => {
  const replay = readReplay(JSON.stringify(write(ask)));
  if (replay === undefined) throw new Error("nothing was read");
  const { search, conversation } = replay;
  expect(search).toMatchObject({ model: "able", temperature: 0.5, max_tokens: 9, effort: "low" });
  const tools = readTools(conversation.tools).tools ?? [];
  const again: ChatAsk = {
    ...ask,
    options: search,
    tools,
    system: conversation.system,
    turns: conversation.panes[0] ?? [],
  };
  expect(write(again)).toEqual(write(ask));
});

test("a picture that was not kept is left out, and texts in parts are one", () => {
  const content = [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
    { type: "image_url", image_url: { url: "[data URL, 12 bytes]" } },
  ];
  const replay = readReplay(JSON.stringify({ model: "m", messages: [{ role: "user", content }] }));
  expect(replay?.conversation.panes[0]).toMatchObject([{ text: "a\nb", images: [{ dataUrl: "" }] }]);
});

test.each(['{"model":"m","messages":[{"role":"us', "[]", "null", '{"model":"m","input":"x"}'])(
  "%s is nothing that can be asked again",
  (body) => expect(readReplay(body)).toBeUndefined(),
);
