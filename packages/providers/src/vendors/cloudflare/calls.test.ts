import assert from "node:assert/strict";
import { test } from "node:test";
import { urlOf } from "../../testing/call-provider.ts";

test("Cloudflare is called below the account, or behind its AI gateway", () => {
  const rest = { config: { user_id: "acc/1" } };
  const base = "https://api.cloudflare.com/client/v4/accounts/acc%2F1/ai/v1";
  assert.equal(urlOf(37, "", "chat-completions", rest), `${base}/chat/completions`);
  assert.equal(urlOf(37, "", "embeddings", rest), `${base}/embeddings`);
  const gateway = "https://gateway.ai.cloudflare.com/v1/acc/gw/workers-ai";
  assert.equal(urlOf(37, gateway), `${gateway}/v1/chat/completions`);
  assert.throws(() => urlOf(37, ""), /user_id/);
});
