import assert from "node:assert/strict";
import { test } from "node:test";
import { callOf, connectionTo, sentBy, urlOf } from "../../testing/call-provider.ts";

test("Azure names the deployment like the model and takes the API version from config, other, or the default", () => {
  const base = "https://res.openai.azure.com";
  const path = `${base}/openai/deployments/some-model`;
  assert.equal(urlOf(3, base), `${path}/chat/completions?api-version=2024-03-01-preview`);
  assert.equal(urlOf(3, base, "embeddings", { other: "2024-10-21" }), `${path}/embeddings?api-version=2024-10-21`);
  const config = { api_version: "2025-01-01-preview" };
  assert.equal(
    urlOf(3, base, "completions", { other: "2024-10-21", config }),
    `${path}/completions?api-version=2025-01-01-preview`,
  );
  assert.equal(urlOf(3, `${base}/openai/v1`), `${base}/openai/v1/chat/completions`);
  const gateway = "https://gateway.ai.cloudflare.com/v1/acc/gw/azure-openai/res";
  assert.equal(urlOf(3, gateway), `${gateway}/some-model/chat/completions?api-version=2024-03-01-preview`);
  assert.deepEqual(callOf(3, connectionTo(base)).address.headers, {
    "api-key": "sk-test",
  });
});

test("Azure reports a stream's usage where its API version supports that, unless the caller declines", () => {
  const usage = { stream_options: { include_usage: true } };
  const version = (other: string) => ({ rest: { other } });
  const request = { messages: [], stream: true };
  assert.deepEqual(sentBy(3, request, version("2024-10-21")), { ...request, ...usage });
  assert.deepEqual(sentBy(3, request, version("2024-09-01-preview")), { ...request, ...usage });
  assert.deepEqual(sentBy(3, request, {}), request);
  assert.deepEqual(sentBy(3, request, version("2025-01-01-preview")), { ...request, ...usage });
  const own = { stream: true, stream_options: { include_usage: false } };
  assert.deepEqual(sentBy(3, own, version("2024-10-21")), own);
  assert.deepEqual(sentBy(3, { messages: [] }, { stream: false, ...version("2024-10-21") }), { messages: [] });
});

test("a model's name cannot escape its segment of Azure's path", () => {
  const base = connectionTo("https://res.openai.azure.com");
  const { url } = callOf(3, base, "chat-completions", {}, "../../x?y").address;
  assert.match(
    url,
    /^https:\/\/res\.openai\.azure\.com\/openai\/deployments\/\.\.%2F\.\.%2Fx%3Fy\/chat\/completions\?api-version=/,
  );
});
