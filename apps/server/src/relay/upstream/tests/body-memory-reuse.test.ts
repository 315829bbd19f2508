import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { describe, it, type TestContext } from "node:test";
import {
  CHAT,
  chatBody,
  errorOf,
  type RelayTest,
  startRelayTest,
  TEST_MODEL,
} from "../../../testing/start-relay-test.ts";
import { portOf } from "@one-api/http1/testing/port-of";

/** More than the system takes for a reader that reads nothing. */
const LONG = 12 * 1024 * 1024;
/** Nobody serves it: a body is read, and refused. */
const NO_MODEL = "none";

// What nobody has to count, so that all is over at once.
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const CHUNK = { id: "x", object: "chat.completion.chunk", model: TEST_MODEL, usage: USAGE };
const END = { ...CHUNK, choices: [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }] };
const STREAM = `data: ${JSON.stringify(END)}\n\ndata: [DONE]\n\n`;
const STREAM_ANSWER = `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n${STREAM}`;
const CHOICES = [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }];
const WHOLE = JSON.stringify({ id: "x", object: "chat.completion", model: TEST_MODEL, choices: CHOICES, usage: USAGE });
const WHOLE_ANSWER = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${WHOLE.length}\r\n\r\n${WHOLE}`;
const REFUSAL = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\nno";

/** A provider that reads the beginning of a request and the rest when it is told to. */
interface SlowReader {
  readonly url: string;
  /** The beginning of a request is there. */
  readonly asked: Promise<void>;
  /** Reads on, and returns what came of the body: all of it, or what did before the connection closed. */
  linger(): Promise<Buffer>;
}

/** Starts one that says `early` to the beginning, and `late` once it has read all. */
async function startSlowReader(t: TestContext, early: string, late = ""): Promise<SlowReader> {
  const [asked, read] = [Promise.withResolvers<void>(), Promise.withResolvers<Buffer>()];
  const sockets = new Set<Socket>();
  let reading = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    const pieces: Buffer[] = [];
    let left = Number.POSITIVE_INFINITY;
    const end = () => {
      const bytes = Buffer.concat(pieces);
      read.resolve(bytes.subarray(bytes.indexOf("\r\n\r\n") + 4));
    };
    socket.on("data", (bytes) => {
      if (pieces.push(bytes) === 1) {
        const head = bytes.toString("latin1").split("\r\n\r\n")[0] ?? "";
        left = head.length + 4 + Number(/content-length: (\d+)/.exec(head)?.[1]);
        if (!reading) socket.pause();
        socket.write(early);
        asked.resolve();
      }
      left -= bytes.length;
      if (left > 0) return;
      socket.end(late);
      end();
    });
    socket.on("error", () => undefined).on("close", end);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    asked: asked.promise,
    linger() {
      reading = true;
      for (const socket of sockets) socket.resume();
      return read.promise;
    },
  };
}

/** A call whose body is passed on as it came. */
function longCall(letter: string, model: string, stream: boolean): Buffer {
  const more = stream ? { stream: true, stream_options: { include_usage: true } } : {};
  return Buffer.from(JSON.stringify({ ...chatBody(letter.repeat(LONG)), model, ...more }));
}

describe("a provider that is still being sent a long body receives its caller's own bytes", () => {
  /** A gateway at which another caller's body of that length can come and go. */
  async function start(t: TestContext): Promise<{ gateway: RelayTest; key: string; another: () => Promise<void> }> {
    const gateway = await startRelayTest();
    t.after(() => gateway.close());
    const key = await gateway.addToken();
    const body = longCall("b", NO_MODEL, false);
    const another = async () => {
      const answer = await post(gateway, key, body);
      assert.equal((await errorOf(answer)).code, "model_not_found");
    };
    return { gateway, key, another };
  }

  function post({ url }: RelayTest, key: string, body: Buffer, signal?: AbortSignal): Promise<Response> {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    return fetch(url + CHAT, { method: "POST", headers, body, ...(signal && { signal }) });
  }

  /** What arrived must be the beginning of what was sent, or all of it. */
  function assertOwn(received: Buffer, sent: Buffer): void {
    assert.ok(received.length > 0);
    assert.ok(received.equals(sent.subarray(0, received.length)), "bytes of another caller arrived");
  }

  for (const [what, stream, early] of [
    ["a stream", true, STREAM_ANSWER],
    ["an answer", false, WHOLE_ANSWER],
  ] as const) {
    it(`when ${what} was whole before all of the body was sent`, async (t) => {
      const { gateway, key, another } = await start(t);
      const provider = await startSlowReader(t, early);
      await gateway.addChannel(provider);
      const body = longCall("a", TEST_MODEL, stream);
      const answer = await post(gateway, key, body);
      assert.equal(answer.status, 200);
      await answer.text();
      await another();
      assertOwn(await provider.linger(), body);
    });
  }

  it("when another channel had refused it before", async (t) => {
    const { gateway, key, another } = await start(t);
    const [refusing, provider] = [await startSlowReader(t, REFUSAL), await startSlowReader(t, "", WHOLE_ANSWER)];
    await gateway.addChannel(refusing, { priority: 10 });
    await gateway.addChannel(provider);
    const body = longCall("a", TEST_MODEL, false);
    const answer = post(gateway, key, body);
    await provider.asked;
    await another();
    const received = await provider.linger();
    assert.equal(received.length, body.length);
    assertOwn(received, body);
    assert.equal((await answer).status, 200);
  });

  it("when the caller leaves", async (t) => {
    const { gateway, key, another } = await start(t);
    const provider = await startSlowReader(t, "");
    await gateway.addChannel(provider);
    const body = longCall("a", TEST_MODEL, false);
    const leave = new AbortController();
    const answer = post(gateway, key, body, leave.signal);
    await provider.asked;
    leave.abort();
    await assert.rejects(answer);
    await another();
    assertOwn(await provider.linger(), body);
  });
});
