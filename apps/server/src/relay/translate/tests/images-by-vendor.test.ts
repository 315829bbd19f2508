import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { STUB_AWS_KEY } from "@one-api/providers/vendors/aws/stub/check-signature";
import { stubServiceAccount } from "@one-api/providers/vendors/vertex/stub/google-token";
import { toFile } from "openai";
import { errorOf, startRelayTest } from "../../../testing/start-relay-test.ts";
import { withGateway } from "../../../testing/with-gateway.ts";

const PATH = "/v1/images/generations";
const PIXEL = /^iVBORw0KGgo/;
const FLUX = "@cf/black-forest-labs/flux-1-schnell";
const LUCID = "@cf/leonardo/lucid-origin";
const STABLE = "stability.stable-image-core-v1:1";
/** What a picture of these costs in the tests, in quota: a thousand tokens at five quota each. */
const OF_ONE = 5_000;

const stage = withGateway(
  [
    { type: 44, models: "Kwai-Kolors/Kolors,Qwen/Qwen-Image-Edit", at: "/v1" },
    { type: 16, models: "cogview-4" },
    { type: 40, models: "doubao-seedream-4-0-250828" },
    { type: 15, models: "irag-1.0" },
    { type: 27, models: "image-01,embo-01" },
    { type: 37, models: `${FLUX},${LUCID}`, config: JSON.stringify({ user_id: "account" }) },
    { type: 33, models: STABLE, key: `${STUB_AWS_KEY.id}|${STUB_AWS_KEY.secret}|us-west-2` },
  ],
  {
    environment: { ALLOWED_PRIVATE_NETWORKS: "127.0.0.1" },
    prices: Object.fromEntries(["irag-1.0", "image-01", "embo-01", FLUX, LUCID, STABLE].map((model) => [model, 5])),
  },
);

const sent = () => stage.upstream.requests.findLast(({ method }) => method === "POST")?.body;
const picture = () => toFile(Buffer.from("a picture"), "house.png", { type: "image/png" });

describe("pictures of vendors with words of their own", () => {
  it("are made by Silicon Flow, as many as it makes at once", async () => {
    const sdk = stage.gateway.sdk(stage.key);
    const model = "Kwai-Kolors/Kolors";
    const { data = [] } = await sdk.images.generate({ model, prompt: "a house", n: 2, size: "1024x1024" });
    assert.deepEqual(sent(), { model, prompt: "a house", batch_size: 2, image_size: "1024x1024" });
    assert.deepEqual([data.length, data[0]?.url?.startsWith(stage.upstream.url)], [2, true]);
    assert.deepEqual([(await stage.gateway.lastLog()).quota, (await stage.gateway.lastLog()).result], [60_000, "ok"]);
    const own = { model, prompt: "x", n: 6, guidance_scale: 7.5, negative_prompt: "rain", background: "opaque" };
    const answer = await stage.gateway.post(PATH, stage.key, own);
    assert.equal(answer.headers.get("x-dropped-fields"), "n, background");
    assert.deepEqual(sent(), { model, prompt: "x", batch_size: 4, guidance_scale: 7.5, negative_prompt: "rain" });
    assert.equal((await stage.gateway.lastLog()).quota, 120_000, "four came of six");
  });

  it("are changed by Silicon Flow, from a form or from JSON", async () => {
    const model = "Qwen/Qwen-Image-Edit";
    await stage.gateway.sdk(stage.key).images.edit({ model, prompt: "red", image: [await picture(), await picture()] });
    const image = `data:image/png;base64,${Buffer.from("a picture").toString("base64")}`;
    assert.deepEqual(sent(), { model, prompt: "red", image, image2: image });
    const json = { model, prompt: "red", images: [{ image_url: "https://images.example/a.png" }] };
    assert.equal((await stage.gateway.post("/v1/images/edits", stage.key, json)).status, 200);
    assert.deepEqual(sent(), { model, prompt: "red", image: "https://images.example/a.png" });
    assert.equal((await stage.gateway.lastLog()).quota, 30_000);
  });

  it("come one by one from Zhipu", async () => {
    const answer = await stage.gateway.post(PATH, stage.key, {
      model: "cogview-4",
      prompt: "x",
      quality: "hd",
      n: 3,
      user: "me",
    });
    assert.equal(answer.headers.get("x-dropped-fields"), "n, user");
    assert.deepEqual(sent(), { model: "cogview-4", prompt: "x", quality: "hd" });
    const one = (await stage.gateway.lastLog()).quota;
    assert.ok(one > 0 && one < 10_000, String(one));
  });

  it("come from Baidu, four at once at the most, also after another picture", async () => {
    const model = "irag-1.0";
    const asked = { model, prompt: "x", n: 6, size: "768x1024", style: "vivid", steps: 9 };
    const answer = await stage.gateway.post(PATH, stage.key, asked);
    assert.equal(answer.headers.get("x-dropped-fields"), "n, style");
    assert.deepEqual(sent(), { model, prompt: "x", n: 4, size: "768x1024", steps: 9 });
    assert.equal((await stage.gateway.lastLog()).quota, 4 * OF_ONE);
    const { data = [] } = await stage.gateway
      .sdk(stage.key)
      .images.edit({ model, prompt: "red", image: await picture() });
    assert.equal(data.length, 1);
    const refer_image = `data:image/png;base64,${Buffer.from("a picture").toString("base64")}`;
    assert.deepEqual(sent(), { model, prompt: "red", refer_image });
  });

  it("come from MiniMax, nine at once at the most, by the pixel or in the nearest shape", async () => {
    const model = "image-01";
    const sdk = stage.gateway.sdk(stage.key);
    const { data = [] } = await sdk.images.generate({ model, prompt: "x", n: 2, size: "1024x1536" });
    assert.deepEqual(sent(), { model, prompt: "x", n: 2, width: 1_024, height: 1_536, response_format: "url" });
    assert.deepEqual([data.length, data[0]?.url?.startsWith(stage.upstream.url)], [2, true]);
    assert.equal((await stage.gateway.lastLog()).quota, 2 * OF_ONE);
    const wide = { model, prompt: "x", size: "3000x1690", n: 10, quality: "hd", response_format: "b64_json" };
    const answer = await stage.gateway.post(PATH, stage.key, wide);
    assert.equal(answer.headers.get("x-dropped-fields"), "n, quality");
    assert.deepEqual(sent(), { model, prompt: "x", n: 9, aspect_ratio: "16:9", response_format: "base64" });
    assert.match(await answer.text(), /"b64_json":"iVBORw0KGgo/);
    assert.equal((await stage.gateway.lastLog()).quota, 9 * OF_ONE);
    const refused = await stage.gateway.post(PATH, stage.key, { model, prompt: "x".repeat(1_501) });
    assert.equal(refused.status, 400);
    assert.match((await errorOf(refused)).message, /^invalid params, prompt/);
    assert.equal((await stage.gateway.lastLog()).quota, 0);
  });

  it("come from Workers AI, one by one, of the models whose answers are letters", async () => {
    const sdk = stage.gateway.sdk(stage.key);
    const { data = [] } = await sdk.images.generate({ model: FLUX, prompt: "x", n: 2, size: "1024x1024" });
    assert.match(data[0]?.b64_json ?? "", PIXEL);
    assert.deepEqual([data.length, sent()], [1, { prompt: "x" }]);
    assert.equal(stage.upstream.requests.at(-1)?.path, `/client/v4/accounts/account/ai/run/${FLUX}`);
    assert.equal((await stage.gateway.lastLog()).quota, OF_ONE);
    const sized = await stage.gateway.post(PATH, stage.key, {
      model: LUCID,
      prompt: "x",
      size: "1024x768",
      guidance: 4,
      mood: 1,
    });
    assert.equal(sized.headers.get("x-dropped-fields"), "mood");
    assert.deepEqual(sent(), { prompt: "x", width: 1_024, height: 768, guidance: 4 });
  });

  it("come from Stability's models on Bedrock, signed, and filtered ones cost nothing", async () => {
    const sdk = stage.gateway.sdk(stage.key);
    const { data = [] } = await sdk.images.generate({ model: STABLE, prompt: "x", size: "1536x1024" });
    assert.match(data[0]?.b64_json ?? "", PIXEL);
    assert.deepEqual(sent(), { prompt: "x", aspect_ratio: "3:2" });
    assert.equal((await stage.gateway.lastLog()).quota, OF_ONE);
    const refused = await stage.gateway.post(PATH, stage.key, { model: STABLE, prompt: "[[filtered]]" });
    assert.equal(refused.status, 400);
    assert.match((await errorOf(refused)).message, /^Filter reason: prompt/);
    assert.equal((await stage.gateway.lastLog()).quota, 0);
  });

  it("have MiniMax's embeddings beside them, of what is asked and of what is searched", async () => {
    const sdk = stage.gateway.sdk(stage.key);
    const { data, usage } = await sdk.embeddings.create({ model: "embo-01", input: ["one", "two"] });
    assert.deepEqual(sent(), { model: "embo-01", texts: ["one", "two"], type: "db" });
    assert.deepEqual([data.length, usage.prompt_tokens], [2, 2]);
    assert.equal((await stage.gateway.lastLog()).quota, 2 * 5);
    const ask = { model: "embo-01", input: "one", input_type: "search_query", dimensions: 8 };
    const answer = await stage.gateway.post("/v1/embeddings", stage.key, ask);
    assert.deepEqual(sent(), { model: "embo-01", texts: ["one"], type: "query" });
    assert.equal(answer.headers.get("x-dropped-fields"), "dimensions");
  });

  it("come from Seedream, in a series where that is asked for, of which each is reserved and paid", async () => {
    const model = "doubao-seedream-4-0-250828";
    const { data = [] } = await stage.gateway.sdk(stage.key).images.generate({ model, prompt: "x", size: "1024x1536" });
    assert.deepEqual(sent(), { model, prompt: "x", size: "1024x1536", response_format: "url" });
    const one = (await stage.gateway.lastLog()).quota;
    assert.deepEqual([data.length, one > 0], [1, true]);
    const series = { sequential_image_generation: "auto", sequential_image_generation_options: { max_images: 5 } };
    assert.equal((await stage.gateway.post(PATH, stage.key, { model, prompt: "x", ...series })).status, 200);
    assert.equal((await stage.gateway.lastLog()).quota, 5 * one);
    const few = await stage.gateway.addToken({ remain_quota: 6 * one });
    const open = await stage.gateway.post(PATH, few, { model, prompt: "x", sequential_image_generation: "auto" });
    assert.equal(open.status, 403, "as many as its model sees fit are 15");
  });

  it("come from Google's models as parts of an answer, which are changed so too", async () => {
    await stage.gateway.addChannel(stage.upstream, { type: 24, models: "gemini-2.5-flash-image,gemini-3-pro-image" });
    const sdk = stage.gateway.sdk(stage.key);
    const asked = await stage.gateway.post(PATH, stage.key, {
      model: "gemini-3-pro-image",
      prompt: "x",
      n: 2,
      size: "2048x3072",
    });
    assert.equal(asked.headers.get("x-dropped-fields"), "n");
    const large = { responseModalities: ["TEXT", "IMAGE"], imageConfig: { aspectRatio: "2:3", imageSize: "4K" } };
    assert.deepEqual(sent(), { contents: [{ role: "user", parts: [{ text: "x" }] }], generationConfig: large });
    const model = "gemini-2.5-flash-image";
    const { data = [], usage } = await sdk.images.edit({ model, prompt: "red", image: await picture() });
    assert.match(data[0]?.b64_json ?? "", PIXEL);
    assert.deepEqual([data.length, usage?.output_tokens], [1, 1_290]);
    const parts = [{ inlineData: { mimeType: "image/png", data: "YSBwaWN0dXJl" } }, { text: "red" }];
    const generationConfig = { responseModalities: ["TEXT", "IMAGE"] };
    assert.deepEqual(sent(), { contents: [{ role: "user", parts }], generationConfig });
    const log = await stage.gateway.lastLog();
    assert.deepEqual([log.completion_tokens, log.result], [1_290, "ok"]);
  });

  it("come from Imagen on Vertex AI, as many as are asked for in the nearest shape", async () => {
    const account = `global|project|${stubServiceAccount(stage.upstream.at("vertex"))}`;
    await stage.gateway.addChannel(stage.upstream, { type: 42, models: "imagen-4.0-generate-001", key: account });
    const ask = { model: "imagen-4.0-generate-001", prompt: "x", n: 3, size: "1024x1536" } as const;
    const { data = [] } = await stage.gateway.sdk(stage.key).images.generate({ ...ask, quality: "hd" });
    assert.equal(data.filter(({ b64_json: letters }) => PIXEL.test(letters ?? "")).length, 3);
    assert.deepEqual(sent(), { instances: [{ prompt: "x" }], parameters: { sampleCount: 3, aspectRatio: "3:4" } });
    assert.equal((await stage.gateway.lastLog()).quota, 60_000);
  });

  it("are fetched for who wants them in the answer, also as a stream", async () => {
    const sdk = stage.gateway.sdk(stage.key);
    const ask = { model: "cogview-4", prompt: "x" };
    const { data = [] } = await sdk.images.generate({ ...ask, response_format: "b64_json" });
    assert.match(data[0]?.b64_json ?? "", PIXEL);
    assert.equal(data[0]?.url, undefined);
    const types: string[] = [];
    for await (const event of await sdk.images.generate({ ...ask, stream: true })) {
      types.push(event.type);
      if (event.type === "image_generation.completed") assert.match(event.b64_json, PIXEL);
    }
    assert.deepEqual(types, ["image_generation.completed"]);
    assert.equal((await stage.gateway.lastLog()).result, "ok");
  });

  it("stay addresses where they cannot be fetched, and are paid for", async () => {
    const outside = await startRelayTest();
    try {
      await outside.addChannel(stage.upstream, { type: 16, models: "cogview-4" });
      const sdk = outside.sdk(await outside.addToken());
      const { data = [] } = await sdk.images.generate({ model: "cogview-4", prompt: "x", response_format: "b64_json" });
      assert.deepEqual([data[0]?.b64_json, data[0]?.url?.startsWith(stage.upstream.url)], [undefined, true]);
      assert.ok((await outside.lastLog()).quota > 0);
      assert.equal(stage.upstream.requests.filter(({ method }) => method === "GET").length, 0);
    } finally {
      await outside.close();
    }
  });

  it("that are none, or are refused, cost nothing", async () => {
    for (const behaviour of [
      { kind: "normal", pieces: 0 },
      { kind: "refuse", status: 500 },
      { kind: "malformed", fault: "html-body" },
    ] as const) {
      stage.upstream.setBehaviour(behaviour);
      const answer = await stage.gateway.post(PATH, stage.key, { model: "cogview-4", prompt: "x" });
      assert.equal(answer.status, 502);
      const log = await stage.gateway.lastLog();
      assert.deepEqual([log.quota, log.result], [0, "provider-failed"]);
      for (const channel of [1, 2, 3]) stage.gateway.testApp.deps.relay.health.forget(channel);
    }
  });
});
