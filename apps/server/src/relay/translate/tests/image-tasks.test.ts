import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { APIError, toFile } from "openai";
import { errorOf } from "../../../testing/start-relay-test.ts";
import { withGateway } from "../../../testing/with-gateway.ts";

const PATH = "/v1/images/generations";
const TASK_PATH = "/api/v1/services/aigc/text2image/image-synthesis";
const FLUX = "black-forest-labs/flux-schnell";

const stage = withGateway(
  [
    { type: 17, models: "wanx-v1,ali-stable-diffusion-xl,qwen-image-edit-plus" },
    { type: 46, name: "replicate", models: `${FLUX},black-forest-labs/flux-kontext-pro` },
  ],
  { environment: { ALLOWED_PRIVATE_NETWORKS: "127.0.0.1" } },
);

const made = () => stage.upstream.requests.find(({ method }) => method === "POST");
const looks = () =>
  stage.upstream.requests.filter(({ method, path }) => method === "GET" && !path.startsWith("/pictures/"));

describe("pictures that a provider makes in its own time", () => {
  it("are asked for at DashScope until they are there, in its words", async () => {
    const sdk = stage.gateway.sdk(stage.key);
    const { data = [] } = await sdk.images.generate({ model: "wanx-v1", prompt: "a house", n: 2, size: "1024x1024" });
    assert.deepEqual([data.length, data[0]?.revised_prompt], [2, "as it was painted"]);
    assert.deepEqual([made()?.path, made()?.headers["x-dashscope-async"]], [TASK_PATH, "enable"]);
    const parameters = { size: "1024*1024", n: 2 };
    assert.deepEqual(made()?.body, { model: "wanx-v1", input: { prompt: "a house" }, parameters });
    const { quota, result } = await stage.gateway.lastLog();
    assert.deepEqual([quota, result], [16_000, "ok"]);
    const own = { model: "ali-stable-diffusion-xl", prompt: "x", negative_prompt: "rain", seed: 1, style: "vivid" };
    stage.upstream.clearRequests();
    assert.equal((await stage.gateway.post(PATH, stage.key, own)).headers.get("x-dropped-fields"), "style");
    const input = { prompt: "x", negative_prompt: "rain" };
    assert.deepEqual(made()?.body, { model: "stable-diffusion-xl", input, parameters: { seed: 1 } });
  });

  it("cost as many as came, and nothing where the task fails: what its caller is at fault for is told so", async () => {
    stage.upstream.setBehaviour({ kind: "normal", pieces: 1 });
    const { data = [] } = await stage.gateway.sdk(stage.key).images.generate({ model: "wanx-v1", prompt: "x", n: 4 });
    assert.deepEqual([data.length, (await stage.gateway.lastLog()).quota], [1, 8_000]);
    stage.upstream.setBehaviour({ kind: "error-in-stream" });
    const refused = await stage.gateway.post(PATH, stage.key, { model: "wanx-v1", prompt: "x" });
    assert.equal(refused.status, 400);
    assert.match((await errorOf(refused)).message, /inappropriate content/);
    assert.deepEqual(
      [(await stage.gateway.lastLog()).quota, (await stage.gateway.lastLog()).result],
      [0, "provider-refused"],
    );
    const failed = await stage.gateway.post(PATH, stage.key, { model: FLUX, prompt: "x" });
    assert.equal(failed.status, 502);
    assert.equal((await stage.gateway.lastLog()).quota, 0);
    stage.gateway.testApp.deps.relay.health.forget(2);
    for (const model of ["wanx-v1", FLUX]) {
      stage.upstream.setBehaviour({ kind: "refuse", status: 400, message: "size is wrong" });
      assert.match(
        (await errorOf(await stage.gateway.post(PATH, stage.key, { model, prompt: "x" }))).message,
        /size is wrong/,
      );
    }
  });

  it("are changed by Qwen as a turn of a conversation", async () => {
    const image = await toFile(Buffer.from("a picture"), "house.png", { type: "image/png" });
    const model = "qwen-image-edit-plus";
    const { data = [] } = await stage.gateway.sdk(stage.key).images.edit({ model, image, prompt: "red", n: 2 });
    assert.equal(data.length, 2);
    const content = [{ image: "data:image/png;base64,YSBwaWN0dXJl" }, { text: "red" }];
    assert.deepEqual(made()?.body, { model, input: { messages: [{ role: "user", content }] }, parameters: { n: 2 } });
    // Two of 0.2 yuan, seven of which are a dollar.
    assert.equal((await stage.gateway.lastLog()).quota, 28_572);
  });

  it("come from Replicate as predictions, with what each model takes", async () => {
    const own = { guidance: 3, num_outputs: 9, background: "opaque" };
    const answer = await stage.gateway.post(PATH, stage.key, {
      model: FLUX,
      prompt: "a house",
      n: 2,
      size: "1024x1536",
      ...own,
    });
    assert.equal(answer.headers.get("x-dropped-fields"), "num_outputs, background");
    const size = { width: 1024, height: 1536, aspect_ratio: "2:3" };
    assert.deepEqual(made()?.body, { input: { prompt: "a house", num_outputs: 2, ...size, guidance: 3 } });
    assert.deepEqual([made()?.headers["prefer"], made()?.headers["cancel-after"]], ["wait=5", "6m"]);
    assert.equal((await stage.gateway.lastLog()).quota, 3_000);
    stage.upstream.clearRequests();
    const model = "black-forest-labs/flux-kontext-pro";
    const images = [{ image_url: "https://images.example/a.png" }];
    const changed = await stage.gateway.post("/v1/images/edits", stage.key, { model, prompt: "red", images });
    assert.equal(changed.status, 200);
    assert.deepEqual(made()?.body, { input: { prompt: "red", input_image: "https://images.example/a.png" } });
    const { data = [] } = await stage.gateway
      .sdk(stage.key)
      .images.generate({ model: FLUX, prompt: "x", response_format: "b64_json" });
    assert.match(data[0]?.b64_json ?? "", /^iVBORw0KGgo/);
  });

  for (const model of ["wanx-v1", FLUX]) {
    it(`are given up when nobody waits for them any more: ${model}`, async () => {
      stage.upstream.setBehaviour({ kind: "endless" });
      const leaving = new AbortController();
      const asked = stage.gateway.sdk(stage.key).images.generate({ model, prompt: "x" }, { signal: leaving.signal });
      await stage.upstream.waitForRequest(({ method }) => method === "GET");
      leaving.abort();
      await assert.rejects(asked, APIError);
      await stage.upstream.waitForRequest(({ path }) => path.endsWith("/cancel"));
      const { quota, result } = await stage.gateway.lastLog();
      assert.deepEqual([quota, result], [0, "caller-gone"]);
      assert.ok(looks().length < 10);
    });
  }
});
