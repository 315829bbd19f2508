import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import OpenAI from "openai";
import { type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";

describe("the official OpenAI SDK", () => {
  let gateway: RelayTest;
  before(async () => {
    gateway = await startRelayTest();
    const upstream = await gateway.upstream();
    await gateway.addChannel(upstream, { models: `${TEST_MODEL},text-embedding-3-small,omni-moderation-latest` });
  });
  after(() => gateway.close());

  const chat = (sdk: OpenAI, content: string, model = TEST_MODEL) =>
    sdk.chat.completions.create({ model, max_tokens: 100, messages: [{ role: "user", content }] });
  const streamed = (sdk: OpenAI, content: string) =>
    sdk.chat.completions.create({
      model: TEST_MODEL,
      max_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: "user", content }],
    });

  it("reads answers, streams with usage, completions and embeddings", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    assert.equal((await chat(sdk, "hello")).choices[0]?.message.content, "You said: hello");
    let text = "";
    let usage: OpenAI.CompletionUsage | undefined;
    for await (const chunk of await streamed(sdk, "streamed words")) {
      text += chunk.choices[0]?.delta.content ?? "";
      usage = chunk.usage ?? usage;
    }
    assert.equal(text, "You said: streamed words");
    assert.ok((usage?.completion_tokens ?? 0) > 0);
    assert.equal((await sdk.completions.create({ model: TEST_MODEL, prompt: "x" })).choices.length, 1);
    const { data } = await sdk.embeddings.create({ model: "text-embedding-3-small", input: ["a", "b"] });
    assert.deepEqual(
      data.map(({ index, embedding }) => [index, embedding.length]),
      [
        [0, 1536],
        [1, 1536],
      ],
    );
  });

  it("has texts judged, also for tokens whose prompts are, and embeddings by the oldest path", async () => {
    const key = await gateway.addToken({ moderations_enable: true });
    const { model, results } = await gateway.sdk(key).moderations.create({ input: ["violence", "peace"] });
    assert.equal(model, "omni-moderation-latest");
    assert.deepEqual(
      results.map(({ flagged: isFlagged }) => isFlagged),
      [true, false],
    );
    const log = await gateway.lastLog();
    assert.deepEqual([log.model_name, log.result, log.prompt_tokens > 0, log.quota], [model, "ok", true, 0]);
    const old = await gateway.post("/v1/engines/text-embedding-3-small/embeddings", key, { input: "peace" });
    assert.equal(old.status, 200);
    const vectors = await gateway.lastLog();
    assert.equal(vectors.model_name, "text-embedding-3-small");
    await chat(gateway.sdk(await gateway.addToken()), "hello");
    const asked = [log, vectors, await gateway.lastLog()].map(
      ({ detail }) => recordOf(parseJson(detail))["input_only"],
    );
    assert.deepEqual(asked, ["moderations", "embeddings", undefined], "what gives no tokens back says so");
  });

  it("throws its own class for every kind of refusal and failure, with status, code and request id", async () => {
    const token = await gateway.addToken();
    const fake = (status: number) => `[[fake: {"kind":"refuse","status":${status}}]]`;
    const sdk = gateway.sdk(token);
    const rows = [
      [OpenAI.BadRequestError, 400, () => chat(sdk, fake(400))],
      [OpenAI.AuthenticationError, 401, () => chat(gateway.sdk("sk-nobody"), "x")],
      [OpenAI.NotFoundError, 404, () => chat(sdk, "x", "none")],
      [OpenAI.InternalServerError, 502, () => chat(sdk, fake(500))],
      [OpenAI.InternalServerError, 503, () => chat(sdk, fake(503))],
    ] as const;
    for (const [kind, status, call] of rows) {
      const error = await call().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof kind, `${status}: ${String(error)}`);
      assert.equal(error.status, status);
      assert.match(error.message, new RegExp(`request id: ${error.requestID}\\)`));
    }
    const poor = gateway.sdk(await gateway.addToken({ remain_quota: 1 }));
    await assert.rejects(chat(poor, "x"), (error) => {
      assert.ok(error instanceof OpenAI.PermissionDeniedError);
      assert.equal(error.code, "insufficient_quota");
      const { needed, left } = recordOf(recordOf(error.error)["values"]);
      assert.equal(left, 1, "the amounts stand beside the sentence");
      assert.match(error.message, new RegExp(`can cost up to ${String(needed)} quota, and 1 is left`));
      return true;
    });
  });

  it("reads where the caller's limits stand, and when to come back", async () => {
    const sdk = gateway.sdk(await gateway.addToken({ rpm_limit: 2, tpm_limit: 60 }));
    const whole = await chat(sdk, "x").withResponse();
    assert.equal(whole.response.headers.get("x-ratelimit-remaining-requests"), "1");
    assert.equal(whole.response.headers.get("x-ratelimit-limit-tokens"), "60000");
    const stream = await streamed(sdk, "x").withResponse();
    assert.equal(stream.response.headers.get("x-ratelimit-remaining-requests"), "0");
    for await (const chunk of stream.data) assert.equal(chunk.object, "chat.completion.chunk");
    await assert.rejects(chat(sdk, "x"), (error) => {
      assert.ok(error instanceof OpenAI.RateLimitError);
      assert.equal(error.headers.get("x-ratelimit-remaining-requests"), "0");
      return error.code === "rate_limit_exceeded" && Number(error.headers.get("retry-after")) > 0;
    });
  });

  it("throws in the middle of a stream that the provider breaks off, after what had come", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    let text = "";
    await assert.rejects(
      async () => {
        for await (const chunk of await streamed(sdk, '[[fake: {"kind":"cut","afterChunks":3}]] one two three four'))
          text += chunk.choices[0]?.delta.content ?? "";
      },
      (error) => error instanceof OpenAI.APIError && error.code === "upstream_failed",
    );
    assert.ok(text.length > 0);
  });
});
