import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AnswerEnvelope, AskedChat, ProviderChat, StreamDecoder, StreamEncoder } from "../format-sides.ts";
import type { ChatAnswer } from "../neutral/chat-answer.ts";
import { gatherAnswer } from "../neutral/gather-answer.ts";
import { type JsonRecord, listOf, parseJson, recordOf } from "../shared/json-fields.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { cohereChat } from "./cohere/cohere.ts";
import { geminiContent } from "./gemini/gemini.ts";
import { ollamaChat } from "../vendors/ollama/format.ts";
import { openAiCompletions } from "./openai-chat/completions/openai-completions.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";

const { chat: openAi } = openAiChat();
const { chat: silent } = openAiChat({ logprobs: false });
const { chat: gemini } = geminiContent;
const { chat: responses } = openAiResponses;
const { askedChat: completions } = openAiCompletions;
const { chat: anthropic } = anthropicMessages("2023-06-01");
assert.ok(openAi !== undefined && silent !== undefined && gemini !== undefined && responses !== undefined);
assert.ok(completions !== undefined && anthropic !== undefined && cohereChat.chat !== undefined);
assert.ok(ollamaChat.chat !== undefined);

const envelope: AnswerEnvelope = { created: 1, reportUsage: false, request: { prompt: "Hi" } };
const firstOf = (list: unknown): JsonRecord => recordOf(listOf(list)[0]);

/** A token as OpenAI's newer APIs report it. */
const TOKEN = {
  token: "Hé",
  logprob: -0.1,
  bytes: [72, 195, 169],
  top_logprobs: [
    { token: "Hé", logprob: -0.1, bytes: [72, 195, 169] },
    { token: "Ho", logprob: -2.5, bytes: [72, 111] },
  ],
};
const OF_GOOGLE = {
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

interface Caller {
  readonly side: AskedChat;
  readonly asked: JsonRecord;
  /** Dropped fields if the provider has no log probabilities. */
  readonly named: readonly string[];
  /** Reads them from a whole answer, and from the first delta that has any. */
  readonly told: (answer: JsonRecord) => unknown;
  readonly logprobsOf: (event: JsonRecord) => unknown;
  /** With and without alternatives. */
  readonly full: unknown;
  readonly bare: unknown;
}

const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
const messages = [{ role: "user", content: "Hi" }];
const { top_logprobs: _likeliest, ...bareToken } = TOKEN;

const CALLERS: Readonly<Record<string, Caller>> = {
  "chat completions": {
    side: openAi,
    asked: { messages, logprobs: true, top_logprobs: 2 },
    named: ["logprobs", "top_logprobs"],
    told: (answer) => firstOf(answer["choices"])["logprobs"],
    logprobsOf: (event) => firstOf(event["choices"])["logprobs"],
    full: { content: [TOKEN], refusal: null },
    bare: { content: [{ ...bareToken, top_logprobs: [] }], refusal: null },
  },
  completions: {
    side: completions,
    asked: { prompt: "Hi", logprobs: 2 },
    named: ["logprobs"],
    told: (answer) => firstOf(answer["choices"])["logprobs"],
    logprobsOf: (event) => firstOf(event["choices"])["logprobs"],
    full: { tokens: ["Hé"], token_logprobs: [-0.1], top_logprobs: [{ Hé: -0.1, Ho: -2.5 }], text_offset: [2] },
    bare: { tokens: ["Hé"], token_logprobs: [-0.1], top_logprobs: null, text_offset: [2] },
  },
  Responses: {
    side: responses,
    asked: { input: "Hi", include: ["message.output_text.logprobs"], top_logprobs: 2 },
    named: ["include.logprobs", "top_logprobs"],
    told: (answer) => firstOf(firstOf(answer["output"])["content"])["logprobs"],
    logprobsOf: (event) => (event["type"] === "response.output_text.delta" ? event["logprobs"] : undefined),
    full: [TOKEN],
    bare: [{ ...bareToken, top_logprobs: [] }],
  },
  "Gemini's content": {
    side: gemini,
    asked: { contents, generationConfig: { responseLogprobs: true, logprobs: 2 } },
    named: ["generationConfig.logprobs", "generationConfig.responseLogprobs"],
    told: (answer) => firstOf(answer["candidates"])["logprobsResult"],
    logprobsOf: (event) => firstOf(event["candidates"])["logprobsResult"],
    full: OF_GOOGLE,
    bare: { chosenCandidates: OF_GOOGLE.chosenCandidates },
  },
};

interface Teller {
  readonly side: ProviderChat;
  /** Reads the provider's fields from its request. */
  readonly asks: (body: JsonRecord) => unknown;
  readonly wish: unknown;
  /** Reports alternatives too. */
  readonly isFull: boolean;
  readonly answer: JsonRecord;
  readonly piece: JsonRecord;
}

const choice = { index: 0, logprobs: { content: [TOKEN], refusal: null } };
const candidate = { content: { parts: [{ text: "Hé" }], role: "model" }, index: 0, logprobsResult: OF_GOOGLE };
const ofCohere = { text: "Hé", token_ids: [7, 8], logprobs: [-0.04, -0.06] };
const ofOllama = { message: { role: "assistant", content: "Hé" }, logprobs: [TOKEN] };

const PROVIDERS: Readonly<Record<string, Teller>> = {
  "OpenAI's chat": {
    side: openAi,
    asks: ({ logprobs, top_logprobs: likeliest }) => [logprobs, likeliest],
    wish: [true, 2],
    isFull: true,
    answer: { id: "1", model: "m", choices: [{ ...choice, message: { content: "Hé" }, finish_reason: "stop" }] },
    piece: { id: "1", model: "m", choices: [{ ...choice, delta: { content: "Hé" }, finish_reason: null }] },
  },
  "OpenAI's Responses": {
    side: responses,
    asks: ({ include, top_logprobs: likeliest }) => [include, likeliest],
    wish: [["reasoning.encrypted_content", "message.output_text.logprobs"], 2],
    isFull: true,
    answer: {
      id: "1",
      status: "completed",
      output: [{ type: "message", content: [{ type: "output_text", text: "Hé", logprobs: [TOKEN] }] }],
    },
    piece: { type: "response.output_text.delta", output_index: 0, delta: "Hé", logprobs: [TOKEN] },
  },
  Gemini: {
    side: gemini,
    asks: ({ generationConfig }) => generationConfig,
    wish: { responseLogprobs: true, logprobs: 2 },
    isFull: true,
    answer: { candidates: [{ ...candidate, finishReason: "STOP" }] },
    piece: { candidates: [candidate] },
  },
  Cohere: {
    side: cohereChat.chat,
    asks: ({ logprobs }) => logprobs,
    wish: true,
    isFull: false,
    answer: {
      id: "1",
      message: { content: [{ type: "text", text: "Hé" }] },
      finish_reason: "COMPLETE",
      logprobs: [ofCohere],
    },
    piece: {
      type: "content-delta",
      index: 0,
      delta: { message: { content: { type: "text", text: "Hé" } } },
      logprobs: ofCohere,
    },
  },
  Ollama: {
    side: ollamaChat.chat,
    asks: ({ logprobs, top_logprobs: likeliest }) => [logprobs, likeliest],
    wish: [true, 2],
    isFull: true,
    answer: { ...ofOllama, model: "m", done: true, done_reason: "stop" },
    piece: { ...ofOllama, model: "m", done: false },
  },
};

/** Translates a provider's delta, event by event. */
function eventsOf(piece: JsonRecord, decoder: StreamDecoder, encoder: StreamEncoder): readonly JsonRecord[] {
  const written = decoder.read("", JSON.stringify(piece)).map((event) => encoder.write(event));
  const lines = written.join("").split("\n");
  return lines.filter((line) => line.startsWith("data: {")).map((line) => recordOf(parseJson(line.slice(6))));
}

function readBy(side: ProviderChat, answer: JsonRecord): ChatAnswer {
  return side.readAnswer?.(answer) ?? assert.fail();
}

describe("log probabilities", () => {
  for (const [caller, { side: asked, asked: body, told, logprobsOf, full, bare }] of Object.entries(CALLERS)) {
    for (const [provider, { side, asks, wish, isFull, answer, piece }] of Object.entries(PROVIDERS)) {
      it(`are requested from ${provider} by callers of ${caller}, and reported in whole answers and deltas`, () => {
        const written = side.writeRequest(asked.readRequest({ model: "m", ...body }));
        assert.deepEqual(asks(written.body), wish);
        assert.deepEqual(written.dropped, isFull ? [] : ["top_logprobs"]);
        const expected = isFull ? full : bare;
        assert.deepEqual(told(asked.writeAnswer(readBy(side, answer), envelope)), expected);
        const events = eventsOf(piece, side.decode(), asked.encode(envelope));
        const pieces = events.map(logprobsOf).filter((value) => (value ?? undefined) !== undefined);
        assert.deepEqual(pieces, [expected]);
      });
    }

    it(`are named as dropped to callers of ${caller} if the provider has none`, () => {
      for (const side of [silent, anthropic].filter((provider) => provider !== silent || asked !== openAi)) {
        const { body: sent, dropped } = side.writeRequest(asked.readRequest({ model: "m", max_tokens: 9, ...body }));
        const other = dropped.filter((name) => name !== "max_tokens");
        assert.deepEqual(other.toSorted(), CALLERS[caller]?.named);
        assert.doesNotMatch(JSON.stringify(sent), /logprobs/i);
      }
    });
  }

  it("are requested without alternatives too", () => {
    const asked = gemini.readRequest({ contents, generationConfig: { responseLogprobs: true } });
    const { body, dropped } = openAi.writeRequest(asked);
    assert.deepEqual([body["logprobs"], "top_logprobs" in body, dropped], [true, false, []]);
  });

  it("of an incomplete character have no text", () => {
    const half = { token: "\\xc3", logprob: -1, bytes: [195], top_logprobs: [] };
    const piece = {
      id: "1",
      model: "m",
      choices: [{ index: 0, delta: { content: "" }, logprobs: { content: [half] } }],
    };
    for (const [side, said] of [
      [openAi, "chat completions"],
      [responses, "Responses"],
    ] as const) {
      const events = eventsOf(piece, openAi.decode(), side.encode(envelope));
      assert.match(JSON.stringify(events), /"bytes":\[195\]/, said);
    }
  });

  it("are repeated completely at the end of a streamed text of Responses", () => {
    const encoder = responses.encode(envelope);
    const decoder = openAi.decode();
    const { piece } = PROVIDERS["OpenAI's chat"] ?? assert.fail();
    const written = [piece, piece]
      .flatMap((data) => decoder.read("", JSON.stringify(data)))
      .map((event) => encoder.write(event));
    const events = (written.join("") + encoder.finish())
      .split("\n")
      .filter((line) => line.startsWith("data: {"))
      .map((line) => recordOf(parseJson(line.slice(6))));
    const done = events.find(({ type }) => type === "response.output_text.done");
    assert.deepEqual(done?.["logprobs"], [TOKEN, TOKEN]);
    const { response } = events.at(-1) ?? {};
    assert.deepEqual(firstOf(firstOf(recordOf(response)["output"])["content"])["logprobs"], [TOKEN, TOKEN]);
  });

  it("have continuous offsets in a streamed completion", () => {
    const encoder = completions.encode(envelope);
    const decoder = openAi.decode();
    const { piece } = PROVIDERS["OpenAI's chat"] ?? assert.fail();
    const first = eventsOf(piece, decoder, encoder);
    const second = eventsOf(piece, decoder, encoder);
    const offsets = [...first, ...second].map(
      (event) => recordOf(firstOf(event["choices"])["logprobs"])["text_offset"],
    );
    assert.deepEqual(offsets, [[2], [4]]);
  });

  it("cover only the text after a thought of Ollama", () => {
    const thought = { token: "Hm", logprob: -1 };
    const answer = {
      message: { role: "assistant", thinking: "Hm", content: "Hé" },
      logprobs: [thought, TOKEN],
      done: true,
      done_reason: "stop",
    };
    const told = readBy(ollamaChat.chat ?? assert.fail(), answer).choices[0]?.logprobs;
    assert.deepEqual(
      told?.map(({ token }) => token),
      ["Hé"],
    );
  });

  it("are gathered from streams", () => {
    const logprobs = [{ token: "Hé", logprob: -0.1, likeliest: [] }];
    const piece = { type: "text-delta", choice: 0, text: "Hé", logprobs } as const;
    const finish = { reason: "stop", stopSequence: "" } as const;
    const gathered = gatherAnswer([piece, piece, { type: "answer-finish", choice: 0, finish }]);
    assert.deepEqual(gathered.ok && gathered.answer.choices[0]?.logprobs, [...logprobs, ...logprobs]);
  });
});
