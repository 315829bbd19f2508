import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "../../provider.ts";
import { connectionTo, EMPTY_BODY, workingProvider } from "../../testing/call-provider.ts";
import { silentIo } from "../../testing/silent-io.ts";

test("Vertex AI is called in the region and project of the key, by the publisher of the model", async () => {
  const urlFor = async (model: string, region = "global", endpoint: Endpoint = "chat-completions", stream = false) => {
    const config = { region, vertex_ai_project_id: "p" };
    const asked = { body: EMPTY_BODY, stream, formatHeaders: {} };
    const call = await workingProvider(42).serve(endpoint, model)?.call(asked, connectionTo("", { config }), silentIo);
    assert.deepEqual(call?.address.headers, { "x-goog-api-key": "sk-test" });
    return call.address.url.replace("https://", "");
  };
  const globally = "aiplatform.googleapis.com/v1/projects/p/locations/global";
  assert.equal(
    await urlFor("gemini-3.5-flash", "us", "chat-completions", true),
    "aiplatform.us.rep.googleapis.com/v1beta1/projects/p/locations/us/publishers/google/models/gemini-3.5-flash:streamGenerateContent?alt=sse",
  );
  assert.equal(
    await urlFor("text-embedding-005", "europe-west4", "embeddings"),
    "europe-west4-aiplatform.googleapis.com/v1beta1/projects/p/locations/europe-west4/publishers/google/models/text-embedding-005:predict",
  );
  const claude = `${globally}/publishers/anthropic/models`;
  assert.equal(await urlFor("claude-3-5-sonnet-20241022"), `${claude}/claude-3-5-sonnet-v2@20241022:rawPredict`);
  assert.equal(await urlFor("claude-opus-4-1@20250805"), `${claude}/claude-opus-4-1@20250805:rawPredict`);
  assert.equal(await urlFor("anthropic/claude-opus-5"), `${claude}/claude-opus-5:rawPredict`);
  assert.equal(await urlFor("claude-../x:y"), `${claude}/claude-..%2Fx%3Ay:rawPredict`);
  assert.equal(await urlFor("meta/llama-4"), `${globally}/endpoints/openapi/chat/completions`);
  await assert.rejects(async () => urlFor("m", "evil.example/"), /a region of the provider/);
  await assert.rejects(async () => urlFor("m", ""), /config: region/);
});
