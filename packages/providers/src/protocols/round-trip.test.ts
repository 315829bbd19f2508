import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Format } from "../format.ts";
import type { ChatSide } from "../format-sides.ts";
import { UntranslatableError } from "../neutral/chat-request.ts";
import { type JsonRecord, listOf } from "../shared/json-fields.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";

function chatOf(format: Format): ChatSide {
  assert.ok(format.chat !== undefined);
  return format.chat;
}

const openAi = chatOf(openAiChat({ cacheMarks: true, thoughts: "details", reasoning: "effort-always" }));
const plainOpenAi = chatOf(openAiChat());
const anthropic = chatOf(anthropicMessages("2023-06-01"));
const newAnthropic = chatOf(anthropicMessages("2026-10-21"));

const PIXEL = "iVBORw0KGgo=";
const weather = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

const fromOpenAi: JsonRecord = {
  model: "claude-opus-4-5",
  messages: [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "Where was this?", cache_control: { type: "ephemeral" } },
        { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
        { type: "image_url", image_url: { url: "https://host.example/a.jpg" } },
        { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
      ],
    },
    {
      role: "assistant",
      content: "Let me look.",
      reasoning_details: [
        { type: "reasoning.text", text: "Two towns.", signature: "c2ln", index: 0 },
        { type: "reasoning.encrypted", data: "aGlkZGVu", index: 1 },
      ],
      tool_calls: [
        { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Bonn"}' } },
        { id: "call_2", type: "function", function: { name: "weather", arguments: '{"city":"Ulm"}' } },
      ],
    },
    { role: "tool", tool_call_id: "call_1", content: "Rain" },
    { role: "tool", tool_call_id: "call_2", content: "Sun" },
    { role: "user", content: "And now?" },
  ],
  tools: [
    {
      type: "function",
      function: { name: "weather", description: "Looks it up.", parameters: weather, strict: true },
      cache_control: { type: "ephemeral", ttl: "1h" },
    },
  ],
  tool_choice: "auto",
  parallel_tool_calls: false,
  max_completion_tokens: 30_000,
  stop: ["END"],
  response_format: { type: "json_schema", json_schema: { name: "answer", schema: weather } },
  reasoning_effort: "medium",
  user: "u1",
  stream: true,
  stream_options: { include_usage: true },
};

const asAnthropic: JsonRecord = {
  model: "claude-opus-4-5",
  max_tokens: 30_000,
  system: "Be brief.",
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "Where was this?", cache_control: { type: "ephemeral" } },
        { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
        { type: "image", source: { type: "url", url: "https://host.example/a.jpg" } },
        {
          type: "document",
          source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
          title: "a.pdf",
        },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Two towns.", signature: "c2ln" },
        { type: "redacted_thinking", data: "aGlkZGVu" },
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "call_1", name: "weather", input: { city: "Bonn" } },
        { type: "tool_use", id: "call_2", name: "weather", input: { city: "Ulm" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "call_1", content: [{ type: "text", text: "Rain" }] },
        { type: "tool_result", tool_use_id: "call_2", content: [{ type: "text", text: "Sun" }] },
        { type: "text", text: "And now?" },
      ],
    },
  ],
  tools: [
    {
      name: "weather",
      description: "Looks it up.",
      input_schema: weather,
      strict: true,
      cache_control: { type: "ephemeral", ttl: "1h" },
    },
  ],
  tool_choice: { type: "auto", disable_parallel_tool_use: true },
  stop_sequences: ["END"],
  output_config: { format: { type: "json_schema", schema: weather } },
  thinking: { type: "enabled", budget_tokens: 8_192 },
  metadata: { user_id: "u1" },
  stream: true,
};

describe("a request of OpenAI's format for Anthropic", () => {
  it("retains everything that both formats support", () => {
    const { body, dropped } = anthropic.writeRequest(openAi.readRequest(fromOpenAi));
    assert.deepEqual(body, asAnthropic);
    assert.deepEqual(dropped, []);
  });

  it("is the same after a translation and back", () => {
    const there = anthropic.writeRequest(openAi.readRequest(fromOpenAi)).body;
    const { body, dropped } = openAi.writeRequest(anthropic.readRequest(there));
    assert.deepEqual(body, fromOpenAi);
    assert.deepEqual(dropped, []);
  });

  it("names dropped fields", () => {
    const { body, dropped } = anthropic.writeRequest(
      openAi.readRequest({
        model: "claude-3-haiku-20240307",
        messages: [
          {
            role: "user",
            name: "ann",
            content: [
              { type: "text", text: "Hear" },
              { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
            ],
          },
        ],
        n: 2,
        seed: 1,
        temperature: 1.5,
        logprobs: true,
        store: false,
        reasoning_effort: "high",
        response_format: { type: "json_object" },
        stop: [" ", "END"],
        frequency_penalty: 0,
        presence_penalty: 1,
      }),
    );
    assert.deepEqual(body, {
      model: "claude-3-haiku-20240307",
      max_tokens: 4_096,
      messages: [{ role: "user", content: "Hear" }],
      stop_sequences: ["END"],
      temperature: 1,
    });
    assert.deepEqual([...dropped].toSorted(), [
      "logprobs",
      "messages.input_audio",
      "messages.name",
      "n",
      "presence_penalty",
      "reasoning_effort",
      "response_format",
      "seed",
      "stop",
      "temperature",
    ]);
  });

  it("writes later system messages if the version supports them, and no sampling in the newer one", () => {
    const request = openAi.readRequest({
      model: "claude-opus-4-6",
      messages: [
        { role: "developer", content: "One." },
        { role: "user", content: "Hi" },
        { role: "system", content: "Two." },
      ],
      temperature: 0.5,
    });
    const older = anthropic.writeRequest(request);
    assert.deepEqual(older.body.system, [
      { type: "text", text: "One." },
      { type: "text", text: "Two." },
    ]);
    assert.equal(older.body.temperature, 0.5);
    const newer = newAnthropic.writeRequest(request);
    assert.deepEqual(newer.body.messages, [
      { role: "user", content: "Hi" },
      { role: "system", content: "Two." },
    ]);
    assert.equal(newer.body.system, "One.");
    assert.equal(newer.body.temperature, undefined);
    assert.deepEqual(newer.dropped, ["temperature"]);
  });

  it("sets an effort for newer models, and none if it would be refused", () => {
    const ask = (fields: JsonRecord) =>
      anthropic.writeRequest(
        openAi.readRequest({ messages: [{ role: "user", content: "Hi" }], reasoning_effort: "low", ...fields }),
      );
    const newest = ask({ model: "claude-opus-4-6" });
    assert.deepEqual([newest.body.thinking, newest.body.output_config], [{ type: "adaptive" }, { effort: "low" }]);
    assert.deepEqual(ask({ model: "claude-sonnet-4-5", reasoning_effort: "none" }).body.thinking, { type: "disabled" });
    const short = ask({ model: "claude-sonnet-4-5", max_tokens: 500 });
    assert.deepEqual([short.body.thinking, short.dropped], [undefined, ["reasoning_effort"]]);
    const tools = [{ type: "function", function: { name: "f", parameters: weather } }];
    const forced = ask({ model: "claude-sonnet-4-5", tools, tool_choice: "required" });
    assert.deepEqual([forced.body.tool_choice, forced.dropped], [{ type: "any" }, ["reasoning_effort"]]);
  });

  it("continues without thinking if the caller has dropped the thoughts of the last messages", () => {
    const call = { id: "c", type: "function", function: { name: "f", arguments: "" } };
    const { body, dropped } = anthropic.writeRequest(
      openAi.readRequest({
        model: "claude-sonnet-4-5",
        reasoning_effort: "low",
        messages: [
          { role: "user", content: "Hi" },
          { role: "assistant", content: null, reasoning_content: "Hm.", tool_calls: [call] },
          { role: "tool", tool_call_id: "c", content: "1" },
        ],
      }),
    );
    assert.deepEqual(dropped.toSorted(), ["messages.reasoning", "reasoning_effort"]);
    assert.equal(body.thinking, undefined);
    assert.deepEqual(body.messages, [
      { role: "user", content: "Hi" },
      { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: "1" }] }],
      },
    ]);
    // Calls require tools, which the caller no longer declares.
    assert.deepEqual(body.tools, [{ name: "f", input_schema: { type: "object" } }]);
    assert.deepEqual(body.tool_choice, { type: "none" });
  });

  it("puts tool results before the user's text in the same message", () => {
    const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
    const { body } = anthropic.writeRequest(
      openAi.readRequest({
        model: "claude-opus-5",
        max_tokens: 7,
        max_completion_tokens: 9,
        messages: [
          { role: "assistant", content: null, tool_calls: [call] },
          { role: "user", content: "Wait." },
          { role: "tool", tool_call_id: "c", content: "1" },
        ],
      }),
    );
    assert.deepEqual(listOf(body.messages)[1], {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: "1" }] },
        { type: "text", text: "Wait." },
      ],
    });
    // The smallest limit applies.
    assert.equal(body.max_tokens, 7);
  });

  it("turns instructions alone into a user message", () => {
    for (const chat of [anthropic, newAnthropic]) {
      const { body } = chat.writeRequest(
        openAi.readRequest({ model: "claude-opus-5", messages: [{ role: "system", content: "Say hi." }] }),
      );
      assert.deepEqual([body.system, body.messages], [undefined, [{ role: "user", content: "Say hi." }]]);
    }
  });

  it("accepts the deprecated ways to name functions", () => {
    const { body } = anthropic.writeRequest(
      openAi.readRequest({
        model: "claude-3-haiku-20240307",
        functions: [{ name: "f", parameters: weather }],
        function_call: { name: "f" },
        messages: [
          { role: "user", content: "Hi" },
          { role: "assistant", content: null, function_call: { name: "f", arguments: '{"city":"Ulm"}' } },
          { role: "function", name: "f", content: "Sun" },
        ],
      }),
    );
    assert.deepEqual(body.tool_choice, { type: "tool", name: "f", disable_parallel_tool_use: true });
    assert.deepEqual(body.tools, [{ name: "f", input_schema: weather }]);
    assert.deepEqual(body.messages, [
      { role: "user", content: "Hi" },
      { role: "assistant", content: [{ type: "tool_use", id: "", name: "f", input: { city: "Ulm" } }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "", content: [{ type: "text", text: "Sun" }] }],
      },
    ]);
  });
});

describe("a request of Anthropic's format for OpenAI", () => {
  it("is the same after a translation to the neutral form and back", () => {
    assert.deepEqual(anthropic.writeRequest(anthropic.readRequest(asAnthropic)).body, asAnthropic);
    const native = {
      ...asAnthropic,
      tools: [{ type: "web_search_20250305", name: "web_search" }],
      context_management: { edits: [] },
      metadata: { user_id: "u1", team: "x" },
    };
    const again = anthropic.writeRequest(anthropic.readRequest(native));
    assert.deepEqual(again.body.tools, native.tools);
    assert.deepEqual(again.body.context_management, native.context_management);
    assert.deepEqual(again.dropped, []);
  });

  it("names dropped fields: thoughts, cache marks, the provider's own tools and fields", () => {
    const { body, dropped } = plainOpenAi.writeRequest(
      anthropic.readRequest({
        model: "gpt-4o",
        max_tokens: 100,
        top_k: 5,
        system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
        messages: [
          { role: "user", content: "Hi" },
          {
            role: "assistant",
            content: [
              { type: "thinking", thinking: "Hm.", signature: "s" },
              { type: "tool_use", id: "toolu_1", name: "look", input: {} },
            ],
          },
          {
            role: "user",
            content: [
              {
                type: "tool_result",
                tool_use_id: "toolu_1",
                is_error: true,
                content: [
                  { type: "text", text: "See" },
                  { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
                ],
              },
            ],
          },
        ],
        thinking: { type: "enabled", budget_tokens: 2_000 },
        tools: [{ type: "web_search_20250305", name: "web_search" }],
        metadata: { user_id: "x".repeat(65) },
        mcp_servers: [],
      }),
    );
    assert.deepEqual(body, {
      model: "gpt-4o",
      max_completion_tokens: 100,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "toolu_1", type: "function", function: { name: "look", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "toolu_1", content: "See" },
        { role: "user", content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } }] },
      ],
    });
    assert.deepEqual([...dropped].toSorted(), [
      "cache_control",
      "mcp_servers",
      "messages.thinking",
      "messages.tool_result.is_error",
      "reasoning",
      "tools.web_search",
      "top_k",
      "user",
    ]);
  });

  it("has a single string if all parts are text, as the simplest servers require", () => {
    const texts = [
      { type: "text", text: "One." },
      { type: "text", text: "Two." },
    ];
    const { body } = plainOpenAi.writeRequest(
      anthropic.readRequest({ model: "m", max_tokens: 1, system: texts, messages: [{ role: "user", content: texts }] }),
    );
    assert.deepEqual(body.messages, [
      { role: "system", content: "One.\n\nTwo." },
      { role: "user", content: "One.\n\nTwo." },
    ]);
  });

  it("is refused if the provider stores the conversation", () => {
    const kept = { model: "gpt-4o", max_tokens: 1, messages: [{ role: "user", content: "Hi" }] };
    for (const fields of [{ thread: { type: "new" } }, { previous_message_id: "msg_1" }]) {
      const request = anthropic.readRequest({ ...kept, ...fields });
      assert.throws(
        () => plainOpenAi.writeRequest(request),
        (error) => error instanceof UntranslatableError && Object.keys(fields).includes(error.field),
      );
      assert.doesNotThrow(() => anthropic.writeRequest(request));
    }
    const compacted = { role: "user", content: [{ type: "compaction", content: "x" }] };
    assert.throws(
      () => plainOpenAi.writeRequest(anthropic.readRequest({ ...kept, messages: [compacted] })),
      /compaction/,
    );
  });

  it("converts a thinking budget into an effort", () => {
    const ask = (model: string, budget: number) =>
      plainOpenAi.writeRequest(
        anthropic.readRequest({
          model,
          max_tokens: 64_000,
          messages: [{ role: "user", content: "Hi" }],
          thinking: { type: "enabled", budget_tokens: budget },
        }),
      ).body.reasoning_effort;
    assert.deepEqual([ask("gpt-5", 1_024), ask("o3", 10_000), ask("gpt-5.1", 20_000)], ["low", "medium", "high"]);
    assert.equal(ask("gpt-4o", 1_024), undefined);
  });
});

describe("unreadable requests are named", () => {
  for (const chat of [openAi, anthropic]) {
    it("by field", () => {
      assert.throws(() => chat.readRequest({ model: "m" }), /^UntranslatableError: messages must be a list/);
      assert.throws(() => chat.readRequest({ model: "m", messages: [{ role: "robot" }] }), /messages\.0\.role must be/);
    });
  }
});
