import assert from "node:assert/strict";
import { it } from "node:test";
import { sealBeside } from "@one-api/providers/neutral/sealed-thoughts";
import { type JsonRecord, recordOf } from "@one-api/providers/shared/json-fields";
import { startRelayTest } from "../../../testing/start-relay-test.ts";

const CLAUDE = "claude-sonnet-4-5";

it("a conversation moves to the provider whose API the caller speaks without the thoughts of another one", async (t) => {
  const gateway = await startRelayTest();
  t.after(() => gateway.close());
  const upstream = await gateway.upstream();
  await gateway.addChannel(upstream, { type: 14, models: CLAUDE });
  const key = await gateway.addToken();
  const send = async (messages: readonly JsonRecord[]) => {
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01" },
      body: JSON.stringify({ model: CLAUDE, max_tokens: 4_000, thinking: { type: "adaptive" }, messages }),
    });
    assert.equal(response.status, 200);
    return { dropped: response.headers.get("x-dropped-fields"), answer: recordOf(await response.json()) };
  };
  const hi = { role: "user", content: "Hi" };
  const signature = sealBeside({ type: "reasoning", text: "I ponder", signature: "" });
  const thought = { type: "thinking", thinking: "I ponder", signature };
  const text = { type: "text", text: "Hello" };
  const moved = await send([hi, { role: "assistant", content: [thought, text] }, hi]);
  assert.equal(moved.dropped, "messages.reasoning");
  assert.deepEqual(recordOf(upstream.requests.at(-1)?.body).messages, [hi, { role: "assistant", content: [text] }, hi]);
  const own = [hi, { role: "assistant", content: moved.answer.content }, hi];
  assert.equal((await send(own)).dropped, null);
  assert.deepEqual(recordOf(upstream.requests.at(-1)?.body).messages, own);
});
