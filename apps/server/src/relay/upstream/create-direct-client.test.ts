import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, it } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { type DispatchRecord, recordDispatch } from "@one-api/http1/testing/record-dispatch";
import { type ByteServer, startByteServer } from "@one-api/http1/testing/start-byte-server";
import { startTlsFront } from "@one-api/http1/testing/start-tls-front";
import { until } from "@one-api/http1/testing/until";
import type { Dispatcher } from "undici";
import { seenCertificates } from "../../platform/network/seen-certificates.ts";
import { failureOfError } from "./read-failure.ts";
import { createDirectClient } from "./upstream-client.ts";

const HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n";

let client: Dispatcher;
const servers: ByteServer[] = [];
beforeEach(() => {
  client = createDirectClient();
});
afterEach(async () => {
  await client.destroy();
  for (const server of servers.splice(0)) await server.close();
});

async function start(respond: (socket: Socket) => void): Promise<ByteServer> {
  const server = await startByteServer(respond);
  servers.push(server);
  return server;
}

async function send(origin: string, options: Parameters<typeof recordDispatch>[2] = {}): Promise<DispatchRecord> {
  const record = recordDispatch(client, origin, options);
  await record.done;
  return record;
}

function failureOf({ error, status }: DispatchRecord): ReturnType<typeof failureOfError> {
  assert.ok(error !== undefined, "the request succeeded");
  return failureOfError(error, status !== 0);
}

describe("failures of the client", () => {
  for (const [name, bytes, kind] of [
    ["no response", "", "connection"],
    ["another protocol", "SSH-2.0-x\r\n\r\n", "connection"],
    ["a cut head", "HTTP/1.1 200", "connection"],
    ["a cut body", HELLO.slice(0, -1), "broken-stream"],
    ["a malformed chunk", `${CHUNKED}zz\r\n`, "broken-stream"],
  ] as const) {
    it(`${name} is ${kind}`, async () => {
      const server = await start((socket) => void socket.end(bytes));
      assert.equal(failureOf(await send(server.url)).kind, kind);
    });
  }

  it("a closed port is connection", async () => {
    const server = await startByteServer(() => undefined);
    await server.close();
    assert.equal(failureOf(await send(server.url)).kind, "connection");
  });

  it("an unknown host name is connection, and named", async () => {
    const { kind, message } = failureOf(await send("http://nothing.invalid"));
    assert.equal(kind, "connection");
    assert.match(message, /^Host name not found/);
  });

  it("an untrusted certificate is tls", async () => {
    const server = await start((socket) => void socket.write(HELLO));
    const front = await startTlsFront(server.port);
    assert.equal(failureOf(await send(`https://127.0.0.1:${front.port}`)).kind, "tls");
    front.close();
  });

  it("a response that does not begin, or go on, in time is timeout", async () => {
    const silent = await start(() => undefined);
    assert.equal(failureOf(await send(silent.url, { headersTimeout: 1 })).kind, "timeout");
    const endless = await start((socket) => void socket.write(CHUNKED));
    assert.equal(failureOf(await send(endless.url, { bodyTimeout: 1 })).kind, "timeout");
  });

  it("an invalid header is named in the message, without its value", async () => {
    const server = await start(() => assert.fail("the request was sent"));
    const { message } = failureOf(await send(server.url, { headers: { authorization: "sk-1\r\nx-evil: 1" } }));
    assert.match(message, /authorization/);
    assert.doesNotMatch(message, /sk-1|evil/);
  });
});

it("connects to no cloud metadata service, by name or address", async () => {
  for (const origin of ["http://169.254.169.254", "http://metadata.google.internal", "http://[fe80::1]"]) {
    assert.equal((await send(origin)).error?.name, "ForbiddenAddressError");
  }
});

it("remembers the end of the certificate of each host", async () => {
  const server = await start((socket) => void socket.end(HELLO));
  const front = await startTlsFront(server.port);
  front.trust();
  assert.equal((await send(`https://localhost:${front.port}`)).status, 200);
  front.close();
  const seen = seenCertificates.list().find(({ host }) => host === "localhost");
  assert.equal(new Date((seen?.expiresAt ?? 0) * 1_000).toISOString(), "2120-01-01T00:00:00.000Z");
});

it("reads at most 16 fast connections in one tick", async () => {
  const size = 2 * 1024 * 1024;
  const server = await start((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
    socket.write(Buffer.alloc(size, "x"));
  });
  const records = Array.from({ length: 100 }, () => {
    const record = recordDispatch(client, server.url);
    record.onChunk = (controller) => controller.pause();
    return record;
  });
  await until(() => records.every(({ body }) => body !== ""));
  // The system has received bytes of every response by now.
  for (let tick = 0; tick < 20; tick += 1) await nextTick();
  let tickBytes = 0;
  let maxBytes = 0;
  for (const record of records) {
    let ownBytes = 0;
    record.onChunk = (_controller, bytes) => {
      ownBytes += bytes.length;
      // A connection counts as fast after its first slice.
      if (ownBytes <= 128 * 1024) return;
      if (tickBytes === 0) setImmediate(() => (tickBytes = 0));
      tickBytes += bytes.length;
      maxBytes = Math.max(maxBytes, tickBytes);
    };
    record.controller?.resume();
  }
  for (const record of records) {
    await record.done;
    assert.equal(record.body.length, size);
  }
  assert.ok(maxBytes <= 3 * 1024 * 1024, `${maxBytes} bytes in one tick`);
});
