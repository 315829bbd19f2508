import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProviderFormat } from "../format.ts";
import { bedrockConverse } from "../vendors/aws/format.ts";
import { anthropicMessages } from "../protocols/anthropic-messages/anthropic-messages.ts";
import { cohereChat } from "../protocols/cohere/cohere.ts";
import { geminiContent } from "../protocols/gemini/gemini.ts";
import { ollamaChat } from "../vendors/ollama/format.ts";
import { openAiChat } from "../protocols/openai-chat/openai-chat.ts";
import { openAiResponses } from "../protocols/openai-responses/openai-responses.ts";
import { type JsonRecord, listOf, recordOf } from "../shared/json-fields.ts";

const ANTHROPIC = anthropicMessages("2023-06-01");

/** One conversation with several assistant messages in a row, in each format. */
const ASKED = {
  chat: openAiChat().chat?.readRequest({
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Let me look." },
      { role: "assistant", content: null, tool_calls: [call("a")] },
      { role: "assistant", content: "", tool_calls: [call("b")] },
      { role: "assistant", content: "" },
      { role: "tool", tool_call_id: "a", content: "1" },
      { role: "user", content: "Wait." },
      { role: "tool", tool_call_id: "b", content: "2" },
    ],
  }),
  messages: ANTHROPIC.chat?.readRequest({
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: [{ type: "text", text: "Let me look." }] },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] },
      { role: "assistant", content: [{ type: "tool_use", id: "b", name: "f", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "1" },
          { type: "text", text: "Wait." },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "b", content: "2" }] },
    ],
  }),
  responses: openAiResponses.chat?.readRequest({
    input: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Let me look." },
      { type: "function_call", call_id: "a", name: "f", arguments: "{}" },
      { type: "web_search_call", id: "w", status: "completed" },
      { type: "function_call", call_id: "b", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "a", output: "1" },
      { role: "user", content: "Wait." },
      { type: "function_call_output", call_id: "b", output: "2" },
    ],
  }),
  gemini: geminiContent.chat?.readRequest({
    contents: [
      { role: "user", parts: [{ text: "Hi" }] },
      { role: "model", parts: [{ text: "Let me look." }] },
      { role: "model", parts: [{ functionCall: { id: "a", name: "f", args: {} } }] },
      { role: "model", parts: [{ functionCall: { id: "b", name: "f", args: {} } }] },
      { role: "model", parts: [{ text: "" }] },
      {
        role: "user",
        parts: [{ functionResponse: { id: "a", name: "f", response: { output: "1" } } }, { text: "Wait." }],
      },
      { role: "user", parts: [{ functionResponse: { id: "b", name: "f", response: { output: "2" } } }] },
    ],
  }),
};

function call(id: string) {
  return { id, type: "function", function: { name: "f", arguments: "{}" } };
}

/** Order of the messages that a provider receives, by role and content. */
const PROVIDERS: Readonly<Record<string, readonly [ProviderFormat, (body: JsonRecord) => string]>> = {
  "OpenAI's chat": [openAiChat(), ({ messages }) => rolesOf(messages)],
  "Cohere's": [cohereChat, ({ messages }) => rolesOf(messages)],
  "Ollama's": [ollamaChat, ({ messages }) => rolesOf(messages)],
  "Anthropic's": [ANTHROPIC, ({ messages }) => rolesOf(messages)],
  "Bedrock's": [bedrockConverse("some-model"), ({ messages }) => rolesOf(messages)],
  "Gemini's": [geminiContent, ({ contents }) => rolesOf(contents)],
};

const ORDERS: Readonly<Record<string, string>> = {
  "OpenAI's chat": "user, assistant, tool, tool, user",
  "Cohere's": "user, assistant, tool, tool, user",
  "Ollama's": "user, assistant, tool, tool, user",
  "Anthropic's": "user, assistant, user",
  "Bedrock's": "user, assistant, user",
  "Gemini's": "user, model, user, user",
};

function rolesOf(messages: unknown): string {
  return listOf(messages)
    .map((message) => String(recordOf(message).role))
    .join(", ");
}

describe("several assistant messages in a row", () => {
  for (const [dialect, request] of Object.entries(ASKED)) {
    for (const [name, [format, orderOf]] of Object.entries(PROVIDERS)) {
      it(`from ${dialect} are merged for ${name} API and followed by the results of their calls`, () => {
        assert.ok(request !== undefined && format.chat !== undefined);
        const { body } = format.chat.writeRequest({ ...request, model: "some-model" });
        assert.equal(orderOf(body), ORDERS[name]);
        assert.equal(JSON.stringify(body).match(/Let me look\./g)?.length, 1);
      });
    }
  }
});
