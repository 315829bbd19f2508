import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChatEvent } from "../../neutral/chat-answer.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import { type JsonRecord, listOf, recordOf } from "../../shared/json-fields.ts";
import { anthropicMessages } from "../../protocols/anthropic-messages/anthropic-messages.ts";
import { cohereEmbeddings } from "../../protocols/cohere/cohere.ts";
import { openAiChat } from "../../protocols/openai-chat/openai-chat.ts";
import { bedrockConverse } from "./format.ts";
import { bedrockEmbeddings } from "./embeddings.ts";
import { carriesError, readError } from "./read-error.ts";

const CLAUDE = "global.anthropic.claude-opus-4-5-20251101-v1:0";
const NOVA = "us.amazon.nova-2-lite-v1:0";
const LLAMA = "us.meta.llama4-scout-17b-instruct-v1:0";
const hello = { role: "user", content: "hello" };
const weather = { type: "function", function: { name: "weather", parameters: { type: "object" }, strict: true } };
const PIXEL = "iVBORw0KGgo=";

function write(asked: JsonRecord, model: string = CLAUDE) {
  const request = openAiChat({
    reasoning: "effort-always",
    topK: true,
    cacheMarks: true,
    thoughts: "details",
  }).chat?.readRequest({
    model,
    messages: [hello],
    ...asked,
  });
  const chat = bedrockConverse(model).chat;
  assert.ok(request !== undefined && chat !== undefined);
  const { body, dropped } = chat.writeRequest(request);
  return { body, dropped: [...dropped].toSorted() };
}

function contentOf(asked: JsonRecord, model?: string): readonly unknown[] {
  return listOf(write(asked, model).body.messages).flatMap((message) => [...listOf(recordOf(message).content)]);
}

describe("a chat for Bedrock", () => {
  it("has the common fields, and each family's own fields", () => {
    const asked = { max_tokens: 9_000, temperature: 1.5, top_p: 0.5, top_k: 20, stop: ["END", " "], seed: 1, n: 2 };
    const claude = write(asked);
    assert.deepEqual(claude.body, {
      messages: [{ role: "user", content: [{ text: "hello" }] }],
      inferenceConfig: { maxTokens: 9_000, temperature: 1, stopSequences: ["END"] },
      additionalModelRequestFields: { top_k: 20 },
      additionalModelResponseFieldPaths: ["/stop_sequence", "/delta/stop_sequence"],
    });
    assert.deepEqual(claude.dropped, ["n", "seed", "stop", "temperature", "top_p"]);
    const newest = write(asked, "eu.anthropic.claude-opus-5-5");
    assert.deepEqual(newest.body.inferenceConfig, { maxTokens: 9_000, stopSequences: ["END"] });
    assert.deepEqual(newest.dropped, ["n", "seed", "stop", "temperature", "top_k", "top_p"]);
    assert.deepEqual(write(asked, NOVA).body.additionalModelRequestFields, { inferenceConfig: { topK: 20 } });
    assert.deepEqual(write(asked, LLAMA).dropped, ["n", "seed", "stop", "temperature", "top_k"]);
  });

  it("sets reasoning in each family's own field", () => {
    const asked = { max_tokens: 20_000, reasoning_effort: "high", temperature: 0.2 };
    const claude = write(asked);
    const thinking = { type: "enabled", budget_tokens: 16_384 };
    assert.deepEqual(claude.body.additionalModelRequestFields, { thinking });
    assert.deepEqual([claude.body.inferenceConfig, claude.dropped], [{ maxTokens: 20_000 }, ["temperature"]]);
    const newer = write(asked, "global.anthropic.claude-opus-5");
    assert.deepEqual(newer.body.additionalModelRequestFields, {
      thinking: { type: "adaptive" },
      output_config: { effort: "high" },
    });
    const nova = write(asked, NOVA).body.additionalModelRequestFields;
    assert.deepEqual(nova, { reasoningConfig: { type: "enabled", maxReasoningEffort: "high" } });
    assert.deepEqual(write(asked, "openai.gpt-oss-120b-1:0").body.additionalModelRequestFields, {
      reasoning_effort: "high",
    });
    assert.deepEqual(write(asked, LLAMA).dropped, ["reasoning_effort"]);
  });

  it("declares tools, their choice and schemas where the model supports them", () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };
    const asked = {
      tools: [weather],
      tool_choice: { type: "function", function: { name: "weather" } },
      response_format: { type: "json_schema", json_schema: { name: "x", schema } },
      parallel_tool_calls: false,
    };
    const claude = write(asked);
    const spec = {
      name: "weather",
      strict: true,
      inputSchema: { json: { type: "object", additionalProperties: false } },
    };
    assert.deepEqual(claude.body.toolConfig, {
      tools: [{ toolSpec: spec }],
      toolChoice: { tool: { name: "weather" } },
    });
    const structure = { jsonSchema: { schema: JSON.stringify(schema), name: "x" } };
    assert.deepEqual(claude.body.outputConfig, { textFormat: { type: "json_schema", structure } });
    assert.deepEqual([...claude.dropped].toSorted(), ["parallel_tool_calls", "tools.strict.additionalProperties"]);
    const llama = write(asked, LLAMA);
    assert.deepEqual(llama.dropped, ["parallel_tool_calls", "response_format", "tool_choice", "tools.strict"]);
    assert.equal(write({ tools: [weather], tool_choice: "none" }).body.toolConfig, undefined);
  });

  it("alternates roles, moves system messages to the front and omits empty messages", () => {
    const system = (content: string) => ({ role: "system", content });
    const { body } = write({
      messages: [system("Be brief."), hello, hello, { role: "assistant", content: " " }, system("Be kind."), hello],
    });
    assert.deepEqual(body, {
      system: [{ text: "Be brief." }, { text: "Be kind." }],
      messages: [{ role: "user", content: [{ text: "hello" }, { text: "hello" }, { text: "hello" }] }],
    });
    assert.deepEqual(contentOf({ messages: [system("Alone.")] }), [{ text: "Alone." }]);
  });

  it("sends pictures, documents and videos inline, and refuses other addresses with the fix", () => {
    const url = (address: string) => ({ type: "image_url", image_url: { url: address } });
    const file = (filename: string, type: string) => ({
      type: "file",
      file: { filename, file_data: `data:${type};base64,aGk=` },
    });
    const content = [
      url(`data:image/jpg;base64,${PIXEL}`),
      file("Größe, 1.pdf", "application/pdf"),
      file("a.mp4", "video/mp4"),
    ];
    assert.deepEqual(
      contentOf({ messages: [{ role: "user", content: [...content, file("Größe, 1.pdf", "application/pdf")] }] }),
      [
        { image: { format: "jpeg", source: { bytes: PIXEL } } },
        { document: { format: "pdf", name: "Gr e 1", source: { bytes: "aGk=" } } },
        { video: { format: "mp4", source: { bytes: "aGk=" } } },
        { document: { format: "pdf", name: "Gr e 1 (2)", source: { bytes: "aGk=" } } },
        { text: "Gr e 1" },
      ],
    );
    const stored = { image: { format: "webp", source: { s3Location: { uri: "s3://b/a.webp" } } } };
    assert.deepEqual(contentOf({ messages: [{ role: "user", content: [url("s3://b/a.webp")] }] }), [stored]);
    const far = { messages: [{ role: "user", content: [url("https://host.example/a.png")] }] };
    assert.throws(
      () => write(far),
      (thrown) => thrown instanceof UntranslatableError && /data URLs/.test(thrown.message),
    );
  });

  it("marks cacheable content, with lifetimes that the model's family supports", () => {
    const marked = (ttl: string) => ({ type: "text", text: "long", cache_control: { type: "ephemeral", ttl } });
    const asked = { messages: [{ role: "user", content: [marked("1h"), marked("5m")] }] };
    const text = { text: "long" };
    const five = { cachePoint: { type: "default" } };
    assert.deepEqual(contentOf(asked), [text, { cachePoint: { type: "default", ttl: "1h" } }, text, five]);
    assert.deepEqual(contentOf(asked, NOVA), [text, five, text, five]);
    assert.deepEqual(write(asked, LLAMA).dropped, ["cache_control"]);
  });

  it("returns calls, results and signed thoughts; thoughts only to Claude", () => {
    const anthropic = anthropicMessages("2023-06-01").chat;
    const turns = [
      { role: "user", content: "Ulm" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Look it up.", signature: "sig" },
          { type: "redacted_thinking", data: "aGlk" },
          { type: "tool_use", id: "call_1", name: "weather", input: { city: "Ulm" } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "Sunny", is_error: true }] },
    ];
    const writeFor = (model: string) => {
      const request = anthropic?.readRequest({ model, max_tokens: 10, messages: turns });
      assert.ok(request !== undefined);
      return bedrockConverse(model).chat?.writeRequest(request);
    };
    const { messages, toolConfig } = writeFor(CLAUDE)?.body ?? {};
    const call = { toolUse: { toolUseId: "call_1", name: "weather", input: { city: "Ulm" } } };
    const result = { toolResult: { toolUseId: "call_1", content: [{ text: "Sunny" }], status: "error" } };
    assert.deepEqual(listOf(messages).slice(1), [
      {
        role: "assistant",
        content: [
          { reasoningContent: { reasoningText: { text: "Look it up.", signature: "sig" } } },
          { reasoningContent: { redactedContent: "aGlk" } },
          call,
        ],
      },
      { role: "user", content: [result] },
    ]);
    assert.deepEqual(toolConfig, {
      tools: [{ toolSpec: { name: "weather", inputSchema: { json: { type: "object" } } } }],
    });
    const nova = writeFor(NOVA);
    assert.deepEqual(nova?.dropped, ["messages.reasoning"]);
    assert.deepEqual(listOf(nova?.body.messages)[1], { role: "assistant", content: [call] });
  });
});

describe("an answer of Bedrock", () => {
  const usage = {
    inputTokens: 10,
    outputTokens: 5,
    cacheReadInputTokens: 100,
    cacheWriteInputTokens: 30,
    cacheDetails: [
      { ttl: "1h", inputTokens: 20 },
      { ttl: "5m", inputTokens: 10 },
    ],
  };

  it("is read with thoughts, calls, finish reason and cache usage", () => {
    const content = [
      { reasoningContent: { reasoningText: { text: "Hm.", signature: "sig" } } },
      { reasoningContent: { redactedContent: "aGlk" } },
      { text: "Hi" },
      { toolUse: { toolUseId: "t1", name: "weather", input: { city: "Ulm" } } },
    ];
    const answer = {
      output: { message: { role: "assistant", content } },
      stopReason: "stop_sequence",
      additionalModelResponseFields: { stop_sequence: "END" },
      usage,
    };
    const read = bedrockConverse(CLAUDE).chat?.readAnswer?.(answer);
    assert.deepEqual(read?.choices[0]?.parts, [
      { type: "reasoning", text: "Hm.", signature: "sig" },
      { type: "hidden-reasoning", data: "aGlk" },
      { type: "text", text: "Hi" },
      { type: "tool-call", id: "t1", name: "weather", input: '{"city":"Ulm"}' },
    ]);
    assert.deepEqual(read.choices[0].finish, { reason: "stop", stopSequence: "END" });
    const { promptTokens, cachedTokens, cacheWriteTokens, longCacheWriteTokens } = read.usage ?? {};
    assert.deepEqual([promptTokens, cachedTokens, cacheWriteTokens, longCacheWriteTokens], [140, 100, 10, 20]);
    // Only Claude's signatures count as Anthropic's.
    const nova = bedrockConverse(NOVA).chat?.readAnswer?.(answer).choices[0]?.parts[0];
    assert.deepEqual(nova, { type: "reasoning", text: "Hm.", signature: "" });
    for (const [stopReason, reason] of [
      ["guardrail_intervened", "refusal"],
      ["content_filtered", "refusal"],
      ["model_context_window_exceeded", "context"],
    ]) {
      assert.equal(
        bedrockConverse(CLAUDE).chat?.readAnswer?.({ ...answer, stopReason }).choices[0]?.finish.reason,
        reason,
      );
    }
  });

  it("is read as a stream of parallel calls, which ends after both stop and usage", () => {
    const decoder = bedrockConverse(CLAUDE).chat?.decode();
    const read = (name: string, event: object): readonly ChatEvent[] =>
      decoder?.read(name, JSON.stringify({ ...event, p: "ab" })) ?? [];
    const block = (contentBlockIndex: number, rest: object) => ({ contentBlockIndex, ...rest });
    const start = (id: string) => ({ start: { toolUse: { toolUseId: id, name: "f" } } });
    const events = [
      ...read("messageStart", { role: "assistant" }),
      ...read("contentBlockDelta", block(0, { delta: { reasoningContent: { text: "Hm." } } })),
      ...read("contentBlockDelta", block(0, { delta: { reasoningContent: { signature: "sig" } } })),
      ...read("contentBlockStart", block(1, start("a"))),
      ...read("contentBlockStart", block(2, start("b"))),
      ...read("contentBlockDelta", block(2, { delta: { toolUse: { input: '{"x":1}' } } })),
      ...read("contentBlockStop", block(1, {})),
      ...read("contentBlockStop", block(2, {})),
      ...read("something new", {}),
      ...read("metadata", { usage }),
      ...read("messageStop", { stopReason: "tool_use" }),
    ];
    const short = events.map((event) => ("call" in event ? `${event.type} ${event.call}` : event.type));
    assert.deepEqual(short, [
      "answer-start",
      "reasoning-delta",
      "reasoning-signature",
      "tool-call-start 0",
      "tool-call-start 1",
      "tool-input-delta 1",
      "tool-input-delta 0",
      "usage-report",
      "answer-finish",
      "stream-end",
    ]);
  });

  it("does not end with its stop, because usage follows", () => {
    const decoder = bedrockConverse(CLAUDE).chat?.decode();
    const read = (name: string, event: object) => decoder?.read(name, JSON.stringify(event)).map(({ type }) => type);
    assert.deepEqual(read("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Hi" } }), [
      "answer-start",
      "text-delta",
    ]);
    assert.deepEqual(read("messageStop", { stopReason: "end_turn" }), ["answer-finish"]);
    assert.deepEqual(read("metadata", { usage }), ["usage-report", "stream-end"]);
  });
});

describe("a refusal of Bedrock", () => {
  const kinds = [
    ["ThrottlingException:http://internal.amazon.com/coral/", 429, "Too many requests", "rate-limited"],
    ["ServiceQuotaExceededException", 400, "Quota", "rate-limited"],
    ["ModelNotReadyException", 429, "Warming up", "overloaded"],
    ["ServiceUnavailableException", 503, "Busy", "overloaded"],
    ["ModelTimeoutException", 408, "Too slow", "timeout"],
    ["ModelErrorException", 424, "Broke", "server-error"],
    ["InvalidSignatureException", 403, "The request signature does not match", "bad-credential"],
    ["com.amazon.coral.service#ExpiredTokenException", 403, "Expired", "bad-credential"],
    ["AccessDeniedException", 403, "User is not authorized to perform: bedrock:InvokeModel", "bad-credential"],
    ["AccessDeniedException", 403, "You don't have access to the model with the specified model ID.", "unknown-model"],
    ["ValidationException", 400, "The provided model identifier is invalid.", "unknown-model"],
    ["ValidationException", 400, "Input is too long for requested model.", "bad-request"],
    ["ResourceNotFoundException", 404, "This model version has reached the end of its life.", "unknown-model"],
    ["", 500, "Oh", "server-error"],
  ] as const;

  for (const [name, status, message, kind] of kinds) {
    it(`${name || status}: ${message}`, () => {
      const failure = readError(status, { "x-amzn-errortype": name, "retry-after": "7" }, JSON.stringify({ message }));
      assert.deepEqual([failure.kind, failure.status, failure.retryAfterMs], [kind, status, 7_000]);
    });
  }

  it("is recognized with a good status and in either spelling", () => {
    assert.ok(carriesError({ Message: "no" }) && carriesError({ message: "no" }) && !carriesError({ output: {} }));
    assert.equal(readError(403, {}, '{"__type":"a#UnrecognizedClientException","Message":"Bad"}').message, "Bad");
  });

  it("inside of a stream is an exception, and ends it", () => {
    const fail = (name: string) => bedrockConverse(CLAUDE).chat?.decode().read(name, '{"message":"No"}')[0];
    const kindOf = (event: ChatEvent | undefined) => (event?.type === "error" ? event.failure.kind : event?.type);
    const names = ["throttlingException", "modelStreamErrorException", "validationException", "broken-message"];
    assert.deepEqual(
      names.map((name) => kindOf(fail(name))),
      ["rate-limited", "broken-stream", "bad-request", "broken-stream"],
    );
  });
});

describe("embeddings of Bedrock", () => {
  const asked = { inputs: ["a", "b"], dimensions: 256, isBase64: false, isSingle: false, foreign: [] };
  const writeFor = (model: string, inputs: readonly string[]) =>
    bedrockEmbeddings(model, cohereEmbeddings)?.embeddings?.writeRequest({ ...asked, model, inputs });

  it("use the model's own format; Titan receives one text per call", () => {
    const titan = "amazon.titan-embed-text-v2:0";
    assert.deepEqual(writeFor(titan, ["a"])?.body, { inputText: "a", dimensions: 256 });
    assert.throws(() => writeFor(titan, ["a", "b"]), /takes one at a time/);
    assert.deepEqual(writeFor("amazon.titan-embed-text-v1", ["a"])?.dropped, ["dimensions"]);
    const common = { texts: ["a", "b"], input_type: "search_document", embedding_types: ["float"], truncate: "NONE" };
    assert.deepEqual(writeFor("cohere.embed-v4:0", ["a", "b"])?.body, { ...common, output_dimension: 256 });
    const older = writeFor("cohere.embed-multilingual-v3", ["a", "b"]);
    assert.deepEqual([older?.body, older?.dropped], [common, ["dimensions"]]);
    assert.equal(bedrockEmbeddings(CLAUDE, cohereEmbeddings), undefined);
  });

  it("are read with Titan's usage", () => {
    const answer = { embedding: [1, 2], inputTextTokenCount: 3 };
    const titan = bedrockEmbeddings("amazon.titan-embed-text-v2:0", cohereEmbeddings);
    assert.deepEqual(titan?.embeddings?.readAnswer(answer), { model: "", vectors: [[1, 2]], promptTokens: 3 });
    assert.equal(titan.readUsage(answer)?.promptTokens, 3);
    assert.ok(titan.carriesError({ message: "no" }) && !titan.carriesError(answer));
  });
});
