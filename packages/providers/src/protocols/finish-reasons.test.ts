import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { StopReason } from "@aws-sdk/client-bedrock-runtime";
import { FinishReason as GoogleFinishReason } from "@google/genai";
import type { Format } from "../format.ts";
import type { AnswerEnvelope, ChatSide } from "../format-sides.ts";
import { EventSplitter } from "../framing/event-splitter.ts";
import { readServerSentEvent } from "../framing/server-sent-event.ts";
import type { ChatAnswer, ChatEvent, FinishReason } from "../neutral/chat-answer.ts";
import { type JsonRecord, listOf, parseJson, recordOf } from "../shared/json-fields.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { readAnswer as readConverse } from "../vendors/aws/answer.ts";
import { traitsOf } from "../vendors/aws/model-traits.ts";
import { geminiContent } from "./gemini/gemini.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";

const openAi = openAiChat();

function chatOf({ chat }: Format): ChatSide {
  assert.ok(chat !== undefined);
  return chat;
}

const reasonOf = (answer: ChatAnswer): FinishReason | undefined => answer.choices[0]?.finish.reason;

describe("the finish reason of an answer", () => {
  it("is known for every value of Google's, and only STOP means success", () => {
    const expected: Readonly<Record<string, FinishReason>> = {
      STOP: "stop",
      MAX_TOKENS: "length",
      CONTINUATION: "pause",
      SAFETY: "refusal",
      RECITATION: "refusal",
      LANGUAGE: "refusal",
      BLOCKLIST: "refusal",
      PROHIBITED_CONTENT: "refusal",
      SPII: "refusal",
      IMAGE_SAFETY: "refusal",
      IMAGE_PROHIBITED_CONTENT: "refusal",
      IMAGE_RECITATION: "refusal",
      OTHER: "failed",
      MALFORMED_FUNCTION_CALL: "failed",
      UNEXPECTED_TOOL_CALL: "failed",
      TOO_MANY_TOOL_CALLS: "failed",
      MALFORMED_RESPONSE: "failed",
      NO_IMAGE: "failed",
      IMAGE_OTHER: "failed",
    };
    const words = Object.values<string>(GoogleFinishReason).filter((word) => word !== "FINISH_REASON_UNSPECIFIED");
    const read = (finishReason: string) =>
      reasonOf(
        chatOf(geminiContent).readAnswer({ candidates: [{ content: { parts: [{ text: "x" }] }, finishReason }] }),
      );
    assert.deepEqual(Object.fromEntries(words.map((word) => [word, read(word)])), expected);
  });

  it("is known for every value of Bedrock's", () => {
    const read = (stopReason: string) =>
      reasonOf(readConverse({ output: {}, stopReason }, traitsOf("mistral.mistral-large")));
    assert.deepEqual(Object.fromEntries(Object.values(StopReason).map((word) => [word, read(word)])), {
      content_filtered: "refusal",
      end_turn: "stop",
      guardrail_intervened: "refusal",
      malformed_model_output: "failed",
      malformed_tool_use: "failed",
      max_tokens: "length",
      model_context_window_exceeded: "context",
      stop_sequence: "stop",
      tool_use: "tool-calls",
    });
  });

  it("is known for the values of OpenAI's imitators", () => {
    const read = (finish_reason: string) =>
      reasonOf(chatOf(openAi).readAnswer({ choices: [{ message: { content: "x" }, finish_reason }] }));
    const words = [
      "eos",
      "model_length",
      "model_context_window_exceeded",
      "sensitive",
      "content_filter: PROHIBITED_CONTENT",
      "error",
      "network_error",
      "insufficient_system_resource",
      "function_call_filter: MALFORMED_FUNCTION_CALL",
    ];
    assert.deepEqual(words.map(read), [
      "stop",
      "context",
      "context",
      "refusal",
      "refusal",
      "failed",
      "failed",
      "failed",
      "failed",
    ]);
  });

  it("tells every caller in its own format that an answer is incomplete", () => {
    const envelope: AnswerEnvelope = { created: 1_700_000_000, reportUsage: false, request: {} };
    const finish = { reason: "failed", stopSequence: "" } as const;
    const answer: ChatAnswer = { id: "1", model: "m", choices: [{ parts: [], finish }], usage: undefined };
    const events: readonly ChatEvent[] = [
      { type: "answer-start", id: "1", model: "m" },
      { type: "text-delta", choice: 0, text: "x" },
      { type: "answer-finish", choice: 0, finish },
    ];
    const written = (format: Format) => {
      const whole = chatOf(format).writeAnswer(answer, envelope);
      const encoder = chatOf(format).encode(envelope);
      const stream = events.map((event) => encoder.write(event)).join("") + encoder.finish();
      const pieces = new EventSplitter().push(Buffer.from(stream)).map((event) => readServerSentEvent(event).data);
      return [whole, ...pieces.map((piece) => recordOf(parseJson(piece)))];
    };
    const valuesOf = (told: readonly JsonRecord[], value: (each: JsonRecord) => unknown) =>
      told.map(value).filter((each) => each !== undefined && each !== null);
    const ofChoice = (each: JsonRecord) => recordOf(listOf(each["choices"])[0])["finish_reason"];
    const ofMessage = (each: JsonRecord) => each["stop_reason"] ?? recordOf(each["delta"])["stop_reason"];
    const ofCandidate = (each: JsonRecord) => recordOf(listOf(each["candidates"])[0])["finishReason"];
    assert.deepEqual(valuesOf(written(openAi), ofChoice), ["length", "length"]);
    assert.deepEqual(valuesOf(written(anthropicMessages("2023-06-01")), ofMessage), ["max_tokens", "max_tokens"]);
    assert.deepEqual(valuesOf(written(geminiContent), ofCandidate), ["OTHER", "OTHER"]);
    const [whole = {}, ...streamed] = written(openAiResponses);
    assert.deepEqual([whole["status"], recordOf(whole["error"])["code"]], ["failed", "server_error"]);
    const last = streamed.at(-1) ?? {};
    assert.deepEqual([last["type"], recordOf(last["response"])["status"]], ["response.failed", "failed"]);
  });
});

describe("a caller of the deprecated functions API", () => {
  const request = { functions: [{ name: "weather" }] };
  const envelope: AnswerEnvelope = { created: 1_700_000_000, reportUsage: false, request };
  const call = (id: string, input: string) => ({ type: "tool-call", id, name: "weather", input }) as const;
  const finish = { reason: "tool-calls", stopSequence: "" } as const;

  it("receives function_call in a whole answer, and no tool_calls", () => {
    const parts = [call("1", '{"city":"Bonn"}')];
    const answer: ChatAnswer = { id: "1", model: "m", choices: [{ parts, finish }], usage: undefined };
    const choice = recordOf(listOf(chatOf(openAi).writeAnswer(answer, envelope)["choices"])[0]);
    assert.deepEqual(
      { message: choice["message"], finish: choice["finish_reason"] },
      {
        message: {
          role: "assistant",
          content: null,
          refusal: null,
          function_call: { name: "weather", arguments: '{"city":"Bonn"}' },
        },
        finish: "function_call",
      },
    );
    const withTools = { ...envelope, request: { ...request, tools: [{ type: "function" }] } };
    const newer = recordOf(listOf(chatOf(openAi).writeAnswer(answer, withTools)["choices"])[0]);
    assert.deepEqual(
      [newer["finish_reason"], Object.hasOwn(recordOf(newer["message"]), "function_call")],
      ["tool_calls", false],
    );
  });

  it("receives the one call of a stream in deltas of function_call", () => {
    const encoder = chatOf(openAi).encode(envelope);
    const events: readonly ChatEvent[] = [
      { type: "answer-start", id: "1", model: "m" },
      { type: "tool-call-start", choice: 0, call: 0, id: "a", name: "weather" },
      { type: "tool-input-delta", choice: 0, call: 0, text: '{"city":' },
      { type: "tool-input-delta", choice: 0, call: 0, text: '"Bonn"}' },
      { type: "tool-call-start", choice: 0, call: 1, id: "b", name: "weather" },
      { type: "tool-input-delta", choice: 0, call: 1, text: "{}" },
      { type: "answer-finish", choice: 0, finish },
    ];
    const stream = events.map((event) => encoder.write(event)).join("") + encoder.finish();
    const choices = new EventSplitter()
      .push(Buffer.from(stream))
      .map((event) => recordOf(listOf(recordOf(parseJson(readServerSentEvent(event).data))["choices"])[0]));
    assert.deepEqual(
      choices.map(({ delta, finish_reason }) => ({ ...recordOf(delta), finish_reason })),
      [
        { role: "assistant", content: "", function_call: { name: "weather", arguments: "" }, finish_reason: null },
        { function_call: { arguments: '{"city":' }, finish_reason: null },
        { function_call: { arguments: '"Bonn"}' }, finish_reason: null },
        { finish_reason: "function_call" },
      ],
    );
  });

  it("limits the provider to one call at a time", () => {
    assert.equal(chatOf(openAi).readRequest({ model: "m", messages: [], ...request }).singleToolCall, true);
  });
});
