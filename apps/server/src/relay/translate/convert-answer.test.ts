import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Format } from "@one-api/providers/format";
import { anthropicMessages } from "@one-api/providers/protocols/anthropic-messages/anthropic-messages";
import { geminiContent } from "@one-api/providers/protocols/gemini/gemini";
import { openAiChat } from "@one-api/providers/protocols/openai-chat/openai-chat";
import { openAiResponses } from "@one-api/providers/protocols/openai-responses/openai-responses";
import { EventSplitter } from "@one-api/providers/framing/event-splitter";
import { readServerSentEvent } from "@one-api/providers/framing/server-sent-event";
import type { ChatAnswer } from "@one-api/providers/neutral/chat-answer";
import { eventsOfAnswer } from "@one-api/providers/neutral/events-of-answer";
import { gatherAnswer } from "@one-api/providers/neutral/gather-answer";
import type { Service } from "@one-api/providers/provider";
import { parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import { NO_USAGE } from "@one-api/providers/usage";
import { ownRequest } from "../dialects/index.ts";
import { createTranslate } from "./choose-translation.ts";
import type { AnswerStream } from "./translation.ts";

const FORMATS = {
  chat: openAiChat(),
  responses: openAiResponses,
  messages: anthropicMessages("2023-06-01"),
  gemini: geminiContent,
} as const;
const NAMES = ["chat", "responses", "messages", "gemini"] as const;
const SSE = { "content-type": "text/event-stream" };
const JSON_TYPE = { "content-type": "application/json" };

const translate = createTranslate(
  (text) => text.length,
  () => 1_700_000_000,
);
const parsed = (stream: boolean) =>
  ownRequest("chat-completions", { model: "m", messages: [{ role: "user", content: "Hi" }], stream });
const envelope = () => ({ created: 1_700_000_000, reportUsage: true, request: {} });

const ANSWER: ChatAnswer = {
  id: "answer_1",
  model: "m",
  choices: [
    {
      parts: [
        { type: "reasoning", text: "Hmm.", signature: "" },
        { type: "text", text: "Grüße 🙂" },
        { type: "tool-call", id: "call_1", name: "f", input: '{"a":1}' },
        { type: "tool-call", id: "call_2", name: "g", input: '{"b":2}' },
      ],
      finish: { reason: "tool-calls", stopSequence: "" },
    },
  ],
  usage: { ...NO_USAGE, promptTokens: 7, completionTokens: 5 },
};

function chatOf(name: (typeof NAMES)[number]) {
  const { chat } = FORMATS[name];
  assert.ok(chat !== undefined);
  return chat;
}

/** As Gemini sends it; answers to callers are sealed. */
const GEMINI_PARTS = [
  { text: "Hmm.", thought: true },
  { text: "Grüße 🙂" },
  { functionCall: { id: "call_1", name: "f", args: { a: 1 } } },
  { functionCall: { id: "call_2", name: "g", args: { b: 2 } } },
];
const geminiChunk = (parts: readonly object[], more: object = {}) => ({
  responseId: "answer_1",
  modelVersion: "m",
  candidates: [{ index: 0, content: { role: "model", parts }, ...more }],
  usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5, totalTokenCount: 12 },
});
const ENDED = { finishReason: "STOP" };

/** The answer as the provider sends it, whole and streamed. */
function whole(name: (typeof NAMES)[number]): string {
  if (name === "gemini") return JSON.stringify(geminiChunk(GEMINI_PARTS, ENDED));
  return JSON.stringify(chatOf(name).writeAnswer(ANSWER, envelope()));
}

function streamed(name: (typeof NAMES)[number]): string {
  if (name === "gemini") {
    const chunks = GEMINI_PARTS.map((part, index) => geminiChunk([part], index === 3 ? ENDED : {}));
    return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
  }
  const encoder = chatOf(name).encode(envelope());
  const events = eventsOfAnswer(ANSWER).map((event) => encoder.write(event));
  return events.join("") + encoder.finish() + FORMATS[name].closing;
}

function serviceOf(format: Format, exact: boolean): Service {
  const call: Service["call"] = ({ body }) => ({ address: { url: "http://a", headers: {} }, body });
  return exact ? { exact, format, call } : { exact, format, call };
}

const translationOf = (caller: (typeof NAMES)[number], provider: (typeof NAMES)[number]) =>
  translate(FORMATS[caller], serviceOf(FORMATS[provider], caller === provider));

/** The stream as a caller of the format reads it. */
function received(name: (typeof NAMES)[number], events: string) {
  const decoder = chatOf(name).decode();
  const read = new EventSplitter().push(Buffer.from(events)).flatMap((event) => {
    const { name: type, data } = readServerSentEvent(event);
    return decoder.read(type, data);
  });
  const gathered = gatherAnswer(read);
  assert.ok(gathered.ok, events);
  return gathered.answer;
}

function passAll(stream: AnswerStream, bytes: string): string {
  const half = bytes.length >> 1;
  const pieces = [bytes.slice(0, half), bytes.slice(half)].map((piece) => stream.push(Buffer.from(piece)));
  const last = stream.finish();
  return (
    Buffer.concat([...pieces, last].map((piece) => piece ?? Buffer.alloc(0))).toString() + stream.closing.toString()
  );
}

/** Texts, calls and the end. Callers of Gemini receive thoughts only on request. */
function contentOf({ choices }: ChatAnswer, caller: (typeof NAMES)[number]) {
  return choices.map(({ parts, finish }) => ({
    content: parts.flatMap((part) =>
      part.type === "text" || (part.type === "reasoning" && caller !== "gemini")
        ? [[part.type, part.text]]
        : part.type === "tool-call"
          ? [[part.name, parseJson(part.input)]]
          : [],
    ),
    reason: finish.reason,
  }));
}

for (const provider of NAMES) {
  for (const caller of NAMES) {
    describe(`callers of ${caller} at a provider of ${provider}`, () => {
      const translation = translationOf(caller, provider);
      const expected = contentOf(received(caller, streamed(caller)), caller);

      it("receive a stream as a whole answer, with any content type", () => {
        for (const headers of [SSE, JSON_TYPE, {}]) {
          const read = translation.readAnswer(parsed(false), 200, headers, Buffer.from(streamed(provider)));
          assert.ok(read.ok, JSON.stringify(read));
          const answer = chatOf(caller).readAnswer(recordOf(parseJson(read.bytes.toString())));
          assert.deepEqual(contentOf(answer, caller), expected);
          assert.deepEqual([read.usage?.promptTokens, read.usage?.completionTokens], [7, 5]);
        }
      });

      it("receive a whole answer as a stream, with its end and usage", () => {
        const stream = translation.openWhole?.(parsed(true), 200, JSON_TYPE);
        assert.ok(stream !== undefined);
        const events = passAll(stream, whole(provider));
        assert.deepEqual([stream.state, stream.sawContent], ["complete", true]);
        assert.deepEqual(contentOf(received(caller, events), caller), expected);
        assert.deepEqual([stream.usage?.promptTokens, stream.usage?.completionTokens], [7, 5]);
      });
    });
  }

  it(`an error of a provider of ${provider} is a failure in either form`, () => {
    const translation = translationOf(provider, provider);
    const error = JSON.stringify({ error: { type: "server_error", message: "Out of order.", code: 500 } });
    const event = FORMATS[provider].errorEvent(error);
    assert.equal(translation.readAnswer(parsed(false), 200, SSE, Buffer.from(event)).ok, false);
    const interrupted = streamed(provider).slice(0, 300);
    assert.equal(
      translation.readAnswer(parsed(false), 200, SSE, Buffer.from(interrupted)).ok,
      false,
      "an interrupted stream",
    );
    for (const text of [error, "<html>", "{}", ""]) {
      const stream = translation.openWhole?.(parsed(true), 200, JSON_TYPE);
      assert.ok(stream !== undefined);
      passAll(stream, text);
      assert.deepEqual([stream.state, stream.sawContent], ["failed", false], text);
    }
  });
}

it("retains the id of a stored response", () => {
  const translation = translationOf("responses", "responses");
  const stored = { ...recordOf(parseJson(whole("responses"))), id: "resp_stored", store: true };
  const stream = translation.openWhole?.(parsed(true), 200, JSON_TYPE);
  assert.ok(stream !== undefined);
  assert.match(passAll(stream, JSON.stringify(stored)), /"id":"resp_stored"/);
  assert.equal(stream.storedId, "resp_stored");
});
