import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { describe, it } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { errors } from "undici";
import { clientSuite, codeOf, createTestClient, ENDLESS, HELLO } from "../testing/client-suite.ts";
import { recordDispatch } from "../testing/record-dispatch.ts";
import { type ByteServer, startByteServer } from "../testing/start-byte-server.ts";
import { startTlsFront } from "../testing/start-tls-front.ts";
import { until } from "../testing/until.ts";

const { client, send, request, start } = clientSuite();

describe("connections", () => {
  const connectionsOf = (server: ByteServer) => server.requests.map(({ connection }) => connection);

  it("are reused, the last used one first", async () => {
    const server = await start();
    await Promise.all([request(server), request(server), request(server)]);
    for (let count = 0; count < 2; count++) {
      // A connection is reused after one tick of the event loop.
      await nextTick();
      await request(server);
    }
    const [, , , fourth, fifth] = connectionsOf(server);
    assert.equal(server.sockets.size, 3);
    assert.equal(fourth, fifth);
  });

  it("are reused by a request that starts as soon as the previous one has ended", async () => {
    const server = await start();
    for (let count = 0; count < 5; count++) await request(server);
    assert.deepEqual(connectionsOf(server), [0, 0, 0, 0, 0]);
  });

  it("are not reused after the server has closed them", async () => {
    const server = await start();
    await request(server);
    for (const socket of server.sockets) socket.end();
    await until(() => server.sockets.size === 0);
    assert.equal((await request(server)).body, "hello");
    assert.deepEqual(connectionsOf(server), [0, 1]);
  });

  it("that the server closes instead of a response fail their request, which is not retried", async () => {
    const server = await start((socket, { connection }) => {
      if (connection === 0 && server.requests.length === 1) socket.write(HELLO);
      else socket.destroy();
    });
    await request(server);
    const record = await request(server);
    assert.deepEqual(connectionsOf(server), [0, 0]);
    assert.equal(codeOf(record), "UND_ERR_SOCKET");
  });

  it("are not reused for a host name that has left their address", async (t) => {
    const server = await start();
    let isCurrent = true;
    const following = createTestClient({
      isCurrent: (hostname, address) => {
        assert.deepEqual([hostname, address], ["127.0.0.1", "127.0.0.1"]);
        return isCurrent;
      },
    });
    t.after(() => following.destroy());
    const ask = async () => {
      await recordDispatch(following, server.url).done;
      // A connection is reused after one tick of the event loop.
      await nextTick();
    };
    await ask();
    await ask();
    isCurrent = false;
    await ask();
    assert.deepEqual(connectionsOf(server), [0, 0, 1]);
    await until(() => server.sockets.size === 1);
  });

  for (const [name, field] of [
    ["Connection: close", "Connection: close\r\n"],
    ["an idle time of a second", "Keep-Alive: timeout=1\r\n"],
  ] as const) {
    it(`are closed after a response with ${name}`, async () => {
      const server = await start((socket) => void socket.write(HELLO.replace("\r\n", `\r\n${field}`)));
      await request(server);
      await request(server);
      assert.deepEqual(connectionsOf(server), [0, 1]);
      await until(() => server.sockets.size === 0);
    });
  }

  it("are closed after surplus bytes, which no request receives", async () => {
    const server = await start(
      (socket) => void socket.write(`${HELLO}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`),
    );
    assert.equal((await request(server)).body, "hello");
    assert.equal((await request(server)).body, "hello");
    assert.deepEqual(connectionsOf(server), [0, 1]);
  });

  it("are closed after the refusal of a request with a body, which the server may answer twice", async () => {
    const server = await start((socket, { body }) => {
      if (body === "first") socket.write("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy");
      else socket.write(`${HELLO.replace("hello", "first")}${HELLO}`);
    });
    assert.equal((await request(server, { body: Buffer.from("first") })).body, "busy");
    await request(server, { body: Buffer.from("second") });
    assert.deepEqual(connectionsOf(server), [0, 1]);
  });

  it("are closed when they receive bytes while idle", async () => {
    const server = await start();
    await request(server);
    for (const socket of server.sockets) socket.write(HELLO.replace("hello", "evil!"));
    assert.equal((await request(server)).body, "hello");
    assert.deepEqual(connectionsOf(server), [0, 1]);
  });

  it("that cannot be opened fail their request", async () => {
    const server = await startByteServer(() => undefined);
    await server.close();
    const record = send(server.url);
    await record.done;
    assert.equal(codeOf(record), "ECONNREFUSED");
  });

  it("that are not opened in time fail their request", async () => {
    const slow = createTestClient({
      connect: (_options, callback) => {
        setImmediate(() => callback(new errors.ConnectTimeoutError(), null));
      },
    });
    const record = recordDispatch(slow, "http://127.0.0.1:1");
    await record.done;
    assert.equal(codeOf(record), "UND_ERR_CONNECT_TIMEOUT");
    await slow.destroy();
  });
});

/** Takes several reads, and more TLS records of 16 KiB. */
const LONG = randomBytes(1_000_000);

describe("TLS", () => {
  it("is used for https, with a trusted certificate, on a connection that is reused", async () => {
    const server = await start();
    const front = await startTlsFront(server.port);
    const origin = `https://127.0.0.1:${front.port}`;
    const untrusted = send(origin);
    await untrusted.done;
    assert.equal(codeOf(untrusted), "DEPTH_ZERO_SELF_SIGNED_CERT");
    front.trust();
    const trusting = createTestClient();
    for (let count = 0; count < 2; count++) {
      const record = recordDispatch(trusting, origin);
      await record.done;
      assert.equal(record.body, "hello");
    }
    await trusting.destroy();
    front.close();
    assert.deepEqual(
      server.requests.map(({ connection }) => connection),
      [0, 0],
    );
  });

  for (const [name, head] of [
    ["with a length", `HTTP/1.1 200 OK\r\nContent-Length: ${LONG.length}\r\n\r\n`],
    ["that ends with the connection", "HTTP/1.1 200 OK\r\n\r\n"],
  ] as const) {
    it(`delivers all of a response ${name} that is paused at every chunk`, async () => {
      const server = await start((socket) => void socket.end(Buffer.concat([Buffer.from(head), LONG])));
      const front = await startTlsFront(server.port);
      front.trust();
      const trusting = createTestClient();
      const record = recordDispatch(trusting, `https://127.0.0.1:${front.port}`);
      record.onChunk = (controller) => {
        controller.pause();
        setImmediate(() => controller.resume());
      };
      await record.done;
      await trusting.destroy();
      front.close();
      assert.deepEqual(record.events, ["start", "head", "body", "end"]);
      assert.ok(record.body === LONG.toString("latin1"));
    });
  }
});

describe("the client", () => {
  it("closes after running requests", async () => {
    let respond: (() => void) | undefined;
    const server = await start((socket) => {
      respond = () => void socket.write(HELLO);
    });
    const record = send(server.url);
    await until(() => respond !== undefined);
    const closed = client().close();
    const late = send(server.url);
    assert.equal(late.error?.name, "ClientClosedError");
    respond?.();
    await closed;
    assert.equal(record.body, "hello");
    await until(() => server.sockets.size === 0);
  });

  it("fails running requests when it is destroyed", async () => {
    const server = await start((socket) => void socket.write(ENDLESS));
    const running = send(server.url);
    await until(() => running.body === "hi");
    const unsent = send(server.url);
    await client().destroy();
    assert.equal(running.error?.name, "ClientDestroyedError");
    assert.equal(unsent.error?.name, "ClientDestroyedError");
    assert.equal(send(server.url).error?.name, "ClientDestroyedError");
    const [socket] = server.sockets;
    if (socket !== undefined) await once(socket, "close");
  });
});
