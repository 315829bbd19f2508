import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Format } from "../../format.ts";
import type { ChatSide } from "../../format-sides.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import { type JsonRecord, listOf, recordOf } from "../../shared/json-fields.ts";
import { NO_USAGE } from "../../usage.ts";
import { anthropicMessages } from "../anthropic-messages/anthropic-messages.ts";
import { openAiResponses } from "../openai-responses/openai-responses.ts";
import { openAiChat } from "../openai-chat/openai-chat.ts";
import { geminiContent } from "./gemini.ts";
import { readError } from "./read-error.ts";
import { readSchema } from "./read-schema.ts";
import { readUsage } from "./usage.ts";

function chatOf(format: Format): ChatSide {
  assert.ok(format.chat !== undefined);
  return format.chat;
}

const gemini = chatOf(geminiContent);
const openAi = chatOf(openAiChat({ thoughts: "details", reasoning: "effort-always" }));
const anthropic = chatOf(anthropicMessages("2023-06-01"));

const responses = chatOf(openAiResponses);

const weather = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const MODEL = "gemini-3-flash-preview";

const asked: JsonRecord = {
  systemInstruction: { parts: [{ text: "Be brief." }] },
  contents: [
    {
      role: "user",
      parts: [
        { text: "Where was this?" },
        { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
        { inlineData: { mimeType: "application/pdf", data: "JVBERi0=" } },
      ],
    },
    {
      role: "model",
      parts: [
        { text: "Two towns.", thought: true },
        { text: "Let me look." },
        { functionCall: { id: "c1", name: "weather", args: { city: "Bonn" } }, thoughtSignature: "c2ln" },
        { functionCall: { id: "c2", name: "weather", args: { city: "Ulm" } } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { id: "c1", name: "weather", response: { output: "Rain" } } },
        { functionResponse: { id: "c2", name: "weather", response: { celsius: 20 } } },
      ],
    },
    { role: "user", parts: [{ text: "And now?" }] },
  ],
  tools: [{ functionDeclarations: [{ name: "weather", description: "Looks it up.", parametersJsonSchema: weather }] }],
  toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["weather"] } },
  generationConfig: {
    maxOutputTokens: 500,
    temperature: 0.5,
    stopSequences: ["END"],
    responseMimeType: "application/json",
    responseJsonSchema: weather,
    thinkingConfig: { includeThoughts: true, thinkingLevel: "high" },
  },
};

const write = (request: JsonRecord, side: ChatSide = openAi, model = MODEL) =>
  gemini.writeRequest({ ...side.readRequest(request), model });
const contentsOf = (body: JsonRecord) => listOf(body.contents).map(recordOf);
const thinkingOf = (body: JsonRecord) => recordOf(body.generationConfig).thinkingConfig;

describe("a request of Gemini's format", () => {
  it("is the same after a translation to OpenAI's and back, without Gemini's signatures", () => {
    const throughOpenAi = openAi.writeRequest({ ...gemini.readRequest(asked), model: MODEL });
    assert.deepEqual(throughOpenAi.dropped, []);
    const { body, dropped } = write(throughOpenAi.body);
    assert.deepEqual({ ...body, contents: [] }, { ...asked, contents: [] });
    assert.equal(JSON.stringify(throughOpenAi.body).includes("c2ln"), false);
    assert.deepEqual(dropped, ["messages.reasoning"]);
  });

  it("retains pictures, whatever their URL or media type", () => {
    const urls = [
      "https://a.example/1.webp",
      "https://a.example/book.pdf",
      "https://a.example/film.mp4?x",
      "data:video/mp4;base64,AA==",
    ];
    const content = urls.map((url) => ({ type: "image_url", image_url: { url } }));
    const { parts } = recordOf(listOf(write({ messages: [{ role: "user", content }] }).body.contents)[0]);
    const types = listOf(parts)
      .map(recordOf)
      .map((part) => recordOf(part.fileData ?? part.inlineData).mimeType);
    assert.deepEqual(types, ["image/webp", "image/jpeg", "image/jpeg", "image/jpeg"]);
  });

  it("has the signatures again that callers of other APIs received with an answer", () => {
    const turn = recordOf(listOf(asked.contents)[1]);
    const signed = listOf(turn.parts).filter((part) => recordOf(part).thought !== true);
    const answer = gemini.readAnswer({
      responseId: "1",
      candidates: [{ content: { ...turn, parts: signed }, finishReason: "STOP" }],
    });
    const envelope = { created: 1, reportUsage: true, request: {} };
    const { message } = recordOf(listOf(openAi.writeAnswer(answer, envelope).choices)[0]);
    const { content } = anthropic.writeAnswer(answer, envelope);
    const { output } = responses.writeAnswer(answer, envelope);
    const returned = [
      write({ messages: [message] }),
      write({ messages: [{ role: "assistant", content }] }, anthropic),
      write({ input: output }, responses),
    ];
    for (const { body, dropped } of returned) {
      assert.deepEqual([contentsOf(body), dropped], [[{ role: "model", parts: signed }], []]);
    }
  });

  it("is read in either spelling of its fields", () => {
    const snake: unknown = JSON.parse(
      JSON.stringify(asked).replace(
        /"(systemInstruction|inlineData|mimeType|fileData|fileUri|functionCall|functionResponse|thoughtSignature|functionDeclarations|parametersJsonSchema|toolConfig|functionCallingConfig|allowedFunctionNames|generationConfig|maxOutputTokens|stopSequences|responseMimeType|responseJsonSchema|thinkingConfig|includeThoughts|thinkingLevel)":/g,
        (_all, name: string) => `"${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}":`,
      ),
    );
    assert.deepEqual(gemini.readRequest(recordOf(snake)), gemini.readRequest(asked));
  });

  it("pairs results without an id with their calls", () => {
    const contents = [
      {
        role: "model",
        parts: [{ functionCall: { name: "a" } }, { functionCall: { name: "b" } }, { functionCall: { name: "a" } }],
      },
      { parts: ["b", "a", "a"].map((name) => ({ functionResponse: { name, response: { result: name } } })) },
    ];
    const parts = gemini.readRequest({ contents }).messages.flatMap((message) => message.parts);
    const ids = parts.map((part) =>
      part.type === "tool-call" ? part.id : part.type === "tool-result" ? part.callId : "",
    );
    assert.deepEqual(ids, ["call_0", "call_1", "call_2", "call_1", "call_0", "call_2"]);
  });

  it("names the dropped fields, and is refused if one of them is indispensable", () => {
    const body = {
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      safetySettings: [{}],
      tools: [{ googleSearch: {} }],
      generationConfig: { responseModalities: ["TEXT"] },
    };
    const { dropped } = openAi.writeRequest(gemini.readRequest(body));
    assert.deepEqual(dropped, ["tools.googleSearch", "safetySettings", "generationConfig.responseModalities"]);
    assert.deepEqual(gemini.writeRequest(gemini.readRequest(body)).body, body);
    const cached = gemini.readRequest({ ...body, cachedContent: "cachedContents/1" });
    assert.throws(() => openAi.writeRequest(cached), UntranslatableError);
  });

  it("has a signature on the first call of a model message if the model requires one, whoever made the call", () => {
    const call = { id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } };
    const messages = [
      { role: "assistant", content: null, tool_calls: [call, { ...call, id: "call_2" }] },
      { role: "tool", tool_call_id: "call_1", content: "Rain" },
    ];
    const signatures = (model: string) =>
      listOf(contentsOf(write({ messages }, openAi, model).body)[0]?.parts).map(
        (part) => recordOf(part).thoughtSignature,
      );
    assert.deepEqual(signatures(MODEL), ["skip_thought_signature_validator", undefined]);
    assert.deepEqual(signatures("gemini-2.5-flash"), [undefined, undefined]);
  });

  it("has no signatures of other providers", () => {
    const messages = [
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "claudes" },
          { type: "text", text: "Hi" },
        ],
      },
    ];
    const { body, dropped } = write({ messages, max_tokens: 9 }, anthropic);
    assert.equal(JSON.stringify(body).includes("claudes"), false);
    assert.deepEqual(dropped, ["messages.reasoning"]);
    const back = anthropic.writeRequest({ ...gemini.readRequest(asked), model: "claude-opus-4-5" });
    assert.equal(JSON.stringify(back.body).includes("c2ln"), false);
  });

  it("thinks by a level, by a budget, or not at all, depending on the model", () => {
    const rows = [
      [MODEL, { reasoning_effort: "medium" }, { includeThoughts: true, thinkingLevel: "medium" }],
      ["gemini-3-pro-preview", { reasoning_effort: "medium" }, { includeThoughts: true, thinkingLevel: "high" }],
      ["gemini-3.1-pro", { reasoning_effort: "none" }, { thinkingLevel: "low" }],
      ["gemini-2.5-flash", { reasoning_effort: "low" }, { includeThoughts: true, thinkingBudget: 1_024 }],
      ["gemini-2.5-flash", { reasoning_effort: "none" }, { thinkingBudget: 0 }],
      ["gemini-2.5-pro", { reasoning_effort: "none" }, { thinkingBudget: 128 }],
      ["gemini-2.0-flash", { reasoning_effort: "high" }, undefined],
      [MODEL, {}, undefined],
    ] as const;
    for (const [model, fields, expected] of rows) {
      const { body } = write({ messages: [{ role: "user", content: "Hi" }], ...fields }, openAi, model);
      assert.deepEqual(thinkingOf(body), expected, model);
    }
  });
});

it("Gemini's own schemas are read as JSON schemas", () => {
  const own = {
    type: "OBJECT",
    nullable: true,
    properties: {
      list: { type: "ARRAY", items: { type: "INTEGER" }, min_items: "2" },
      any: { anyOf: [{ type: "STRING" }] },
    },
    propertyOrdering: ["list"],
  };
  assert.deepEqual(readSchema(own), {
    type: ["object", "null"],
    properties: {
      list: { type: "array", items: { type: "integer" }, minItems: 2 },
      any: { anyOf: [{ type: "string" }] },
    },
  });
});

describe("Gemini's refusals", () => {
  const refusal = (code: number, status: string, message: string, details?: readonly JsonRecord[]) =>
    readError(code, {}, JSON.stringify({ error: { code, status, message, ...(details && { details }) } }));
  const rows = [
    [400, "INVALID_ARGUMENT", "API key not valid.", [{ reason: "API_KEY_INVALID" }], "bad-credential"],
    [400, "INVALID_ARGUMENT", "Unknown name", undefined, "bad-request"],
    [400, "FAILED_PRECONDITION", "User location is not supported for the API use.", undefined, "bad-credential"],
    [400, "FAILED_PRECONDITION", "The File abc is not in an ACTIVE state.", undefined, "bad-request"],
    [
      403,
      "PERMISSION_DENIED",
      "You do not have permission to access the File abc or it may not exist.",
      undefined,
      "kept-elsewhere",
    ],
    [403, "PERMISSION_DENIED", "Permission denied while accessing input file.", undefined, "kept-elsewhere"],
    [403, "PERMISSION_DENIED", "Your API key was reported as leaked.", undefined, "bad-credential"],
    [404, "NOT_FOUND", "models/x is not found", undefined, "unknown-model"],
    [429, "RESOURCE_EXHAUSTED", "You exceeded your current quota", [{ retryDelay: "34.5s" }], "rate-limited"],
    [503, "UNAVAILABLE", "The model is overloaded.", undefined, "overloaded"],
    [500, "INTERNAL", "Oh", undefined, "server-error"],
  ] as const;
  for (const [code, status, message, details, kind] of rows) {
    it(`${status} with "${message}" is ${kind}`, () => {
      const failure = refusal(code, status, message, details);
      assert.deepEqual([failure.kind, failure.status], [kind, code]);
      if (kind === "rate-limited") assert.equal(failure.retryAfterMs, 34_500);
    });
  }
});

it("usage includes thoughts, tool input, cached tokens, audio and searches", () => {
  const usageMetadata = {
    promptTokenCount: 100,
    cachedContentTokenCount: 40,
    candidatesTokenCount: 10,
    thoughtsTokenCount: 20,
    toolUsePromptTokenCount: 5,
    totalTokenCount: 140,
    promptTokensDetails: [{ modality: "AUDIO", tokenCount: 30 }],
    cacheTokensDetails: [{ modality: "AUDIO", tokenCount: 10 }],
  };
  const candidates = [{ groundingMetadata: { webSearchQueries: ["a", "b"] } }];
  assert.deepEqual(readUsage({ usageMetadata, candidates, modelVersion: MODEL }), {
    ...NO_USAGE,
    promptTokens: 105,
    completionTokens: 35,
    cachedTokens: 30,
    cachedAudioTokens: 10,
    audioPromptTokens: 20,
    reasoningTokens: 20,
    toolFees: 56,
  });
  assert.equal(readUsage({ usageMetadata, candidates, modelVersion: "gemini-2.5-flash" })?.toolFees, 70);
  assert.equal(readUsage({}), undefined);
  assert.deepEqual(readUsage({ candidates, modelVersion: MODEL }), { ...NO_USAGE, toolFees: 56 });
  const factorOf = (tier: object) => readUsage({ usageMetadata: { ...usageMetadata, ...tier } })?.priceFactor;
  assert.deepEqual([factorOf({ serviceTier: "flex" }), factorOf({ serviceTier: "standard" })], [0.5, 1]);
  assert.deepEqual([factorOf({ trafficType: "ON_DEMAND_FLEX" }), factorOf({ trafficType: "ON_DEMAND" })], [0.5, 1]);
});

it("charges grounding per query for newer models, per prompt for older ones", () => {
  const feesOf = (groundingMetadata: object, modelVersion: string) =>
    readUsage({ candidates: [{ groundingMetadata }], modelVersion })?.toolFees ?? 0;
  const rows: readonly (readonly [grounding: object, newer: number, older: number])[] = [
    [{}, 0, 0],
    [{ webSearchQueries: ["a", "", "a", "b"] }, 56, 70],
    [{ imageSearchQueries: ["a", "b", "c"] }, 84, 70],
    [{ webSearchQueries: ["a"], imageSearchQueries: ["a"] }, 56, 70],
    [{ groundingChunks: [{ web: { uri: "https://a.example" } }] }, 28, 70],
    [{ groundingChunks: [{ maps: { uri: "https://maps.example" } }] }, 28, 50],
    [{ googleMapsWidgetContextToken: "token" }, 28, 50],
    [{ webSearchQueries: ["a"], groundingChunks: [{ maps: {} }, { web: {} }] }, 28, 120],
    [{ groundingChunks: [{ retrievedContext: { fileSearchStore: "fileSearchStores/1" } }] }, 0, 0],
    [{ groundingChunks: [{ retrievedContext: { text: "of a file" } }] }, 5, 5],
    [{ groundingChunks: [{ newSource: {} }] }, 28, 70],
  ];
  for (const [grounding, newer, older] of rows) {
    assert.equal(feesOf(grounding, "gemini-3-pro"), newer, JSON.stringify(grounding));
    assert.equal(feesOf(grounding, "gemini-2.5-flash"), older, JSON.stringify(grounding));
  }
});

it("charges grounding reported in the middle of a stream", () => {
  const meter = geminiContent.meter({ passUsage: true, countText: (text) => text.length });
  const piece = (more: object) => ({
    candidates: [{ content: { parts: [{ text: "Hi" }] }, ...more }],
    modelVersion: MODEL,
  });
  const events = [piece({}), piece({ groundingMetadata: { webSearchQueries: ["a", "b"] } }), piece({})];
  for (const event of events) {
    const bytes = Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
    if (meter.passing(bytes, bytes.toString("latin1"), 0) === 0) meter.look(bytes);
  }
  assert.equal(meter.usage?.toolFees, 56);
});

describe("a generated picture of Gemini's", () => {
  const inlineData = { mimeType: "image/png", data: "iVBORw0KGgo=" };
  const answer = {
    responseId: "1",
    candidates: [{ content: { parts: [{ text: "Here: " }, { inlineData }] }, finishReason: "STOP" }],
  };
  const envelope = { created: 1, reportUsage: true, request: {} };
  const shown = "![image](data:image/png;base64,iVBORw0KGgo=)";

  for (const side of [openAi, anthropic, responses]) {
    it("is Markdown in formats without pictures in answers, whole and streamed", () => {
      const whole = JSON.stringify(side.writeAnswer(gemini.readAnswer(answer), envelope));
      const encoder = side.encode(envelope);
      const events = gemini.decode().read("", JSON.stringify(answer));
      const stream = events.map((event) => encoder.write(event)).join("") + encoder.finish();
      assert.ok(whole.includes(shown) && stream.includes(shown));
    });
  }

  it("stays a picture for callers of Gemini's API", () => {
    const encoder = gemini.encode(envelope);
    const stream = gemini
      .decode()
      .read("", JSON.stringify(answer))
      .map((event) => encoder.write(event))
      .join("");
    assert.ok(stream.includes(JSON.stringify({ inlineData })));
  });
});
