import assert from "node:assert/strict";
import { test } from "node:test";
import { providerOf } from "../../registry.ts";
import { silentIo } from "../../testing/silent-io.ts";

const ANTHROPIC_TYPE = 14;

test("a caller's query is added to that of the channel's address", async () => {
  const urlOf = async (endpoint: "chat-completions" | "token-counts", baseUrl: string, formatQuery?: string) => {
    const service = providerOf(ANTHROPIC_TYPE)?.serve(endpoint, "claude-opus-5");
    const connection = { baseUrl, key: "sk", organization: "", other: "", config: {} };
    const request = { body: Buffer.from("{}"), stream: false, formatHeaders: {}, formatQuery };
    return (await service?.call(request, connection, silentIo))?.address.url;
  };
  const base = "https://host.example";
  assert.equal(await urlOf("chat-completions", base), `${base}/v1/messages`);
  assert.equal(await urlOf("chat-completions", base, "beta=true"), `${base}/v1/messages?beta=true`);
  assert.equal(await urlOf("token-counts", base, "beta=true"), `${base}/v1/messages/count_tokens?beta=true`);
  assert.equal(await urlOf("chat-completions", `${base}?team=1`, "beta=true"), `${base}/v1/messages?team=1&beta=true`);
});
