import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, it } from "node:test";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const MEBIBYTE = 1024 * 1024;

describe("callers that are hard to deal with", () => {
  let gateway: RelayTest;
  let key: string;
  beforeEach(async () => {
    gateway = await startRelayTest({ timeouts: { callerStallMs: 50 } });
    const upstream = await gateway.upstream();
    await gateway.addChannel(upstream);
    key = await gateway.addToken();
  });
  afterEach(() => gateway.close());

  /** Opens a connection and sends a request with these headers beside the usual ones. */
  async function send(headers: readonly string[], body = JSON.stringify(chatBody("some words"))): Promise<Socket> {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    await once(socket, "connect");
    const head = [
      `POST ${CHAT} HTTP/1.1`,
      "host: gateway",
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      ...headers,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    return socket;
  }

  const bearer = () => `authorization: Bearer ${key}`;

  it("close their side after the request and wait: they get their answer", async () => {
    const socket = await send([bearer()]);
    socket.end();
    const answer = await text(socket);
    assert.match(answer, /200 OK/);
    assert.match(answer, /You said: some words/);
  });

  for (const header of ["host: other", "authorization: Bearer sk-other", "Authorization: Bearer sk-other"]) {
    it(`send ${header} a second time: refused, since somebody on the way may have read the other`, async () => {
      const socket = await send([bearer(), header]);
      const first = await new Promise<string>((resolve) => socket.once("data", (bytes) => resolve(bytes.toString())));
      assert.match(first, /^HTTP\/1\.1 400 /);
      assert.match(first, /"code":"invalid_header"/);
      socket.destroy();
      assert.equal((await gateway.books()).charged, 0);
    });
  }

  it("send a form without end: it is cut at the limit, and nothing of it stays in memory", async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    await once(socket, "connect");
    let answer = "";
    socket.on("data", (chunk) => (answer += String(chunk))).on("error", () => undefined);
    const head = [
      "POST /v1/audio/transcriptions HTTP/1.1",
      "host: gateway",
      "content-type: multipart/form-data; boundary=x",
      "transfer-encoding: chunked",
      bearer(),
    ];
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\n';
    socket.write(`${head.join("\r\n")}\r\n\r\n${part.length.toString(16)}\r\n${part}\r\n`);
    const piece = Buffer.from(`${MEBIBYTE.toString(16)}\r\n${"s".repeat(MEBIBYTE)}\r\n`);
    let [sent, unheard] = [0, 0];
    while (!socket.destroyed) {
      const isTaken = socket.write(piece);
      sent += 1;
      if (answer === "") unheard += 1;
      if (!isTaken) await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => undefined);
      await nextTurn();
    }
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.match(answer, /"code":"body_too_large"/);
    assert.ok(unheard >= 32 && sent > unheard, `${unheard} of ${sent} MiB were sent before the answer`);
    assert.deepEqual(gateway.testApp.deps.relay.bodyMemory.taken, { all: 0, byAccount: 0 }, "its room is free");
    assert.deepEqual(await gateway.books().then(({ charged, open }) => [charged, open]), [0, 0]);
  });

  it("take nothing of a long answer: the connection is cut, and no memory is held for it", async () => {
    const content = "word ".repeat(5_000_000);
    const usage = { prompt_tokens: 10, completion_tokens: 10 };
    const answer = JSON.stringify({ id: "x", choices: [{ message: { content }, finish_reason: "stop" }], usage });
    const provider = await startRawUpstream((response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(answer);
    });
    await gateway.addChannel(provider, { priority: 10 });
    const socket = await send([bearer()]);
    socket.pause();
    const { inFlight } = gateway.testApp.deps.relay;
    while (inFlight.size === 0) await nextTurn();
    while (inFlight.size > 0) {
      inFlight.endStalled(performance.now());
      await nextTurn();
    }
    let received = 0;
    socket.on("data", (chunk) => (received += chunk.length)).on("error", () => undefined);
    socket.once("end", () => socket.end()).resume();
    await once(socket, "close");
    assert.ok(received < answer.length);
    assert.equal((await gateway.books()).differences, 0);
    await provider.close();
  });
});
