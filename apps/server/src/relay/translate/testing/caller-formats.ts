import { anthropicMessages } from "@one-api/providers/protocols/anthropic-messages/anthropic-messages";
import { geminiContent } from "@one-api/providers/protocols/gemini/gemini";
import { openAiChat } from "@one-api/providers/protocols/openai-chat/openai-chat";
import { openAiResponses } from "@one-api/providers/protocols/openai-responses/openai-responses";
import { type JsonRecord, listOf, recordOf, textOf } from "@one-api/providers/shared/json-fields";

/** A caller format: its requests and answers of chats with tools. */
export const CALLERS = {
  chat: {
    format: openAiChat(),
    request: (name: string, parameters: JsonRecord): JsonRecord => ({
      messages: [{ role: "user", content: "Hi" }],
      tools: [{ type: "function", function: { name, parameters } }],
    }),
    callsOf: (answer: JsonRecord): readonly (readonly string[])[] =>
      listOf(recordOf(recordOf(listOf(answer.choices)[0]).message).tool_calls).map((call) => {
        const { id, function: called } = recordOf(call);
        return [textOf(id), textOf(recordOf(called).name), textOf(recordOf(called).arguments)];
      }),
  },
  messages: {
    format: anthropicMessages("2023-06-01"),
    request: (name: string, input_schema: JsonRecord): JsonRecord => ({
      max_tokens: 50,
      messages: [{ role: "user", content: "Hi" }],
      tools: [{ name, input_schema }],
    }),
    callsOf: (answer: JsonRecord): readonly (readonly string[])[] =>
      listOf(answer.content)
        .map(recordOf)
        .filter(({ type }) => type === "tool_use")
        .map(({ id, name, input }) => [textOf(id), textOf(name), JSON.stringify(input)]),
  },
  responses: {
    format: openAiResponses,
    request: (name: string, parameters: JsonRecord): JsonRecord => ({
      input: "Hi",
      tools: [{ type: "function", name, parameters }],
    }),
    callsOf: (answer: JsonRecord): readonly (readonly string[])[] =>
      listOf(answer.output)
        .map(recordOf)
        .filter(({ type }) => type === "function_call")
        .map((item) => [textOf(item.call_id), textOf(item.name), textOf(item.arguments)]),
  },
  gemini: {
    format: geminiContent,
    request: (name: string, parametersJsonSchema: JsonRecord): JsonRecord => ({
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      tools: [{ functionDeclarations: [{ name, parametersJsonSchema }] }],
    }),
    callsOf: (answer: JsonRecord): readonly (readonly string[])[] =>
      listOf(recordOf(recordOf(listOf(answer.candidates)[0]).content).parts)
        .map((part) => recordOf(recordOf(part).functionCall))
        .filter(({ name }) => name !== undefined)
        .map(({ id, name, args }) => [textOf(id), textOf(name), JSON.stringify(args)]),
  },
} as const;
