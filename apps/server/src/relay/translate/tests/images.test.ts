import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { providerOf } from "@one-api/providers/registry";
import { APIError, toFile } from "openai";
import { errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { setOptions } from "../../../testing/set-options.ts";

const PATH = "/v1/images/generations";
const MODELS = "dall-e-2,dall-e-3,gpt-image-1,gpt-image-1.5,some-painter,old-name";

let gateway: RelayTest;
let upstream: StubServer;
let second: StubServer;

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  second = await gateway.upstream();
  await gateway.addChannel(upstream, { models: MODELS, model_mapping: '{"old-name":"dall-e-3"}', priority: 1 });
  await gateway.addChannel(second, { models: MODELS, model_mapping: '{"old-name":"dall-e-3"}' });
});
after(() => gateway.close());
beforeEach(() => {
  for (const each of [upstream, second]) {
    each.setBehaviour({ kind: "normal" });
    each.clearRequests();
  }
});

describe("pictures", () => {
  it("are made for the official SDK, and charged by number, size and quality", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    const rows = [
      [{ model: "dall-e-3" }, 1, 20_000],
      [{ model: "dall-e-3", size: "1792x1024", quality: "hd" }, 1, 60_000],
      [{ model: "dall-e-2", n: 3, size: "512x512" }, 3, 27_000],
      [{ model: "old-name" }, 1, 20_000],
      [{ model: "some-painter", n: 2 }, 2, 60_000],
    ] as const;
    for (const [ask, count, quota] of rows) {
      const { data = [] } = await sdk.images.generate({ prompt: "a house", ...ask });
      assert.equal(data.length, count);
      assert.match(data[0]?.url ?? "", /^https:/);
      const log = await gateway.lastLog();
      assert.deepEqual([log.quota, log.result, log.model_name], [quota, "ok", ask.model]);
    }
    assert.deepEqual(upstream.requests.at(-2)?.body, { prompt: "a house", model: "dall-e-3" });
  });

  it("cost what of them was delivered, in tokens where the model has these", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    upstream.setBehaviour({ kind: "normal", pieces: 2 });
    await sdk.images.generate({ model: "dall-e-2", prompt: "x", n: 5, size: "1024x1024" });
    assert.equal((await gateway.lastLog()).quota, 20_000);
    upstream.setBehaviour({ kind: "normal" });
    const { data = [], usage } = await sdk.images.generate({ model: "gpt-image-1", prompt: "a red house", n: 2 });
    assert.ok((data[0]?.b64_json ?? "").length > 0);
    assert.deepEqual([usage?.input_tokens, usage?.output_tokens], [3, 2_112]);
    // $5 and $40 a million.
    assert.equal((await gateway.lastLog()).quota, Math.ceil((3 * 5 + 2_112 * 40) / 2));
    await sdk.images.generate({ model: "gpt-image-1.5", prompt: "a red house" });
    // Pictures have a price of their own: $32.
    assert.equal((await gateway.lastLog()).quota, Math.ceil((3 * 5 + 1_056 * 32) / 2));
  });

  it("are counted where their tokens are not reported, at what their size and quality can take", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    upstream.setBehaviour({ kind: "malformed", fault: "no-usage" });
    await sdk.images.generate({ model: "gpt-image-1", prompt: "x", quality: "low", size: "1024x1024", n: 2 });
    const log = await gateway.lastLog();
    assert.deepEqual([log.completion_tokens, log.quota], [544, 544 * 20]);
    assert.match(log.detail, /"rule":"estimated"/);
  });

  it("come as a stream in stages, whose end leaves after the charge", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    const ask = { model: "gpt-image-1", prompt: "a house", stream: true, partial_images: 2 } as const;
    const types: string[] = [];
    for await (const event of await sdk.images.generate(ask)) types.push(event.type.replace("image_generation.", ""));
    assert.deepEqual(types, ["partial_image", "partial_image", "completed"]);
    assert.equal((await gateway.lastLog()).completion_tokens, 1_056);
    // Whoever leaves with a stage of it pays for the picture.
    upstream.setBehaviour({ kind: "cut", afterChunks: 1 });
    await assert.rejects(async () => {
      for await (const event of await sdk.images.generate({ ...ask, quality: "low", size: "1024x1024" }))
        assert.match(event.type, /partial/);
    }, APIError);
    const cut = await gateway.lastLog();
    assert.deepEqual([cut.result, cut.completion_tokens], ["cut", 272 + 200]);
  });

  it("cost nothing where none came, and the next channel is asked", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    for (const behaviour of [
      { kind: "normal", pieces: 0 },
      { kind: "refuse", status: 500 },
      { kind: "malformed", fault: "html-body" },
    ] as const) {
      upstream.setBehaviour(behaviour);
      second.setBehaviour({ kind: "normal" });
      await sdk.images.generate({ model: "dall-e-3", prompt: "x" });
      const log = await gateway.lastLog();
      assert.equal(log.quota, 20_000);
      second.setBehaviour(behaviour);
      await assert.rejects(sdk.images.generate({ model: "dall-e-3", prompt: "x" }), APIError);
      const failed = await gateway.lastLog();
      assert.deepEqual([failed.quota, failed.result], [0, "provider-failed"]);
      for (const channel of [1, 2]) gateway.testApp.deps.relay.health.forget(channel);
    }
  });

  it("are refused before they cost anything: ten with the quota for one, and what the model does not make", async () => {
    const key = await gateway.addToken({ remain_quota: 25_000 });
    const ask = async (more: object) => {
      const answer = await gateway.post(PATH, key, { prompt: "x", ...more });
      const { code } = await errorOf(answer);
      return [answer.status, code];
    };
    assert.deepEqual(await ask({ model: "dall-e-2", n: 10 }), [403, "insufficient_quota"]);
    assert.deepEqual(await ask({ model: "dall-e-3", n: 2 }), [400, "n_not_within_range"]);
    assert.deepEqual(await ask({ model: "dall-e-2", n: 0 }), [400, "n_not_within_range"]);
    assert.deepEqual(await ask({ model: "dall-e-2", n: "3" }), [400, "n_not_within_range"]);
    assert.deepEqual(await ask({ model: "dall-e-3", size: "512x512" }), [400, "size_not_supported"]);
    assert.deepEqual(await ask({ model: "dall-e-2", prompt: "x".repeat(1_001) }), [400, "prompt_too_long"]);
    assert.deepEqual(await ask({ model: "dall-e-2", prompt: "" }), [400, "prompt_missing"]);
    assert.deepEqual(await ask({ model: "gpt-image-1", output_format: "svg" }), [400, "invalid_value"]);
    assert.deepEqual(await ask({ model: "dall-e-2", N: 10 }), [400, "invalid_value"]);
    assert.deepEqual(upstream.requests.length + second.requests.length, 0);
    assert.equal((await gateway.post(PATH, key, { prompt: "x" })).status, 200);
    assert.equal((await gateway.lastLog()).quota, 10_000);
  });

  it("[TLIMIT-08] take a place in the token's images a minute, and nothing else does", async () => {
    await gateway.addChannel(upstream);
    const key = await gateway.addToken({ dpm_limit: 2 });
    const draw = () => gateway.post(PATH, key, { model: "dall-e-2", prompt: "x", n: 3 });
    const left = (answer: Response) => answer.headers.get("x-ratelimit-remaining-images");
    assert.equal(left(await draw()), "1");
    const chat = await gateway.post("/v1/chat/completions", key, {
      model: "gpt-4o-mini",
      messages: [{ role: "user", content: "x" }],
    });
    assert.deepEqual([chat.status, left(chat)], [200, "1"]);
    assert.equal(left(await draw()), "0");
    const refused = await draw();
    assert.deepEqual([refused.status, (await errorOf(refused)).type], [429, "images"]);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    const still = await gateway.post("/v1/chat/completions", key, {
      model: "gpt-4o-mini",
      messages: [{ role: "user", content: "x" }],
    });
    assert.equal(still.status, 200);
  });

  it("[TLIMIT-08] take a place there also where chats have them in their answers", async () => {
    const models = "gpt-4o-mini,gemini-3-pro-image-preview,gpt-5-image";
    await gateway.addChannel(upstream, { models });
    const left = async (more: object, path = "/v1/chat/completions") => {
      const key = await gateway.addToken({ dpm_limit: 2 });
      const body = {
        messages: [{ role: "user", content: "a cat" }],
        contents: [{ parts: [{ text: "a cat" }] }],
        ...more,
      };
      const answer = await gateway.post(path, key, path.includes("beta") ? { ...body, messages: undefined } : body);
      const told = await answer.text();
      assert.equal(answer.status, 200, told);
      return answer.headers.get("x-ratelimit-remaining-images");
    };
    const google = (model: string) => `/v1beta/models/${model}:generateContent`;
    const asking = { generationConfig: { responseModalities: ["TEXT", "IMAGE"] } };
    const texts = { generationConfig: { responseModalities: ["TEXT"] } };
    assert.equal(await left({ model: "gpt-4o-mini" }), "2");
    assert.equal(await left({ model: "gpt-4o-mini", modalities: ["text"] }), "2");
    assert.equal(await left({ model: "gpt-4o-mini", modalities: ["image", "text"] }), "1");
    assert.equal(await left({ model: "gpt-5-image" }), "1");
    assert.equal(await left({ model: "gemini-3-pro-image-preview", modalities: ["text"] }), "2");
    assert.equal(await left({}, google("gemini-3-pro-image-preview")), "1");
    assert.equal(await left(texts, google("gemini-3-pro-image-preview")), "2");
    assert.equal(await left(asking, google("gpt-4o-mini")), "1");
  });

  it("cost what an administrator says", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    await setOptions(gateway.testApp, { ModelRatio: '{"some-painter":5,"gpt-image-1":1}' });
    await sdk.images.generate({ model: "some-painter", prompt: "x" });
    assert.equal((await gateway.lastLog()).quota, 5_000);
    await sdk.images.generate({ model: "gpt-image-1", prompt: "x" });
    assert.equal((await gateway.lastLog()).quota, 1 + 1_056 * 8);
    await setOptions(gateway.testApp, { ModelRatio: "{}" });
  });

  it("are edited and varied as forms that pass as they were written, and as JSON", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    const picture = () => toFile(Buffer.from("a picture"), "house.png", { type: "image/png" });
    const edited = await sdk.images.edit({ model: "gpt-image-1", image: await picture(), prompt: "a red house", n: 2 });
    assert.equal(edited.data?.length, 2);
    // $5 a million for text, $10 for pictures that are read, $40 for those that are made.
    assert.equal((await gateway.lastLog()).quota, Math.ceil((3 * 5 + 323 * 10 + 2 * 1_056 * 40) / 2));
    const sent = { name: "house.png", bytes: 9, type: "image/png" };
    await sdk.images.edit({ model: "old-name", image: [await picture(), await picture()], prompt: "x" });
    assert.deepEqual(upstream.requests.at(-1)?.body, { model: "dall-e-3", "image[]": [sent, sent], prompt: "x" });
    assert.equal((await gateway.lastLog()).quota, 20_000);
    const types: string[] = [];
    const streamed = {
      model: "gpt-image-1",
      image: await picture(),
      prompt: "x",
      partial_images: 1,
      stream: true,
    } as const;
    for await (const event of await sdk.images.edit(streamed)) types.push(event.type);
    assert.deepEqual(types, ["image_edit.partial_image", "image_edit.completed"]);
    const varied = await sdk.images.createVariation({ image: await picture(), n: 2, size: "256x256" });
    assert.equal(varied.data?.length, 2);
    assert.equal((await gateway.lastLog()).quota, 16_000);
    const json = { model: "gpt-image-1", prompt: "x", images: [{ image_url: "https://images.example/a.png" }] };
    assert.equal((await gateway.post("/v1/images/edits", sdk.apiKey ?? "", json)).status, 200);
    assert.equal((await gateway.lastLog()).quota, Math.ceil((5 + 323 * 10 + 1_056 * 40) / 2));
  });

  it("are not edited where a form can be read in two ways, or asks for more than it may", async () => {
    const key = await gateway.addToken({ remain_quota: 25_000 });
    const send = async (fill: (form: FormData) => void, path = "/v1/images/edits") => {
      const form = new FormData();
      form.set("model", "dall-e-2");
      form.set("prompt", "x");
      form.set("image", new File(["a picture"], "a.png", { type: "image/png" }));
      fill(form);
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(gateway.url + path, { method: "POST", headers, body: form });
      return answer.status === 200 ? [200] : [answer.status, (await errorOf(answer)).code];
    };
    assert.deepEqual(await send((form) => form.append("model", "gpt-image-1")), [400, "invalid_form"]);
    assert.deepEqual(await send((form) => form.append("MODEL", "gpt-image-1")), [400, "invalid_form"]);
    assert.deepEqual(await send((form) => form.append("n[]", "10")), [400, "invalid_form"]);
    assert.deepEqual(await send((form) => form.set("n", "11")), [400, "n_not_within_range"]);
    assert.deepEqual(await send((form) => form.set("n", "1e1")), [400, "n_not_within_range"]);
    assert.deepEqual(await send((form) => form.set("n", "10")), [403, "insufficient_quota"]);
    assert.deepEqual(await send((form) => form.delete("prompt")), [400, "prompt_missing"]);
    assert.deepEqual(await send((form) => form.delete("image")), [400, "invalid_value"]);
    assert.deepEqual(await send((form) => form.delete("image"), "/v1/images/variations"), [400, "invalid_value"]);
    assert.equal(upstream.requests.length, 0);
    // The model's name may stand behind the file.
    const behind = (form: FormData) => {
      form.delete("model");
      form.set("model", "dall-e-2");
    };
    assert.deepEqual(await send(behind), [200]);
    assert.equal((await gateway.lastLog()).quota, 10_000);
  });

  it("come from Gemini's channels too, and from Azure's deployments", async () => {
    await gateway.addChannel(upstream, { type: 24, models: "imagen-4.0-generate-001,gemini-2.5-flash-image" });
    const sdk = gateway.sdk(await gateway.addToken());
    await sdk.images.generate({ model: "imagen-4.0-generate-001", prompt: "x", n: 2, response_format: "b64_json" });
    assert.equal((await gateway.lastLog()).quota, 40_000);
    assert.equal(upstream.requests.at(-1)?.path, "/v1beta/openai/images/generations");
    await sdk.images.generate({ model: "gemini-2.5-flash-image", prompt: "x" });
    assert.match(upstream.requests.at(-1)?.path ?? "", /gemini-2\.5-flash-image:generateContent$/);
    const { prompt_tokens: read, quota } = await gateway.lastLog();
    // $30 a million for 1,290 tokens.
    assert.deepEqual([read > 0, quota], [true, Math.ceil((read * 0.3 + 1_290 * 30) / 2)]);
    const azure = providerOf(3)?.serve("image-generations", "dall-e-3");
    const connection = {
      key: "k",
      baseUrl: "https://me.openai.azure.com",
      other: "2024-10-21",
      organization: "",
      config: {},
    };
    const made = await azure?.call(
      { body: Buffer.from("{}"), stream: false, formatHeaders: {} },
      connection,
      gateway.testApp.deps.relay.upstream.through("").providerIo,
    );
    assert.equal(
      made?.address.url,
      "https://me.openai.azure.com/openai/deployments/dall-e-3/images/generations?api-version=2024-10-21",
    );
  });
});
