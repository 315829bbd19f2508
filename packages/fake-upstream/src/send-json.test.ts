import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { openRawChat, rawChat, readUntil, replyHead } from "./testing/raw-request.ts";
import { withUpstream } from "./testing/with-upstream.ts";

suite("documents on the wire", () => {
  test("a cut comes in the middle of the declared length", async (t) => {
    const { upstream } = await withUpstream(t, { behaviour: { kind: "cut" } });
    const { reply, text, isComplete } = await rawChat(upstream.url);
    assert.equal(isComplete, false);
    assert.ok(text.length > 0 && text.length < Number(reply.headers["content-length"]));
    assert.equal(upstream.requests[0]?.tokensServed, 0);
  });

  test("a stall comes in the middle and holds the connection", async (t) => {
    const { upstream } = await withUpstream(t, { behaviour: { kind: "stall", afterChunks: 1 } });
    const outgoing = openRawChat(upstream.url);
    const text = await readUntil(await replyHead(outgoing), '{"id":"chatcmpl-');
    assert.throws(() => JSON.parse(text));
    assert.equal(upstream.requests[0]?.finishedAtMs, null);
    outgoing.destroy();
    await upstream.waitForAbort();
  });

  test("an error in the stream is a 200 with an error body", async (t) => {
    const { upstream } = await withUpstream(t, { behaviour: { kind: "error-in-stream" } });
    const { reply, text } = await rawChat(upstream.url);
    assert.equal(reply.statusCode, 200);
    assert.partialDeepStrictEqual(JSON.parse(text), { error: { type: "server_error" } });
  });

  test("an endless document grows for as long as it is read", async (t) => {
    const { upstream } = await withUpstream(t, { behaviour: { kind: "endless" } });
    const outgoing = openRawChat(upstream.url);
    const reply = await replyHead(outgoing);
    let received = 0;
    reply.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received > 8 * 1_048_576) outgoing.destroy();
    });
    reply.on("error", () => undefined);
    assert.equal((await upstream.waitForAbort()).finishedAtMs, null);
  });

  test("unsolicited headers come with documents and with streams", async (t) => {
    const { upstream } = await withUpstream(t, { behaviour: { kind: "unsolicited-headers" } });
    for (const stream of [false, true]) {
      const { reply, isComplete } = await rawChat(upstream.url, { stream });
      assert.ok(isComplete);
      assert.equal(reply.headers["set-cookie"]?.length, 2);
      for (const name of ["server", "location", "content-security-policy", "x-internal-hop", "keep-alive"]) {
        assert.ok(reply.headers[name], `${name} is sent`);
      }
      assert.match(reply.headers.connection ?? "", /x-internal-hop/);
    }
  });
});
