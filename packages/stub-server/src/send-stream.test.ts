import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { APIError } from "openai";
import { openRawChat, rawChat, readUntil, replyHead } from "./testing/raw-request.ts";
import { collect, withStubServer } from "./testing/with-stub-server.ts";

const stream = { stream: true };

suite("streams on the wire", () => {
  test("a sound stream ends every event with a blank line and itself with [DONE]", async (t) => {
    const { upstream } = await withStubServer(t);
    const { reply, text, isComplete } = await rawChat(upstream.at("openai"), stream);
    assert.equal(reply.headers["content-type"], "text/event-stream; charset=utf-8");
    assert.ok(isComplete);
    assert.ok(text.endsWith("\n\ndata: [DONE]\n\n"));
    assert.equal(upstream.requests[0]?.bytesSent, Buffer.byteLength(text));
  });

  test("a stalled stream stops after its pieces and stays open until the client disconnects", async (t) => {
    const { upstream } = await withStubServer(t, { behaviour: { kind: "stall", afterChunks: 2 } });
    const outgoing = openRawChat(upstream.at("openai"), stream);
    const reply = await replyHead(outgoing);
    await readUntil(reply, " said:");
    assert.equal(upstream.activeStreams, 1);
    const record = upstream.requests[0];
    assert.equal(record?.tokensServed, 2);
    assert.equal(record?.finishedAtMs, null);
    outgoing.destroy();
    assert.equal(await upstream.waitForAbort(), record);
    assert.equal(upstream.activeStreams, 0);
  });

  test("a stall after 0 chunks sends only the headers", async (t) => {
    const { upstream } = await withStubServer(t, { behaviour: { kind: "stall", afterChunks: 0 } });
    const outgoing = openRawChat(upstream.at("openai"), stream);
    assert.equal((await replyHead(outgoing)).statusCode, 200);
    assert.equal(upstream.requests[0]?.bytesSent, 0);
    outgoing.destroy();
  });

  test("a stall before the headers sends nothing", async (t) => {
    const { upstream } = await withStubServer(t, { behaviour: { kind: "stall" } });
    const outgoing = openRawChat(upstream.at("openai"), stream);
    const record = await upstream.waitForRequest();
    assert.equal(record.status, null);
    outgoing.destroy();
    assert.notEqual((await upstream.waitForAbort()).abortedAtMs, null);
  });

  for (const reset of [false, true]) {
    test(`a cut stream breaks after its pieces, ${reset ? "with a reset" : "with an end"}`, async (t) => {
      const { upstream } = await withStubServer(t, { behaviour: { kind: "cut", afterChunks: 3, reset } });
      const { text, isComplete } = await rawChat(upstream.at("openai"), stream);
      assert.equal(isComplete, false);
      assert.match(text, /"content":" hello"/);
      assert.doesNotMatch(text, /"content":" there"|\[DONE\]/);
      assert.equal(upstream.requests[0]?.tokensServed, 3);
      assert.equal(upstream.requests[0]?.abortedAtMs, null);
    });
  }

  test("an answer shorter than the cut is cut before its end", async (t) => {
    const { upstream } = await withStubServer(t, { behaviour: { kind: "cut", afterChunks: 99 } });
    const { text, isComplete } = await rawChat(upstream.at("openai"), stream);
    assert.equal(isComplete, false);
    assert.match(text, /"content":" there"/);
    assert.doesNotMatch(text, /"finish_reason":"stop"/);
  });

  test("an error event follows the pieces and ends the stream without [DONE]", async (t) => {
    const { upstream, client } = await withStubServer(t, { behaviour: { kind: "error-in-stream", afterChunks: 2 } });
    const { text, isComplete } = await rawChat(upstream.at("openai"), stream);
    assert.ok(isComplete);
    assert.match(text, /" said:".*\n\nevent: error\ndata: \{"error":\{.*\}\}\n\n$/);
    upstream.setBehaviour({ kind: "error-in-stream", afterChunks: 2, form: "data-only" });
    assert.match((await rawChat(upstream.at("openai"), stream)).text, /\n\ndata: \{"error":\{.*\}\}\n\n$/);
    const messages = [{ role: "user" as const, content: "hi" }];
    const chunks = await client.chat.completions.create({ model: "m", messages, stream: true });
    await assert.rejects(collect(chunks), APIError);
  });

  test("an endless stream waits for a client that does not read", async (t) => {
    const { upstream } = await withStubServer(t, { behaviour: { kind: "endless", chunkBytes: 65_536 } });
    const outgoing = openRawChat(upstream.at("openai"), stream);
    const reply = await replyHead(outgoing);
    reply.pause();
    const record = upstream.requests[0];
    let sentBefore = -1;
    for (let sent = 0; sent !== sentBefore; sent = record?.bytesSent ?? 0) {
      sentBefore = sent;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(
      sentBefore > 0 && sentBefore < 64 * 1_048_576,
      `${sentBefore} bytes were sent to a caller who reads nothing`,
    );
    reply.resume();
    while ((record?.bytesSent ?? 0) < 2 * sentBefore) await new Promise((resolve) => setTimeout(resolve, 5));
    outgoing.destroy();
    assert.equal(await upstream.waitForAbort(), record);
  });
});
