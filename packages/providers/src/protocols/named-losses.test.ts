import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Format } from "../format.ts";
import type { ChatSide } from "../format-sides.ts";
import { type JsonRecord, listOf, recordOf } from "../shared/json-fields.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { baiduChat } from "../vendors/baidu/format.ts";
import { cohereChat } from "./cohere/cohere.ts";
import { geminiContent } from "./gemini/gemini.ts";
import { ollamaChat } from "../vendors/ollama/format.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiCompletions } from "./openai-chat/completions/openai-completions.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";

const FORMATS = {
  "chat completions": openAiChat(),
  Responses: openAiResponses,
  Anthropic: anthropicMessages("2023-06-01"),
  Gemini: geminiContent,
};
type Name = keyof typeof FORMATS;
/** Formats of callers only. */
const ASKED = { ...FORMATS, completions: openAiCompletions };
type Asked = keyof typeof ASKED;

function chatOf(format: Format): ChatSide {
  assert.ok(format.chat !== undefined);
  return format.chat;
}

/** Translates a request from one format to another. */
function write(caller: Asked, provider: Name, body: JsonRecord) {
  const asked = ASKED[caller].chat ?? ASKED[caller].askedChat;
  assert.ok(asked !== undefined);
  return chatOf(FORMATS[provider]).writeRequest(asked.readRequest({ model: "m", ...body }));
}

const hello = [{ role: "user", content: "Hi" }];
const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
const pixel = "data:image/png;base64,iVBORw0KGgo=";
const result = (content: unknown) => [
  { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }] },
  { role: "tool", tool_call_id: "c", content },
];
const document = { type: "document", source: { type: "text", media_type: "text/plain", data: "A" } };

const LOSSES: readonly (readonly [what: string, Asked, Name, JsonRecord, readonly string[]])[] = [
  [
    "that one of the provider's own tools must be called",
    "Responses",
    "Anthropic",
    { input: "Hi", tool_choice: { type: "web_search" } },
    ["tool_choice"],
  ],
  [
    "how a model thinks, besides how much",
    "Responses",
    "Anthropic",
    { input: "Hi", reasoning: { mode: "pro", context: "all_turns" }, text: { verbosity: "low" } },
    ["reasoning.context", "reasoning.mode", "text.verbosity"],
  ],
  [
    "what is so for everybody",
    "Responses",
    "Anthropic",
    { input: "Hi", reasoning: { mode: "standard", context: "auto" } },
    [],
  ],
  [
    "what a task may take, and thoughts that are not to be shown",
    "Anthropic",
    "chat completions",
    {
      model: "gpt-5",
      messages: hello,
      max_tokens: 2_048,
      output_config: { task_budget: { type: "tokens", total: 20_000 } },
      thinking: { type: "enabled", budget_tokens: 1_024, display: "omitted" },
    },
    ["output_config.task_budget", "thinking.display"],
  ],
  [
    "thoughts that are not to be shown, where that can be said",
    "Anthropic",
    "Responses",
    { messages: hello, max_tokens: 2_048, thinking: { type: "enabled", budget_tokens: 1_024, display: "omitted" } },
    [],
  ],
  [
    "probabilities",
    "Responses",
    "Anthropic",
    { input: "Hi", include: ["message.output_text.logprobs"], top_logprobs: 2 },
    ["include.logprobs", "top_logprobs"],
  ],
  [
    "sound that a tool has answered",
    "Responses",
    "Anthropic",
    { input: [{ type: "function_call_output", call_id: "c", output: [{ type: "input_audio" }] }] },
    ["messages.tool_result.input_audio"],
  ],
  [
    "that a custom tool must be called",
    "chat completions",
    "Anthropic",
    { messages: hello, tool_choice: { type: "custom", custom: { name: "x" } } },
    ["tool_choice"],
  ],
  [
    "what the model has said aloud",
    "chat completions",
    "Gemini",
    { messages: [...hello, { role: "assistant", audio: { id: "audio_1" } }] },
    ["messages.audio"],
  ],
  [
    "what a tool has answered besides texts, pictures and files",
    "chat completions",
    "Anthropic",
    { messages: [...hello, ...result([{ type: "video_url", video_url: { url: "https://host.example/a.mp4" } }])] },
    ["messages.tool_result.video_url"],
  ],
  [
    "how finely a picture is looked at",
    "chat completions",
    "Gemini",
    { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: pixel, detail: "low" } }] }] },
    ["messages.image_url.detail"],
  ],
  [
    "a picture among the instructions",
    "Responses",
    "Gemini",
    { input: [{ role: "developer", content: [{ type: "input_image", image_url: pixel }] }, ...hello] },
    ["messages.system.image"],
  ],
  [
    "that arguments keep to the schema",
    "chat completions",
    "Gemini",
    { messages: hello, tools: [{ type: "function", function: { name: "f", strict: true } }] },
    ["tools.strict"],
  ],
  ["who speaks", "chat completions", "Responses", { messages: [{ ...hello[0], name: "Ann" }] }, ["messages.name"]],
  [
    "a picture that the model has shown",
    "Gemini",
    "Responses",
    {
      contents: [
        ...contents,
        { role: "model", parts: [{ inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } }] },
      ],
    },
    ["messages.image"],
  ],
  [
    "that documents be cited, and what is told of them",
    "Anthropic",
    "Gemini",
    { messages: [{ role: "user", content: [{ ...document, context: "Old", citations: { enabled: true } }] }] },
    ["messages.citations", "messages.document.context"],
  ],
  [
    "what a tool refers to",
    "Anthropic",
    "chat completions",
    {
      messages: [
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: [{ type: "tool_reference" }] }] },
      ],
    },
    ["messages.tool_result.tool_reference"],
  ],
  [
    "where a search is",
    "Gemini",
    "Anthropic",
    { contents, toolConfig: { retrievalConfig: {} } },
    ["toolConfig.retrievalConfig"],
  ],
  [
    "that the answer is one of some words",
    "Gemini",
    "chat completions",
    {
      contents,
      generationConfig: { responseMimeType: "text/x.enum", responseSchema: { type: "STRING", enum: ["a", "b"] } },
    },
    ["generationConfig.responseMimeType"],
  ],
  [
    "a stretch of a film",
    "Gemini",
    "chat completions",
    { contents: [{ parts: [{ text: "Hi", videoMetadata: { startOffset: "1s" } }] }] },
    ["contents.parts.videoMetadata"],
  ],
  [
    "for how long the provider keeps the prompt",
    "Responses",
    "chat completions",
    { input: "Hi", prompt_cache_retention: "24h" },
    ["prompt_cache_retention"],
  ],
  [
    "other ways to complete a prompt",
    "completions",
    "Anthropic",
    { prompt: ["Hi"], echo: true, logprobs: 2, best_of: 3, suffix: null },
    ["best_of", "echo", "logprobs"],
  ],
  ["Google's search", "Gemini", "Anthropic", { contents, tools: [{ googleSearch: {} }] }, ["tools.googleSearch"]],
];

/** Provider formats without failed tool results and cache marks. */
const OF_PROVIDERS = { Ollama: ollamaChat, Cohere: cohereChat, Baidu: baiduChat };
const FAILED: JsonRecord = {
  tools: [{ name: "f", input_schema: { type: "object" } }],
  messages: [
    { role: "user", content: [{ type: "text", text: "Hi", cache_control: { type: "ephemeral" } }] },
    { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c", is_error: true, content: "Out of order" }] },
  ],
};

describe("Dropped fields of a request are named", () => {
  for (const [name, { chat }] of Object.entries(OF_PROVIDERS)) {
    it(`tool errors and cache marks, from Anthropic to ${name}`, () => {
      const { dropped = [] } =
        chat?.writeRequest(chatOf(FORMATS.Anthropic).readRequest({ model: "m", ...FAILED })) ?? {};
      assert.deepEqual(dropped.toSorted(), ["cache_control", "messages.tool_result.is_error"]);
    });
  }

  for (const [what, caller, provider, body, names] of LOSSES) {
    it(`${what}, from ${caller} to ${provider}`, () =>
      assert.deepEqual(write(caller, provider, body).dropped.toSorted(), names));
  }
});

const chatTool = (name: string) => ({ type: "function", function: { name } });
const ownTool = (name: string) => ({ type: "function", name });
const NAMES = ["a", "b", "c"];
const ALLOWED = ["a", "c"];

/** Requests that allow two of three tools, by format. */
const CHOOSY: readonly (readonly [Name, JsonRecord])[] = [
  [
    "chat completions",
    {
      messages: hello,
      tools: NAMES.map(chatTool),
      tool_choice: { type: "allowed_tools", allowed_tools: { mode: "required", tools: ALLOWED.map(chatTool) } },
    },
  ],
  [
    "Responses",
    {
      input: "Hi",
      tools: NAMES.map(ownTool),
      tool_choice: { type: "allowed_tools", mode: "required", tools: ALLOWED.map(ownTool) },
    },
  ],
  [
    "Gemini",
    {
      contents,
      tools: [{ functionDeclarations: NAMES.map((name) => ({ name })) }],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ALLOWED } },
    },
  ],
];

describe("A request that allows some of its tools", () => {
  for (const [caller, body] of CHOOSY) {
    it(`declares only these in a format without an allow list, from ${caller}`, () => {
      const { body: written, dropped } = write(caller, "Anthropic", body);
      const tools = listOf(written.tools).map((tool) => recordOf(tool).name);
      assert.deepEqual([tools, written.tool_choice, dropped], [ALLOWED, { type: "any" }, []]);
    });
  }
});
