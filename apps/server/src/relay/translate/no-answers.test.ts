import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Format, ProviderFormat } from "@one-api/providers/format";
import { anthropicMessages } from "@one-api/providers/protocols/anthropic-messages/anthropic-messages";
import { baiduChat } from "@one-api/providers/vendors/baidu/format";
import { bedrockConverse } from "@one-api/providers/vendors/aws/format";
import { cohereChat, cohereEmbeddings, cohereRerank } from "@one-api/providers/protocols/cohere/cohere";
import { geminiEmbeddings } from "@one-api/providers/protocols/gemini/embeddings";
import { geminiContent } from "@one-api/providers/protocols/gemini/gemini";
import { ollamaChat, ollamaEmbeddings } from "@one-api/providers/vendors/ollama/format";
import { openAiFormat } from "@one-api/providers/protocols/openai/openai-format";
import { openAiChat } from "@one-api/providers/protocols/openai-chat/openai-chat";
import { OPENAI } from "@one-api/providers/protocols/openai-chat/openai-chat-variant";
import { openAiResponses } from "@one-api/providers/protocols/openai-responses/openai-responses";
import { rerank } from "@one-api/providers/protocols/rerank/rerank";
import type { JsonRecord } from "@one-api/providers/shared/json-fields";
import { hunyuanChat } from "@one-api/providers/vendors/hunyuan/format";
import { sparkChat } from "@one-api/providers/vendors/spark/format";
import { ownRequest } from "../dialects/index.ts";
import { createPassThrough } from "./pass-through.ts";
import { createThroughNeutral } from "./through-neutral.ts";
import type { Translation } from "./translation.ts";

const openai = openAiChat();
const embeddings = openAiFormat("openai-embeddings", OPENAI);
const moderations = openAiFormat("openai-moderations", OPENAI);
const anthropic = anthropicMessages("2023-06-01");
const countText = (text: string) => text.length;
const services = { countText, nowSeconds: () => 0 };
const messages = [{ role: "user", content: "Hi" }];
const chatAsk = ownRequest("chat-completions", { model: "m", messages });

/** A minimal valid answer of each format. */
const ANSWERS: readonly (readonly [format: ProviderFormat, answer: JsonRecord])[] = [
  [openai, { choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }] }],
  [openAiResponses, { id: "r", status: "completed", output: [] }],
  [anthropic, { type: "message", content: [], stop_reason: "end_turn" }],
  [geminiContent, { candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] }],
  [
    cohereChat,
    { id: "c", message: { role: "assistant", content: [{ type: "text", text: "Hi" }] }, finish_reason: "COMPLETE" },
  ],
  [
    bedrockConverse("anthropic.claude-sonnet-4-6"),
    { output: { message: { role: "assistant", content: [{ text: "Hi" }] } }, stopReason: "end_turn" },
  ],
  [ollamaChat, { model: "m", message: { role: "assistant", content: "Hi" }, done: true }],
  [baiduChat, { id: "b", result: "Hi" }],
  [sparkChat, { code: 0, choices: [{ index: 0, message: { role: "assistant", content: "Hi" } }] }],
  [hunyuanChat, { Response: { Choices: [{ Message: { Role: "assistant", Content: "Hi" }, FinishReason: "stop" }] } }],
];

/** Documents of none of the formats. */
const OTHERS: readonly JsonRecord[] = [
  { ok: true },
  { status: "up", version: "1.2.3" },
  { data: null, message: null },
  { id: "x", object: "chat.completion", choices: [] },
  { type: "message", content: null },
  { candidates: [] },
];

function kindOf(translation: Translation, answer: unknown): string {
  const bytes = Buffer.from(typeof answer === "string" ? answer : JSON.stringify(answer));
  const read = translation.readAnswer(chatAsk, 200, { "content-type": "application/json" }, bytes);
  return read.ok ? "answer" : read.failure.kind;
}

describe("a whole answer in another format", () => {
  for (const [provider, answer] of ANSWERS) {
    const translation = createThroughNeutral(openai, provider, services);

    it(`fails if ${provider.name} is re-encoded`, () => {
      assert.equal(kindOf(translation, answer), "answer");
      for (const other of [...OTHERS, ...ANSWERS.filter(([each]) => each !== provider).map(([, each]) => each)]) {
        if (isShared(answer, other) || (provider === hunyuanChat && "choices" in other)) continue;
        assert.equal(kindOf(translation, other), "bad-answer", JSON.stringify(other));
      }
      for (const text of ["<html>Welcome</html>", "OK", "{}", ""])
        assert.equal(kindOf(translation, text), "bad-answer");
    });
  }

  for (const format of [openai, openAiResponses, anthropic, geminiContent]) {
    it(`fails if bytes of ${format.name} pass through`, () => {
      const translation = createPassThrough(format, countText);
      const own = ANSWERS.find(([each]) => each === format)?.[1] ?? {};
      assert.equal(kindOf(translation, own), "answer");
      for (const other of [...OTHERS, ...ANSWERS.map(([, each]) => each)]) {
        if (other === own || isShared(own, other)) continue;
        assert.equal(kindOf(translation, other), "bad-answer", JSON.stringify(other));
      }
    });
  }

  it("has a message with the correction", () => {
    const read = createPassThrough(openai, countText).readAnswer(chatAsk, 200, {}, Buffer.from('{"ok":true}'));
    assert.match(read.ok ? "" : read.failure.message, /Look at the channel's type and base_url/);
  });

  it("fails if choices are empty without a finish reason", () => {
    const translation = createPassThrough(openai, countText);
    const choice = (content: string | null, reason: string | null) => ({
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: reason }],
    });
    assert.equal(kindOf(translation, choice("", null)), "bad-answer");
    assert.equal(kindOf(translation, choice(null, null)), "bad-answer");
    assert.equal(kindOf(translation, choice("", "stop")), "answer");
    assert.equal(kindOf(translation, choice("Hi", null)), "answer");
  });

  const passing: readonly (readonly [format: Format, answer: JsonRecord])[] = [
    [embeddings, { data: [{ index: 0, embedding: [0.1] }] }],
    [moderations, { results: [{ flagged: false }] }],
    [geminiEmbeddings, { embedding: { values: [0.1] } }],
    [rerank, { results: [{ index: 0, relevance_score: 0.5 }] }],
    [cohereRerank, { results: [{ index: 0, relevance_score: 0.5 }] }],
  ];
  for (const [format, answer] of passing) {
    it(`fails in ${format.name} too`, () => {
      const translation = createPassThrough(format, countText);
      assert.equal(kindOf(translation, answer), "answer");
      for (const other of [{ ok: true }, { data: [], results: [], embeddings: [] }]) {
        assert.equal(kindOf(translation, other), "bad-answer", JSON.stringify(other));
      }
    });
  }

  it("fails if embeddings are re-encoded", () => {
    for (const provider of [cohereEmbeddings, ollamaEmbeddings, geminiEmbeddings]) {
      const translation = createThroughNeutral(embeddings, provider, services);
      assert.equal(kindOf(translation, { ok: true }), "bad-answer", provider.name);
    }
  });

  it("does not depend on the reported usage", () => {
    for (const format of [anthropic, openAiResponses]) {
      assert.equal(kindOf(createPassThrough(format, countText), { input_tokens: 5 }), "answer");
    }
    assert.equal(kindOf(createPassThrough(geminiContent, countText), { totalTokens: 5 }), "answer");
  });
});

/** True if both have the result's field, so that one may be read as the other. */
function isShared(own: JsonRecord, other: JsonRecord): boolean {
  return Object.keys(own).some(
    (name) =>
      ["choices", "message"].includes(name) &&
      Array.isArray(own[name]) === Array.isArray(other[name]) &&
      other[name] !== undefined &&
      own[name] !== undefined &&
      (!Array.isArray(other[name]) || other[name].length > 0),
  );
}

const event = (data: JsonRecord) => `data: ${JSON.stringify(data)}\n\n`;

describe("a stream in another format", () => {
  const ofChat = event({ choices: [{ index: 0, delta: { content: "Hi" } }] }) + "data: [DONE]\n\n";
  const ofMessages =
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } }) +
    event({ type: "message_stop" });
  const ofGemini = event({ candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] });
  const ofNobody = event({ ok: true }) + "data: [DONE]\n\n";
  const translations: readonly (readonly [format: Format, others: readonly string[]])[] = [
    [openai, [ofMessages, ofGemini, ofNobody]],
    [openAiResponses, [ofChat, ofGemini, ofNobody]],
    [anthropic, [ofChat, ofGemini, ofNobody]],
    [geminiContent, [ofChat, ofMessages, ofNobody]],
  ];
  const parsed = ownRequest("chat-completions", { model: "m", messages, stream: true });
  for (const [format, others] of translations) {
    it(`of ${format.name} delivers nothing and fails`, () => {
      for (const text of others) {
        for (const translation of [
          createPassThrough(format, countText),
          createThroughNeutral(anthropic, format, services),
        ]) {
          const stream = translation.openStream(parsed);
          stream.push(Buffer.from(text));
          stream.finish();
          assert.deepEqual([stream.state, stream.sawContent], ["failed", false], text);
        }
      }
    });
  }
});
