import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { CHAT, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const MODEL = "gpt-4o-audio-preview";
/** Five seconds of speech, as large as an uncompressed recording. */
const recording = Buffer.alloc(240_000).toString("base64");

const question = {
  model: MODEL,
  modalities: ["text", "audio"],
  audio: { voice: "alloy", format: "wav" },
  max_tokens: 500,
  messages: [{ role: "user", content: [{ type: "input_audio", input_audio: { data: recording, format: "wav" } }] }],
};

const usage = {
  prompt_tokens: 60,
  completion_tokens: 400,
  total_tokens: 460,
  prompt_tokens_details: { audio_tokens: 50, cached_tokens: 0 },
  completion_tokens_details: { audio_tokens: 320, reasoning_tokens: 0 },
};

/** (10 × $2.50 + 50 × $40 + 80 × $10 + 320 × $80) per million, in quota. */
const CHARGE = Math.ceil(((10 * 2.5 + 50 * 40 + 80 * 10 + 320 * 80) / 1e6) * 500_000);

describe("the charge of a relayed request, by kind of token", () => {
  let test: RelayTest | undefined;
  afterEach(() => test?.close());

  async function start() {
    test = await startRelayTest();
    const upstream = await test.upstream();
    upstream.setBehaviour({ kind: "usage-override", report: "given", usage });
    await test.addChannel(upstream, { models: MODEL });
    return { gateway: test, upstream };
  }

  for (const stream of [false, true]) {
    it(`takes audio at its own price, ${stream ? "streamed" : "whole"} [CONST-28]`, async () => {
      const { gateway } = await start();
      const answer = await gateway.post(CHAT, await gateway.addToken(), { ...question, stream });
      assert.equal(answer.status, 200);
      await answer.text();
      const books = await gateway.books();
      assert.deepEqual([books.charged, books.differences, books.open], [CHARGE, 0, 0]);
      assert.match(books.logs[0]?.detail ?? "", /\["audio-input",50,16\],\["output",80,4\],\["audio-output",320,32\]/);
    });
  }

  const silent = { ...question, modalities: ["text"], audio: undefined };
  const written = { ...question, messages: [{ role: "user", content: "Say good morning." }] };
  // As text both would cost some 3,000 quota at the most; the recording may be 150,000, 500 tokens of speech are 20,000.
  for (const [what, body] of [
    ["heard", silent],
    ["spoken", written],
  ] as const) {
    it(`is reserved at the rates of audio that is ${what}, so that a balance for text alone is refused`, async () => {
      const { gateway, upstream } = await start();
      const poor = await gateway.addToken({ remain_quota: 15_000 });
      const answer = await gateway.post(CHAT, poor, body);
      assert.equal(answer.status, 403);
      assert.match(await answer.text(), /insufficient_quota/);
      assert.equal(upstream.requests.length, 0);
    });
  }

  it("takes pictures and sound as the provider has read them, whatever stood at the address", async () => {
    const { gateway, upstream } = await start();
    await gateway.addChannel(upstream, { models: "gpt-4.1" });
    const read = { ...usage, prompt_tokens: 500_000, total_tokens: 500_400 };
    upstream.setBehaviour({ kind: "usage-override", report: "given", usage: read });
    const content = [{ type: "image_url", image_url: { url: "https://pictures.example/1" } }];
    const body = { model: "gpt-4.1", max_tokens: 500, messages: [{ role: "user", content }] };
    assert.equal((await gateway.post(CHAT, await gateway.addToken(), body)).status, 200);
    assert.equal((await gateway.lastLog()).prompt_tokens, 500_000);
  });

  it("does not take the letters of a recording for its tokens", async () => {
    const { gateway } = await start();
    // 320,000 letters as audio tokens would be 6,400,000 quota.
    const enough = await gateway.addToken({ remain_quota: 600_000 });
    const answer = await gateway.post(CHAT, enough, question);
    assert.equal(answer.status, 200);
    await answer.text();
  });
});
