import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChatSide } from "../format-sides.ts";
import { anthropicMessages } from "../protocols/anthropic-messages/anthropic-messages.ts";
import { geminiContent } from "../protocols/gemini/gemini.ts";
import { openAiChat } from "../protocols/openai-chat/openai-chat.ts";
import { openAiResponses } from "../protocols/openai-responses/openai-responses.ts";
import { isRecord, type JsonRecord, listOf, recordOf } from "../shared/json-fields.ts";
import { UntranslatableError } from "./chat-request.ts";

const cache = { type: "ephemeral", ttl: "1h" };
const schema = { type: "object", properties: {} };
const declared = { name: "f", description: "d", parameters: schema, strict: true };
const named = { name: "f", arguments: "{}" };
const thinking = { type: "enabled", budget_tokens: 1_024, display: "omitted" };
const source = { type: "base64", media_type: "image/png", data: "AA==" };
const inline = { inlineData: { mimeType: "image/png", data: "AA==", displayName: "a" } };

const CHAT: JsonRecord = {
  messages: [
    {
      role: "user",
      name: "n",
      content: [
        { type: "text", text: "Hi", cache_control: cache },
        { type: "image_url", image_url: { url: "https://a.example", detail: "low" } },
        { type: "image_url", image_url: "https://a.example" },
        { type: "input_audio", input_audio: { data: "AA==", format: "wav" } },
        { type: "file", file: { file_data: "AA==", file_id: "f", filename: "a" } },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: [{ text: "t" }], signature: "s" },
        { type: "refusal", refusal: "no" },
      ],
      refusal: "no",
      reasoning_content: "r",
      reasoning: "r",
      reasoning_details: [{ type: "reasoning.text", text: "r", summary: "r", data: "d", signature: "s" }],
      tool_calls: [{ id: "c", type: "function", function: named }],
      function_call: named,
    },
    { role: "tool", tool_call_id: "c", content: "ok" },
  ],
  tools: [{ type: "function", function: declared, cache_control: cache }],
  functions: [declared],
  tool_choice: {
    type: "allowed_tools",
    name: "f",
    function: { name: "f" },
    allowed_tools: { mode: "auto", tools: [{ type: "function" }] },
  },
  function_call: { name: "f" },
  parallel_tool_calls: false,
  max_tokens: 5,
  max_completion_tokens: 5,
  temperature: 1,
  top_p: 1,
  top_k: 1,
  n: 1,
  seed: 1,
  random_seed: 1,
  frequency_penalty: 1,
  presence_penalty: 1,
  logprobs: true,
  top_logprobs: 1,
  stop: ["x"],
  response_format: { type: "json_schema", json_schema: { name: "n", description: "d", schema, strict: true } },
  reasoning_effort: "low",
  reasoning: { effort: "low", max_tokens: 5, enabled: true },
  thinking,
  user: "u",
  stream_options: { include_usage: true },
};

const MESSAGES: JsonRecord = {
  max_tokens: 5,
  system: [{ type: "text", text: "Hi", cache_control: cache }],
  messages: [
    {
      role: "user",
      content: [
        { type: "image", source, cache_control: cache },
        { type: "image", source: { type: "url", url: "https://a.example" } },
        { type: "image", source: { type: "file", file_id: "f" } },
        {
          type: "document",
          source: { type: "content", content: [{ text: "Hi" }] },
          title: "t",
          context: "c",
          citations: { enabled: true },
        },
        { type: "search_result", title: "t", source: "s", content: [{ text: "Hi" }] },
        {
          type: "tool_result",
          tool_use_id: "c",
          is_error: true,
          content: [
            { type: "text", text: "Hi" },
            { type: "image", source },
          ],
        },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "t", signature: "s" },
        { type: "redacted_thinking", data: "d" },
        { type: "tool_use", id: "c", name: "f", input: {}, cache_control: cache },
      ],
    },
  ],
  temperature: 1,
  top_p: 1,
  top_k: 1,
  stop_sequences: ["x"],
  tools: [{ type: "custom", name: "f", description: "d", input_schema: schema, strict: true, cache_control: cache }],
  tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
  thinking,
  output_config: { effort: "low", format: { type: "json_schema", schema } },
  metadata: { user_id: "u" },
};

const shown = [
  { type: "input_text", text: "Hi" },
  { type: "input_image", image_url: "https://a.example", file_id: "f", detail: "low" },
  { type: "input_file", file_data: "AA==", file_url: "https://a.example", file_id: "f", filename: "a" },
];
const flat = { type: "function", ...declared };
const RESPONSES: JsonRecord = {
  input: [
    { role: "user", content: [...shown, { type: "input_audio", input_audio: { data: "AA==", format: "wav" } }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi" }] },
    { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
    {
      type: "reasoning",
      encrypted_content: "e",
      summary: [{ text: "s" }],
      content: [{ text: "s" }],
    },
    { type: "function_call", call_id: "c", name: "f", namespace: "n", arguments: "{}" },
    { type: "custom_tool_call", call_id: "d", name: "f", namespace: "n", input: "x" },
    { type: "function_call_output", call_id: "c", output: shown },
    { type: "custom_tool_call_output", call_id: "d", output: "ok" },
    { type: "additional_tools", tools: [flat] },
  ],
  instructions: "Be brief.",
  tools: [flat, { type: "namespace", name: "n", description: "d", tools: [flat] }],
  tool_choice: { type: "allowed_tools", name: "f", namespace: "n", mode: "auto", tools: [{ type: "function" }] },
  parallel_tool_calls: false,
  max_output_tokens: 5,
  temperature: 1,
  top_p: 1,
  top_logprobs: 1,
  include: ["message.output_text.logprobs"],
  text: { format: { type: "json_schema", name: "n", description: "d", schema, strict: true }, verbosity: "low" },
  reasoning: { effort: "low", summary: "auto", generate_summary: "auto" },
  safety_identifier: "u",
  user: "u",
};

const GEMINI: JsonRecord = {
  systemInstruction: { role: "user", parts: [{ text: "Hi" }] },
  contents: [
    {
      role: "user",
      parts: [
        { text: "Hi" },
        inline,
        { fileData: { mimeType: "image/png", fileUri: "gs://a", displayName: "a" } },
        { functionResponse: { id: "c", name: "f", response: { output: "ok" }, parts: [inline] } },
      ],
    },
    {
      role: "model",
      parts: [{ text: "t", thought: true, thoughtSignature: "s" }, { functionCall: { id: "c", name: "f", args: {} } }],
    },
  ],
  tools: [{ functionDeclarations: [{ name: "f", description: "d", parameters: {}, parametersJsonSchema: schema }] }],
  toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
  generationConfig: {
    maxOutputTokens: 5,
    temperature: 1,
    topP: 1,
    topK: 1,
    seed: 1,
    frequencyPenalty: 1,
    presencePenalty: 1,
    candidateCount: 1,
    stopSequences: ["x"],
    responseMimeType: "application/json",
    responseSchema: {},
    responseJsonSchema: schema,
    responseLogprobs: true,
    logprobs: 1,
    thinkingConfig: { thinkingBudget: 5, thinkingLevel: "low", includeThoughts: true },
  },
};

/** Requests with every field that is read, by format. */
const FULL: Readonly<Record<string, readonly [ChatSide | undefined, JsonRecord]>> = {
  chat: [openAiChat().chat, CHAT],
  messages: [anthropicMessages("2023-06-01").chat, MESSAGES],
  responses: [openAiResponses.chat, RESPONSES],
  gemini: [geminiContent.chat, GEMINI],
};

type Path = readonly string[];

/** Objects with arbitrary content of the caller. */
const OWN =
  /\.(?:properties|schema|input_schema|parameters|parametersJsonSchema|responseJsonSchema|response|input|args)$/;
/** Fields that are read elsewhere, or from a list of names. */
const ELSEWHERE = /\.role$|(?:allowed_tools|tool_choice)\.tools\.0\.|tool_calls\.0\.type$/;

function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof value !== "object" || value === null || OWN.test(`.${path.join(".")}`)) return;
  for (const [name, inner] of Object.entries(value)) yield* pathsIn(inner, [...path, name]);
}

function withValue(target: unknown, [name = "", ...rest]: Path, change: (value: unknown) => unknown): unknown {
  const inner = Array.isArray(target) ? listOf(target)[Number(name)] : recordOf(target)[name];
  const changed = rest.length === 0 ? change(inner) : withValue(inner, rest, change);
  return Array.isArray(target) ? listOf(target).with(Number(name), changed) : { ...recordOf(target), [name]: changed };
}

function read(chat: ChatSide | undefined, body: unknown): unknown {
  assert.ok(chat !== undefined && isRecord(body));
  return chat.readRequest(body);
}

function refusesAt(path: string) {
  return (error: unknown) =>
    error instanceof UntranslatableError && error.field === path && error.message.startsWith(`${path} must be `);
}

describe("a value of a wrong type", () => {
  for (const [name, [chat, full]] of Object.entries(FULL)) {
    it(`is refused by its path in ${name}`, () => {
      read(chat, full);
      for (const path of pathsIn(full)) {
        const place = path.join(".");
        if (ELSEWHERE.test(place)) continue;
        const wrong = withValue(full, path, (value) => (typeof value === "boolean" ? "yes" : true));
        assert.throws(() => read(chat, wrong), refusesAt(place), place);
      }
    });

    it(`may be null in ${name}, except in a list`, () => {
      for (const path of pathsIn(full)) {
        const place = path.join(".");
        const without = () =>
          read(
            chat,
            withValue(full, path, () => null),
          );
        if (/\.\d+$/.test(place)) assert.throws(without, refusesAt(place), place);
        else if (!/^(?:messages|contents)$|\.role$/.test(place)) without();
      }
    });
  }

  it("is refused under both spellings of Google's fields", () => {
    const body = { contents: [], generation_config: { stop_sequences: "x" } };
    assert.throws(() => read(geminiContent.chat, body), refusesAt("generation_config.stop_sequences"));
    const part = { contents: { parts: { inline_data: { mime_type: 5 } } } };
    assert.throws(() => read(geminiContent.chat, part), refusesAt("contents.parts.inline_data.mime_type"));
  });

  it("is refused with a message that names every accepted type", () => {
    const body = { messages: [{ role: "user", content: 5 }] };
    assert.throws(() => read(openAiChat().chat, body), { message: "messages.0.content must be a string or a list." });
  });
});

it("numbers may be strings, and a single object may replace a list, as in Google's JSON", () => {
  const listed = { contents: [{ parts: [{ text: "Hi" }] }], tools: [{ functionDeclarations: [{ name: "f" }] }] };
  const bare = { contents: { parts: { text: "Hi" } }, tools: { functionDeclarations: { name: "f" } } };
  const system = { systemInstruction: { parts: { text: "Be brief." } } };
  assert.deepEqual(
    read(geminiContent.chat, { ...bare, ...system, generationConfig: { topK: "40", temperature: "0.5" } }),
    read(geminiContent.chat, {
      ...listed,
      systemInstruction: { parts: [{ text: "Be brief." }] },
      generationConfig: { topK: 40, temperature: 0.5 },
    }),
  );
  const { texts } = geminiContent.promptParts({ ...bare, ...system });
  assert.ok(["Be brief.", "Hi"].every((text) => texts.includes(text)));
  const body = { ...listed, generationConfig: { topK: "many" } };
  assert.throws(() => read(geminiContent.chat, body), refusesAt("generationConfig.topK"));
});
