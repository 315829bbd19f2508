import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, describe, it } from "node:test";
import { updateOption } from "@one-api/contract/options/option";
import { type RawUpstream, startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { CHAT, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const MODEL = "gemini-2.5-flash";
const TEXT = "alpha beta gamma delta epsilon zeta eta theta ";
const WORDS = 8;
const PIECES = 3_000;
/** No caller gets more words than this of a request for ten tokens. */
const MOST_WORDS = 1_500;

const json = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const event = (type: string, data: object) => `event: ${type}\n${json({ type, ...data })}`;
const chunk = (delta: object, index = 0) =>
  json({ id: "x", object: "chat.completion.chunk", choices: [{ index, delta, finish_reason: null }] });
const block = (content_block: object) => event("content_block_start", { index: 0, content_block });
const delta = (more: object) => event("content_block_delta", { index: 0, delta: more });
const message = event("message_start", { message: { id: "x", type: "message", role: "assistant", model: "m", content: [] } }); // prettier-ignore
const call = (more: object) => ({ tool_calls: [{ index: 0, ...more }] });

/** What a provider of each format repeats without end: [what, channel type, its beginning, its piece]. */
const STREAMS = {
  text: [1, chunk({ role: "assistant", content: "" }), chunk({ content: TEXT })],
  "thoughts of chat": [36, chunk({ role: "assistant" }), chunk({ reasoning_content: TEXT })],
  "a call of chat": [1, chunk(call({ id: "c", type: "function", function: { name: "f", arguments: "" } })), chunk(call({ function: { arguments: TEXT } }))], // prettier-ignore
  "two answers": [1, "", chunk({ content: TEXT }, 0) + chunk({ content: TEXT }, 1)],
  "text of Claude": [14, message + block({ type: "text", text: "" }), delta({ type: "text_delta", text: TEXT })],
  "thoughts of Claude": [14, message + block({ type: "thinking", thinking: "" }), delta({ type: "thinking_delta", thinking: TEXT })], // prettier-ignore
  "a call of Claude": [14, message + block({ type: "tool_use", id: "t", name: "f", input: {} }), delta({ type: "input_json_delta", partial_json: TEXT })], // prettier-ignore
  "text of Gemini": [24, "", json({ candidates: [{ index: 0, content: { role: "model", parts: [{ text: TEXT }] } }] })],
  "text of Responses": [1, event("response.created", { response: { id: "resp_1", model: "m", store: false } }), event("response.output_text.delta", { item_id: "m", output_index: 0, content_index: 0, delta: TEXT })], // prettier-ignore
} as const;

const MESSAGES = [{ role: "user", content: "hi" }];
const CONTENTS = { contents: [{ role: "user", parts: [{ text: "hi" }] }], generationConfig: { maxOutputTokens: 10 } };
const GEMINI = `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`;

/** Callers who ask for ten tokens, and how an error in their stream looks. */
const CALLS: readonly (readonly [stream: keyof typeof STREAMS, path: string, body: object, error: RegExp])[] = [
  ["text", CHAT, { messages: MESSAGES, max_tokens: 10 }, /data: \{"error":\{"message":"The provider wrote more/],
  ["text", CHAT, { messages: MESSAGES, max_completion_tokens: 10 }, /data: \{"error":/],
  ["thoughts of chat", CHAT, { messages: MESSAGES, max_tokens: 10 }, /data: \{"error":/],
  ["a call of chat", CHAT, { messages: MESSAGES, max_tokens: 10 }, /data: \{"error":/],
  ["two answers", CHAT, { messages: MESSAGES, max_tokens: 10, n: 2 }, /data: \{"error":/],
  ["text of Claude", CHAT, { messages: MESSAGES, max_tokens: 10 }, /data: \{"error":/],
  [
    "text of Claude",
    "/v1/messages",
    { messages: MESSAGES, max_tokens: 10 },
    /event: error\ndata: .*The provider wrote/,
  ],
  ["thoughts of Claude", "/v1/messages", { messages: MESSAGES, max_tokens: 10 }, /event: error/],
  ["a call of Claude", "/v1/messages", { messages: MESSAGES, max_tokens: 10 }, /event: error/],
  ["text", "/v1/messages", { messages: MESSAGES, max_tokens: 10 }, /event: error/],
  ["text of Responses", "/v1/responses", { input: "hi", max_output_tokens: 10 }, /event: error\ndata: .*The provider/],
  ["text of Claude", "/v1/responses", { input: "hi", max_output_tokens: 10 }, /event: error/],
  ["text of Gemini", GEMINI, CONTENTS, /data: \{"error":\{"code":502,"message":"The provider wrote/],
  ["text", GEMINI, CONTENTS, /data: \{"error":/],
];

describe("a provider that ignores the limit of an answer", () => {
  let gateway: RelayTest | undefined;
  let provider: RawUpstream | undefined;
  afterEach(async () => {
    await gateway?.close();
    await provider?.close();
  });

  async function start(type: number, answer: (response: ServerResponse) => void): Promise<RelayTest> {
    const started = await startRelayTest();
    gateway = started;
    provider = await startRawUpstream(answer);
    for (const key of ["ModelRatio", "CompletionRatio"] as const)
      await started.root.data(updateOption, { body: { key, value: JSON.stringify({ [MODEL]: 1 }) } });
    await started.addChannel({ url: provider.url }, { type, models: MODEL });
    return started;
  }

  /** Sends pieces as fast as they are taken. */
  async function pour(response: ServerResponse, opening: string, piece: string): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(opening);
    for (let sent = 0; sent < PIECES && !response.destroyed; sent += 1) {
      if (!response.write(piece)) await Promise.race([once(response, "drain"), once(response, "close")]);
    }
    response.end();
  }

  for (const [stream, path, body, error] of CALLS) {
    const [type, opening, piece] = STREAMS[stream];
    const names = Object.keys(body).at(-1);
    it(`is stopped soon, with an error, and paid for what it delivered: ${stream} at ${path} (${names})`, async () => {
      const started = await start(type, (response) => void pour(response, opening, piece));
      const key = await started.addToken({ remain_quota: 1_000 });
      const text = await (await started.post(path, key, { model: MODEL, stream: true, ...body })).text();
      const words = (text.match(/alpha/g)?.length ?? 0) * WORDS;
      assert.ok(words <= MOST_WORDS, `${words} words`);
      assert.match(text, error);
      const { quota, completion_tokens, result, detail } = await started.lastLog();
      assert.ok(completion_tokens >= words * 0.8 && completion_tokens <= words * 2 + 64, `${completion_tokens}`);
      assert.ok(quota >= completion_tokens && quota <= 1_000, `${quota} charged`);
      assert.deepEqual([result, /"end":"output_limit_exceeded"/.test(detail)], ["cut", true]);
    });
  }

  /** A whole answer of 24,000 words, with or without a report of it. */
  function wholeOf(usage: object | undefined): string {
    const said = { role: "assistant", content: TEXT.repeat(PIECES) };
    return JSON.stringify({ id: "x", object: "chat.completion", model: MODEL, choices: [{ index: 0, message: said, finish_reason: "stop" }], usage }); // prettier-ignore
  }
  const LONG = [
    ["a report", { prompt_tokens: 9, completion_tokens: 24_000 }],
    ["no report", undefined],
    ["a report beyond belief", { prompt_tokens: 9, completion_tokens: 10_000_000 }],
  ] as const;

  for (const [what, usage] of LONG) {
    it(`sends no whole answer that the balance does not pay, and is paid for all of one that it pays, with ${what}`, async () => {
      const started = await start(1, (response) => {
        response.writeHead(200, { "content-type": "application/json" }).end(wholeOf(usage));
      });
      const body = { model: MODEL, messages: MESSAGES, max_tokens: 10 };
      const refused = await started.post(CHAT, await started.addToken({ remain_quota: 1_000 }), body);
      assert.deepEqual([refused.status, (await errorOf(refused)).code], [502, "output_limit_exceeded"]);
      assert.equal((await started.books()).charged, 0);
      const answered = await started.post(CHAT, await started.addToken({ remain_quota: 50_000_000 }), body);
      assert.equal((await answered.text()).match(/alpha/g)?.length, PIECES);
      const { completion_tokens, quota } = await started.lastLog();
      assert.ok(completion_tokens >= 20_000, `${completion_tokens} tokens`);
      assert.ok(quota >= 20_000);
    });
  }

  it("ends no answer that another tokenizer counts a third longer", async () => {
    const words = 1_300;
    const started = await start(1, (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`${chunk({ content: "alpha " }).repeat(words)}data: [DONE]\n\n`);
    });
    const body = { model: MODEL, stream: true, messages: MESSAGES, max_tokens: 1_000 };
    const text = await (await started.post(CHAT, await started.addToken(), body)).text();
    assert.equal(text.match(/alpha/g)?.length, words);
    assert.match(text, /\[DONE\]/);
  });
});
