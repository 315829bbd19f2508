import type { ProviderFormat } from "@one-api/providers/format";
import { anthropicMessages } from "@one-api/providers/protocols/anthropic-messages/anthropic-messages";
import { bedrockConverse } from "@one-api/providers/vendors/aws/format";
import { cohereChat } from "@one-api/providers/protocols/cohere/cohere";
import { geminiContent } from "@one-api/providers/protocols/gemini/gemini";
import { ollamaChat } from "@one-api/providers/vendors/ollama/format";
import { openAiChat } from "@one-api/providers/protocols/openai-chat/openai-chat";
import { openAiResponses } from "@one-api/providers/protocols/openai-responses/openai-responses";
import { type JsonRecord, listOf, recordOf, textOf } from "@one-api/providers/shared/json-fields";

interface Called {
  readonly id?: string;
  readonly name: string;
  readonly input: JsonRecord;
}

/** A provider format: the declared tool's name and schema in a request, and a whole answer that calls it. */
export interface TrialProvider {
  readonly format: ProviderFormat;
  readonly maxNameLength: number;
  nameSent(body: JsonRecord): string;
  schemaSent(body: JsonRecord): JsonRecord;
  calling(calls: readonly Called[]): JsonRecord;
}

const first = (list: unknown) => recordOf(listOf(list)[0]);
const ofFunction = (body: JsonRecord) => recordOf(first(body.tools).function);

const inOpenAisWords = {
  maxNameLength: 64,
  nameSent: (body: JsonRecord) => textOf(ofFunction(body).name),
  schemaSent: (body: JsonRecord) => recordOf(ofFunction(body).parameters),
};
const written = ({ name, input }: Called) => ({ name, arguments: JSON.stringify(input) });

export const PROVIDERS: Readonly<Record<string, TrialProvider>> = {
  "OpenAI's chat": {
    ...inOpenAisWords,
    format: openAiChat(),
    calling: (calls) => ({
      id: "1",
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          message: { tool_calls: calls.map((call) => ({ id: call.id, type: "function", function: written(call) })) },
        },
      ],
    }),
  },
  "OpenAI's Responses": {
    format: openAiResponses,
    maxNameLength: 64,
    nameSent: (body) => textOf(first(body.tools).name),
    schemaSent: (body) => recordOf(first(body.tools).parameters),
    calling: (calls) => ({
      id: "resp_1",
      status: "completed",
      output: calls.map((call) => ({ type: "function_call", call_id: call.id, ...written(call) })),
    }),
  },
  "Anthropic's": {
    format: anthropicMessages("2023-06-01"),
    maxNameLength: 128,
    nameSent: (body) => textOf(first(body.tools).name),
    schemaSent: (body) => recordOf(first(body.tools).input_schema),
    calling: (calls) => ({
      id: "msg_1",
      type: "message",
      stop_reason: "tool_use",
      content: calls.map((call) => ({ type: "tool_use", ...call })),
    }),
  },
  "Gemini's": {
    format: geminiContent,
    maxNameLength: 64,
    nameSent: (body) => textOf(first(first(body.tools).functionDeclarations).name),
    schemaSent: (body) => recordOf(first(first(body.tools).functionDeclarations).parametersJsonSchema),
    calling: (calls) => ({
      responseId: "1",
      candidates: [
        {
          finishReason: "STOP",
          content: { parts: calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })) },
        },
      ],
    }),
  },
  "Bedrock's": {
    format: bedrockConverse("anthropic.claude-sonnet-4-5-20250929-v1:0"),
    maxNameLength: 64,
    nameSent: (body) => textOf(recordOf(first(recordOf(body.toolConfig).tools).toolSpec).name),
    schemaSent: (body) =>
      recordOf(recordOf(recordOf(first(recordOf(body.toolConfig).tools).toolSpec).inputSchema).json),
    calling: (calls) => ({
      stopReason: "tool_use",
      output: {
        message: { content: calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } })) },
      },
    }),
  },
  "Cohere's": {
    ...inOpenAisWords,
    format: cohereChat,
    calling: (calls) => ({
      id: "1",
      finish_reason: "TOOL_CALL",
      message: { tool_calls: calls.map((call) => ({ id: call.id, type: "function", function: written(call) })) },
    }),
  },
  "Ollama's": {
    ...inOpenAisWords,
    format: ollamaChat,
    calling: (calls) => ({
      model: "m",
      done: true,
      done_reason: "stop",
      message: { tool_calls: calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input } })) },
    }),
  },
};
