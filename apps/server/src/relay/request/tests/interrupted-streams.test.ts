import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { systemClock } from "../../../platform/clock.ts";
import { type RawUpstream, startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { CHAT, chatBody, type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";
import { RELAY_TIMEOUTS } from "../../relay-timeouts.ts";

const WORDS = 50;
/** Beyond so many bytes that wait a caller lags behind, */
const LAGS_BYTES = 32 * 1024;
/** and what waits then is one long read from the provider more, with what frames it. */
const MOST_WAITING = LAGS_BYTES + 65 * 1024;
const HEAD = { "content-type": "text/event-stream" };

/** An event of a stream; a provider may report usage with each one, of what it had counted when it sent it. */
function event(content: string, usage?: { prompt_tokens: number; completion_tokens: number }): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }];
  return `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", model: TEST_MODEL, choices, usage })}\n\n`;
}

const EARLY_REPORT = event("word ", { prompt_tokens: 10, completion_tokens: 1 });
const LATER = Array.from({ length: WORDS - 1 }, () => event("word ")).join("");

describe("a stream that does not end well is charged for what was delivered", () => {
  let gateway: RelayTest | undefined;
  let provider: RawUpstream | undefined;
  afterEach(async () => {
    await gateway?.close();
    await provider?.close();
  });

  async function start(answer: (response: ServerResponse) => void) {
    const started = await startRelayTest();
    gateway = started;
    provider = await startRawUpstream(answer);
    await started.addChannel({ url: provider.url });
    return { started, key: await started.addToken() };
  }

  async function onlyLog(started: RelayTest) {
    await started.testApp.deps.relay.inFlight.idle();
    const books = await started.books();
    assert.deepEqual([books.logs.length, books.open, books.differences], [1, 0, 0]);
    const [log] = books.logs;
    assert.ok(log !== undefined);
    return log;
  }

  it("when the provider breaks off long after its last report", async () => {
    const { started, key } = await start((response) => {
      response.writeHead(200, HEAD).write(EARLY_REPORT + LATER, () => response.destroy());
    });
    const text = await (await started.post(CHAT, key, chatBody("x", { stream: true }))).text();
    assert.doesNotMatch(text, /\[DONE\]/);
    const delivered = text.match(/word /g)?.length ?? 0;
    const log = await onlyLog(started);
    assert.deepEqual([log.result, log.status_code, log.prompt_tokens], ["cut", 200, 10]);
    assert.ok(log.completion_tokens >= delivered && log.completion_tokens <= WORDS + 5, String(log.completion_tokens));
    assert.ok(delivered > 1 && log.quota > 0);
    assert.match(log.detail, /"rule":"partial"/);
  });

  it("when the caller leaves before the provider's report", async () => {
    let open: ServerResponse | undefined;
    const { started, key } = await start((response) => {
      open = response;
      response.writeHead(200, HEAD).write(EARLY_REPORT + LATER);
    });
    const answer = await started.post(CHAT, key, chatBody("x", { stream: true }));
    const reader = answer.body?.getReader();
    let text = "";
    while ((text.match(/word /g)?.length ?? 0) < WORDS)
      text += Buffer.from((await reader?.read())?.value ?? []).toString();
    const left = open === undefined ? undefined : once(open, "close");
    await reader?.cancel();
    await left;
    const log = await onlyLog(started);
    assert.equal(log.result, "caller-gone");
    assert.ok(log.completion_tokens >= WORDS && log.completion_tokens <= WORDS + 5, String(log.completion_tokens));
  });

  it("with its picture, when the caller leaves before the provider's report", async () => {
    const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(100_000)}` } };
    const choices = [{ index: 0, delta: { content: "", images: [picture] }, finish_reason: null }];
    const piece = `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", model: TEST_MODEL, choices })}\n\n`;
    const { started, key } = await start((response) => response.writeHead(200, HEAD).write(piece + event("END")));
    const answer = await started.post(CHAT, key, chatBody("x", { stream: true }));
    const reader = answer.body?.getReader();
    let text = "";
    while (!text.includes("END")) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    await reader?.cancel();
    const log = await onlyLog(started);
    assert.equal(log.result, "caller-gone");
    assert.ok(log.completion_tokens >= 1_290, String(log.completion_tokens));
  });

  it("when the caller takes nothing of it for too long", async () => {
    const started = await startRelayTest();
    gateway = started;
    const upstream = await started.upstream();
    upstream.setBehaviour({ kind: "endless", chunkBytes: 10_000 });
    await started.addChannel(upstream);
    const key = await started.addToken();
    const body = JSON.stringify(chatBody("x", { stream: true, max_tokens: 1_000_000 }));
    const caller = connect(Number(new URL(started.url).port), "127.0.0.1").pause();
    caller.write(
      `POST ${CHAT} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const { inFlight } = started.testApp.deps.relay;
    const { callerStallMs } = RELAY_TIMEOUTS;
    const deadline = Date.now() + 20_000;
    let [waiting, lagsBytes] = [0, 0];
    while ((upstream.requests[0]?.abortedAtMs ?? null) === null) {
      assert.ok(Date.now() < deadline, "the provider is never left");
      for (const { socket } of inFlight.list()) {
        if (!(socket instanceof Socket)) continue;
        lagsBytes = socket.writableHighWaterMark;
        waiting = Math.max(waiting, socket.writableLength);
      }
      inFlight.endStalled(systemClock.monotonicMs() + callerStallMs);
      await nextTurn();
    }
    caller.destroy();
    assert.equal(lagsBytes, LAGS_BYTES);
    assert.ok(waiting > 0 && waiting < MOST_WAITING, `${waiting} bytes waited for the caller`);
    const log = await onlyLog(started);
    assert.deepEqual([log.result, log.status_code], ["caller-gone", 200]);
    assert.match(log.detail, /"end":"caller-stalled"/);
    assert.ok(log.quota > 0);
  });

  it("and the prompt alone when the caller leaves before the first byte", async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    const { started, key } = await start(asked.resolve);
    const leave = new AbortController();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const call = fetch(started.url + CHAT, {
      method: "POST",
      headers,
      body: JSON.stringify(chatBody("x")),
      signal: leave.signal,
    });
    const left = once(await asked.promise, "close");
    leave.abort();
    await assert.rejects(call);
    await left;
    const log = await onlyLog(started);
    assert.deepEqual([log.result, log.status_code, log.completion_tokens], ["caller-gone", 0, 0]);
    assert.ok(log.quota > 0);
  });

  it("while one that ends well is charged as reported", async () => {
    const report = { prompt_tokens: 11, completion_tokens: 7 };
    const { started, key } = await start((response) => {
      response.writeHead(200, HEAD).end(`${EARLY_REPORT}${LATER}${event("", report)}data: [DONE]\n\n`);
    });
    const text = await (await started.post(CHAT, key, chatBody("x", { stream: true }))).text();
    assert.ok(text.endsWith("data: [DONE]\n\n"));
    const log = await onlyLog(started);
    assert.deepEqual([log.result, log.prompt_tokens, log.completion_tokens], ["ok", 11, 7]);
  });
});
