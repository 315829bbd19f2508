import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { describe, it } from "node:test";
import { Agent } from "undici";
import { recordDispatch } from "../../../testing/record-dispatch.ts";
import { type ByteServer, startByteServer } from "../../../testing/servers/start-byte-server.ts";
import { startTlsFront } from "../../../testing/servers/start-tls-front.ts";
import { waitUntil } from "../../../testing/wait-until.ts";
import { DirectClient } from "./direct-client.ts";
import { directConnector } from "./direct-connector.ts";
import { ENDLESS, HELLO, kindOf, directClientSuite } from "./testing/direct-client-suite.ts";

const { client, send, ask, start } = directClientSuite();

describe("connections", () => {
  const connectionsOf = (server: ByteServer) => server.requests.map(({ connection }) => connection);

  it("are used again, the last one first", async () => {
    const server = await start();
    await Promise.all([ask(server), ask(server), ask(server)]);
    for (let count = 0; count < 2; count++) {
      // A connection waits for a turn of the event loop before it is used again.
      await new Promise((resolve) => setImmediate(resolve));
      await ask(server);
    }
    const [, , , fourth, fifth] = connectionsOf(server);
    assert.equal(server.sockets.size, 3);
    assert.equal(fourth, fifth);
  });

  it("serve a request that is made as soon as the one before has ended", async () => {
    const server = await start();
    for (let count = 0; count < 5; count++) await ask(server);
    assert.deepEqual(connectionsOf(server), [0, 0, 0, 0, 0]);
  });

  it("that the server has closed meanwhile are not used", async () => {
    const server = await start();
    await ask(server);
    for (const socket of server.sockets) socket.end();
    await waitUntil(async () => server.sockets.size === 0);
    assert.equal((await ask(server)).body, "hello");
    assert.deepEqual(connectionsOf(server), [0, 1]);
  });

  it("that the server closes instead of an answer fail their request, which is not sent again", async () => {
    const server = await start((socket, { connection }) => {
      if (connection === 0 && server.requests.length === 1) socket.write(HELLO);
      else socket.destroy();
    });
    await ask(server);
    const record = await ask(server);
    assert.deepEqual(connectionsOf(server), [0, 0]);
    assert.equal(kindOf(record), "connection");
  });

  for (const [what, field] of [
    ["says that it closes", "Connection: close\r\n"],
    ["keeps it for no longer than a second", "Keep-Alive: timeout=1\r\n"],
  ] as const) {
    it(`are closed where the server ${what}`, async () => {
      const server = await start((socket) => void socket.write(HELLO.replace("\r\n", `\r\n${field}`)));
      await ask(server);
      await ask(server);
      assert.deepEqual(connectionsOf(server), [0, 1]);
      await waitUntil(async () => server.sockets.size === 0);
    });
  }

  it("are closed by the time that the server names", async () => {
    const server = await start((socket) => void socket.write(HELLO.replace("\r\n", "\r\nKeep-Alive: timeout=2\r\n")));
    await ask(server);
    assert.equal(server.sockets.size, 1);
    await waitUntil(async () => server.sockets.size === 0);
  });

  it("with bytes behind an answer are closed, and the bytes are nobody's", async () => {
    const server = await start(
      (socket) => void socket.write(`${HELLO}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`),
    );
    assert.equal((await ask(server)).body, "hello");
    assert.equal((await ask(server)).body, "hello");
    assert.deepEqual(connectionsOf(server), [0, 1]);
  });

  it("on which a request was refused are closed: the server may answer it once more when it has read it", async () => {
    const server = await start((socket, { body }) => {
      if (body === "first") socket.write("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy");
      else socket.write(`${HELLO.replace("hello", "first")}${HELLO}`);
    });
    assert.equal((await ask(server, { body: Buffer.from("first") })).body, "busy");
    await ask(server, { body: Buffer.from("second") });
    assert.deepEqual(connectionsOf(server), [0, 1]);
  });

  it("on which something comes while nobody asks are closed", async () => {
    const server = await start();
    await ask(server);
    for (const socket of server.sockets) socket.write(HELLO.replace("hello", "evil!"));
    assert.equal((await ask(server)).body, "hello");
    assert.deepEqual(connectionsOf(server), [0, 1]);
  });

  it("that cannot be made are a failure of the connection", async () => {
    const server = await startByteServer(() => undefined);
    await server.close();
    const record = send(server.url);
    await record.done;
    assert.equal(kindOf(record), "connection");
  });

  it("that take too long are a timeout", async () => {
    const slow = new DirectClient((_options, callback) => {
      const error = Object.assign(new Error("late"), { code: "UND_ERR_CONNECT_TIMEOUT" });
      setImmediate(() => callback(error, null));
    }, new Agent());
    const record = recordDispatch(slow, "http://127.0.0.1:1");
    await record.done;
    assert.equal(kindOf(record), "timeout");
    await slow.destroy();
  });
});

/** Of several reads, and of more pieces: TLS encrypts 16 KiB at once. */
const LONG = randomBytes(1_000_000);

describe("TLS", () => {
  it("is spoken where the address says so, with a certificate that somebody vouches for, and with sessions that go on", async () => {
    const server = await start();
    const front = await startTlsFront(server.port);
    const origin = `https://127.0.0.1:${front.port}`;
    const untrusted = send(origin);
    await untrusted.done;
    assert.equal(kindOf(untrusted), "tls");
    front.trust();
    const trusting = new DirectClient(directConnector(5_000), new Agent());
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

  for (const [what, head] of [
    ["of a told length", `HTTP/1.1 200 OK\r\nContent-Length: ${LONG.length}\r\n\r\n`],
    ["that ends with the connection", "HTTP/1.1 200 OK\r\n\r\n"],
  ] as const) {
    it(`brings all of an answer ${what}, which is paused at every piece`, async () => {
      const server = await start((socket) => void socket.end(Buffer.concat([Buffer.from(head), LONG])));
      const front = await startTlsFront(server.port);
      front.trust();
      const trusting = new DirectClient(directConnector(5_000), new Agent());
      const record = recordDispatch(trusting, `https://127.0.0.1:${front.port}`);
      record.onPiece = (controller) => {
        controller.pause();
        setTimeout(() => controller.resume(), 1);
      };
      await record.done;
      await trusting.destroy();
      front.close();
      assert.deepEqual(record.heard, ["start", "head", "body", "end"]);
      assert.ok(record.body === LONG.toString("latin1"));
    });
  }
});

describe("the client's end", () => {
  it("waits for what is under way", async () => {
    let answer: (() => void) | undefined;
    const server = await start((socket) => {
      answer = () => void socket.write(HELLO);
    });
    const record = send(server.url);
    await waitUntil(async () => answer !== undefined);
    const closed = client().close();
    const late = send(server.url);
    assert.equal(late.error?.name, "ClientClosedError");
    answer?.();
    await closed;
    assert.equal(record.body, "hello");
    await waitUntil(async () => server.sockets.size === 0);
  });

  it("ends what is under way when it is forced", async () => {
    const server = await start((socket) => void socket.write(ENDLESS));
    const running = send(server.url);
    await waitUntil(async () => running.body === "hi");
    const unsent = send(server.url);
    await client().destroy();
    assert.equal(running.error?.name, "ClientDestroyedError");
    assert.equal(unsent.error?.name, "ClientDestroyedError");
    assert.equal(send(server.url).error?.name, "ClientDestroyedError");
    const [socket] = server.sockets;
    if (socket !== undefined) await once(socket, "close");
  });
});
