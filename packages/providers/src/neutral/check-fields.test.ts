import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChatSide } from "../format.ts";
import { anthropicMessages } from "../formats/anthropic-messages/anthropic-messages.ts";
import { geminiContent } from "../formats/gemini/gemini.ts";
import { openAiChat } from "../formats/openai-chat/openai-chat.ts";
import { openAiResponses } from "../formats/openai-responses/openai-responses.ts";
import type { JsonRecord } from "../shared/json-fields.ts";
import { UntranslatableError } from "./chat-request.ts";

const messages = [{ role: "user", content: "Hi" }];
const FORMATS: Readonly<
  Record<string, readonly [ChatSide | undefined, JsonRecord, Readonly<Record<string, unknown>>]>
> = {
  chat: [
    openAiChat().chat,
    { messages },
    {
      temperature: "hot",
      n: "2",
      stop: 5,
      tools: {},
      tool_choice: 1,
      parallel_tool_calls: "no",
      response_format: "json",
    },
  ],
  messages: [
    anthropicMessages("2023-06-01").chat,
    { messages, max_tokens: 5 },
    { temperature: "hot", system: 5, stop_sequences: "x", tools: {}, tool_choice: "auto", thinking: true },
  ],
  responses: [
    openAiResponses.chat,
    { input: "Hi" },
    {
      temperature: "hot",
      input: 5,
      instructions: [],
      text: "json",
      reasoning: "low",
      tools: {},
      parallel_tool_calls: 1,
    },
  ],
};

it("is refused by its field's name in Gemini's requests", () => {
  const contents = [{ parts: [{ text: "Hi" }] }];
  const wrong: readonly (readonly [string, JsonRecord])[] = [
    ["generationConfig", { contents, generationConfig: "hot" }],
    ["generationConfig.temperature", { contents, generationConfig: { temperature: "hot" } }],
    ["generationConfig.stop_sequences", { contents, generation_config: { stop_sequences: "x" } }],
    ["contents.0", { contents: ["Hi"] }],
    ["contents.0.role", { contents: [{ role: 5, parts: [] }] }],
  ];
  for (const [field, body] of wrong) {
    const refused = (error: unknown) => error instanceof UntranslatableError && error.field === field;
    assert.throws(() => geminiContent.chat?.readRequest(body), refused);
  }
});

describe("a value of a wrong type", () => {
  for (const [name, [chat, least, wrong]] of Object.entries(FORMATS)) {
    it(`is refused by its field's name in ${name}, and null is no value`, () => {
      assert.ok(chat !== undefined);
      for (const [field, value] of Object.entries(wrong)) {
        const refused = (error: unknown) =>
          error instanceof UntranslatableError &&
          error.field === field &&
          error.message.startsWith(`${field} must be `);
        assert.throws(() => chat.readRequest({ ...least, [field]: value }), refused);
        if (least[field] === undefined) chat.readRequest({ ...least, [field]: null });
      }
      const inside = (error: unknown) => error instanceof UntranslatableError && error.field === "tools.0";
      assert.throws(() => chat.readRequest({ ...least, tools: ["f"] }), inside);
    });
  }
});
