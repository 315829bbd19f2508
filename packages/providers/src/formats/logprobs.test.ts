import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AnswerEnvelope } from "../format.ts";
import type { ChatEvent } from "../neutral/chat-answer.ts";
import { type JsonRecord, listOf, parseJson, recordOf } from "../shared/json-fields.ts";
import { geminiContent } from "./gemini/gemini.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";

const { chat: openAi } = openAiChat();
const { chat: silent } = openAiChat({ logprobs: false });
const { chat: gemini } = geminiContent;
assert.ok(openAi !== undefined && silent !== undefined && gemini !== undefined);

const asked = { model: "m", messages: [{ role: "user", content: "Hi" }], logprobs: true, top_logprobs: 2 };
const askedAtGoogle = {
  model: "m",
  contents: [{ role: "user", parts: [{ text: "Hi" }] }],
  generationConfig: { responseLogprobs: true, logprobs: 2 },
};
const ofOpenAi = {
  content: [
    {
      token: "Hé",
      logprob: -0.1,
      bytes: [72, 195, 169],
      top_logprobs: [
        { token: "Hé", logprob: -0.1, bytes: [72, 195, 169] },
        { token: "Ho", logprob: -2.5, bytes: [72, 111] },
      ],
    },
  ],
  refusal: null,
};
const ofGoogle = {
  chosenCandidates: [{ token: "Hé", logProbability: -0.1 }],
  topCandidates: [
    {
      candidates: [
        { token: "Hé", logProbability: -0.1 },
        { token: "Ho", logProbability: -2.5 },
      ],
    },
  ],
};
const envelope: AnswerEnvelope = { created: 1, reportUsage: false, request: {} };
const firstOf = (list: unknown): JsonRecord => recordOf(listOf(list)[0]);

describe("how likely tokens were", () => {
  it("is asked of Google by callers of OpenAI's chat, and of OpenAI by Google's, with nothing left out", () => {
    const there = gemini.writeRequest(openAi.readRequest(asked));
    assert.deepEqual([there.body["generationConfig"], there.dropped], [askedAtGoogle.generationConfig, []]);
    const back = openAi.writeRequest(gemini.readRequest(askedAtGoogle));
    assert.deepEqual([back.body["logprobs"], back.body["top_logprobs"], back.dropped], [true, 2, []]);
    const alone = openAi.writeRequest(
      gemini.readRequest({ ...askedAtGoogle, generationConfig: { responseLogprobs: true } }),
    );
    assert.deepEqual([alone.body["logprobs"], "top_logprobs" in alone.body], [true, false]);
  });

  it("is named as left out where the provider does not tell it", () => {
    const { body, dropped } = silent.writeRequest(gemini.readRequest(askedAtGoogle));
    assert.equal(body["logprobs"], undefined);
    assert.deepEqual(dropped, ["generationConfig.responseLogprobs", "generationConfig.logprobs"]);
  });

  it("is told in whole answers either way", () => {
    const candidate = { content: { parts: [{ text: "Hé" }], role: "model" }, finishReason: "STOP", index: 0 };
    const read = gemini.readAnswer({ candidates: [{ ...candidate, logprobsResult: ofGoogle }] });
    assert.deepEqual(firstOf(openAi.writeAnswer(read, envelope)["choices"])["logprobs"], ofOpenAi);
    const choice = { index: 0, message: { content: "Hé" }, finish_reason: "stop", logprobs: ofOpenAi };
    const written = gemini.writeAnswer(openAi.readAnswer({ id: "1", model: "m", choices: [choice] }), envelope);
    assert.deepEqual(firstOf(written["candidates"])["logprobsResult"], ofGoogle);
  });

  it("is told with the pieces of a stream either way", () => {
    const pass = (events: readonly ChatEvent[], { encode }: Pick<typeof openAi, "encode">) => {
      const encoder = encode(envelope);
      const frames = events
        .map((event) => encoder.write(event))
        .join("")
        .split("\n\n");
      return frames.flatMap((frame) => (frame === "" ? [] : [recordOf(parseJson(frame.replace(/^data: /, "")))]));
    };
    const piece = { index: 0, delta: { content: "Hé" }, logprobs: ofOpenAi, finish_reason: null };
    const fromOpenAi = openAi.decode().read("", JSON.stringify({ id: "1", model: "m", choices: [piece] }));
    const [atGoogle] = pass(fromOpenAi, gemini);
    assert.deepEqual(firstOf(atGoogle?.["candidates"])["logprobsResult"], ofGoogle);
    const candidate = { content: { parts: [{ text: "Hé" }] }, index: 0, logprobsResult: ofGoogle };
    const [atOpenAi] = pass(gemini.decode().read("", JSON.stringify({ candidates: [candidate] })), openAi);
    assert.deepEqual(firstOf(atOpenAi?.["choices"])["logprobs"], ofOpenAi);
    assert.deepEqual(recordOf(firstOf(atOpenAi?.["choices"])["delta"])["content"], "Hé");
  });

  it("of a part of a character comes without a text", () => {
    const half = { token: "\\xc3", logprob: -1, bytes: [195], top_logprobs: [] };
    const piece = { index: 0, delta: { content: "" }, logprobs: { content: [half], refusal: null } };
    const events = openAi.decode().read("", JSON.stringify({ id: "1", model: "m", choices: [piece] }));
    const encoder = openAi.encode(envelope);
    const chunk = recordOf(
      parseJson(
        events
          .map((event) => encoder.write(event))
          .join("")
          .replace(/^data: /, ""),
      ),
    );
    assert.deepEqual(recordOf(firstOf(chunk["choices"])["logprobs"])["content"], [half]);
  });
});
