import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, it } from "node:test";
import { Agent, request } from "undici";
import { recordDispatch } from "../../../testing/record-dispatch.ts";
import { type ByteServer, type ReceivedRequest, startByteServer } from "../../../testing/start-byte-server.ts";
import { startTlsFront } from "../../../testing/start-tls-front.ts";
import { waitUntil } from "../../../testing/wait-until.ts";
import { failureOfError } from "../failure-answer.ts";
import { DirectClient } from "./direct-client.ts";
import { directConnector } from "./direct-connector.ts";

const HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const ENDLESS = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n";
const hello = (socket: Socket) => void socket.write(HELLO);

let client: DirectClient;
let servers: ByteServer[] = [];

beforeEach(() => {
  client = new DirectClient(directConnector(5_000), new Agent());
});
afterEach(async () => {
  await client.destroy();
  for (const server of servers.splice(0)) await server.close();
});

async function start(
  answer: (socket: Socket, request: ReceivedRequest) => void = hello,
  connected?: (socket: Socket) => void,
): Promise<ByteServer> {
  const server = await startByteServer(answer, connected);
  servers.push(server);
  return server;
}

/** Sends a request and waits for its end. */
async function ask(server: ByteServer, options: Parameters<typeof recordDispatch>[2] = {}) {
  const record = recordDispatch(client, server.url, options);
  await record.done;
  return record;
}

/** What the relay makes of how it ended. */
function kindOf({ error, status }: { error: Error | undefined; status: number }): string {
  return error === undefined ? "" : failureOfError(error, status !== 0).kind;
}

describe("a request", () => {
  it("arrives as it was given, with its length", async () => {
    const server = await start();
    const record = await ask(server, {
      headers: { authorization: "Bearer k\xe9y", "x-a": "" },
      body: Buffer.from('{"a":1}'),
    });
    assert.deepEqual(record.heard, ["start", "head", "body", "end"]);
    assert.equal(record.body, "hello");
    const [received] = server.requests;
    assert.deepEqual(received?.head.split("\r\n"), [
      "POST /v1/chat HTTP/1.1",
      `host: 127.0.0.1:${server.port}`,
      "connection: keep-alive",
      "authorization: Bearer k\xe9y",
      "x-a: ",
      "content-length: 7",
    ]);
    assert.equal(received?.body, '{"a":1}');
  });

  it("may have no body, which a POST says", async () => {
    const server = await start();
    await ask(server, { method: "GET", body: null });
    await ask(server, { method: "POST", body: null });
    assert.doesNotMatch(server.requests[0]?.head ?? "", /content-length/);
    assert.match(server.requests[1]?.head ?? "", /content-length: 0$/);
  });

  it("of 32 MB arrives whole, on a connection that is used again", async () => {
    const server = await start();
    const body = randomBytes(32 * 1024 * 1024);
    const record = await ask(server, { body });
    assert.equal(record.body, "hello");
    assert.ok(server.requests[0]?.body === body.toString("latin1"));
    await ask(server);
    assert.equal(server.requests[1]?.connection, 0);
  });

  for (const value of ["sk-1\r\nx-evil: 1", "sk\n", "sk\r", "sk\0", "sk-\u20ac"]) {
    it(`is refused with ${JSON.stringify(value)} in a header, which stays untold`, async () => {
      const server = await start();
      const record = await ask(server, { headers: { authorization: value } });
      assert.deepEqual(record.heard, ["error"]);
      assert.equal(record.error?.message, "invalid authorization header");
      assert.equal(server.requests.length, 0);
      assert.match(failureOfError(record.error ?? new Error(), false).message, /authorization/);
    });
  }

  it("of another kind goes through the other client", async () => {
    const server = await start();
    for (const options of [
      { headers: ["x-a", "1"] },
      { headers: { host: "elsewhere.example" } },
      { body: "text" },
      { query: { a: 1 } },
      { headers: { "x-a": ["1", "2"] } },
    ]) {
      assert.equal((await ask(server, options)).body, "hello");
    }
    assert.match(server.requests[1]?.head ?? "", /host: elsewhere\.example/);
    assert.match(server.requests[3]?.head ?? "", /^POST \/v1\/chat\?a=1 /);
  });

  it("can be one of undici's own helpers", async () => {
    const server = await start();
    const answer = await request(`${server.url}/models`, { dispatcher: client });
    assert.equal(await answer.body.text(), "hello");
    const stopped = AbortSignal.abort(new Error("stopped"));
    await assert.rejects(request(server.url, { dispatcher: client, signal: stopped }), /stopped/);
  });

  it("goes to no cloud's metadata, neither by name nor by address", async () => {
    for (const origin of ["http://169.254.169.254", "http://metadata.google.internal", "http://[fe80::1]"]) {
      const record = recordDispatch(client, origin);
      await record.done;
      assert.equal(record.error?.name, "ForbiddenAddressError");
    }
  });
});

describe("an answer", () => {
  it("that comes before the whole request was sent is read, and the connection closed", async () => {
    const server = await start(hello, (socket) => {
      if (server.sockets.size > 1) return;
      socket.once("data", () => {
        socket.pause();
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno");
      });
    });
    const body = Buffer.alloc(32 * 1024 * 1024, "a");
    const record = await ask(server, { body });
    assert.equal(record.status, 200);
    assert.equal(record.body, "no");
    // The body's memory is another's from now on.
    body.fill("b");
    const [socket] = server.sockets;
    assert.equal((await ask(server, { headersTimeout: 10_000 })).body, "hello", "the next request goes elsewhere");
    let hasMore = false;
    socket?.on("data", (bytes: Buffer) => (hasMore ||= bytes.includes("b")));
    socket?.resume();
    await waitUntil(async () => socket === undefined || !server.sockets.has(socket));
    assert.equal(hasMore, false);
  });

  for (const [what, bytes, kind] of [
    ["is none", "SSH-2.0-x\r\n\r\n", "connection"],
    ["does not come", "", "connection"],
    ["is cut in its head", "HTTP/1.1 200", "connection"],
    ["is cut in its body", HELLO.slice(0, -1), "broken-stream"],
    ["is cut in a chunk", `${ENDLESS}5\r\nhe`, "broken-stream"],
    ["has a chunk that is none", `${ENDLESS}zz\r\n`, "broken-stream"],
  ] as const) {
    it(`that ${what} is an error, and the connection is closed`, async () => {
      const server = await start((socket) => socket.end(bytes));
      const record = await ask(server);
      assert.equal(record.heard.at(-1), "error");
      assert.equal(kindOf(record), kind);
      await waitUntil(async () => server.sockets.size === 0);
    });
  }

  it("ends with the connection where it says nothing else", async () => {
    const server = await start((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nall of it"));
    const record = await ask(server);
    assert.deepEqual(record.heard, ["start", "head", "body", "end"]);
    assert.equal(record.body, "all of it");
  });

  it("waits while it is not taken, its end too", async () => {
    const piece = "x".repeat(1_000_000);
    const server = await start((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${20 * piece.length}\r\n\r\n`);
      for (let sent = 0; sent < 20; sent++) socket.write(piece);
    });
    const record = recordDispatch(client, server.url);
    const paused = new Promise<void>((resolve) => {
      record.onPiece = (controller) => {
        controller.pause();
        resolve();
      };
    });
    await paused;
    const [socket] = server.sockets;
    // What neither side's buffers take stays with the server.
    await pause(50);
    const taken = record.body.length;
    assert.ok(taken < 1_000_000, `${taken} were taken`);
    assert.ok((socket?.writableLength ?? 0) > 1_000_000);
    record.onPiece = undefined;
    record.controller?.resume();
    await record.done;
    assert.equal(record.body.length, 20 * piece.length);
  });

  it("that comes faster than it is read lets others have their turn", async () => {
    const size = 8 * 1024 * 1024;
    const server = await start((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
      socket.write(Buffer.alloc(size, "x"));
    });
    const record = recordDispatch(client, server.url);
    let turnBytes = 0;
    let mostBytes = 0;
    record.onPiece = (_controller, bytes) => {
      if (turnBytes === 0) setImmediate(() => (turnBytes = 0));
      turnBytes += bytes.length;
      mostBytes = Math.max(mostBytes, turnBytes);
    };
    await record.done;
    assert.equal(record.body.length, size);
    assert.ok(mostBytes <= 256 * 1024, `${mostBytes} in one turn`);
  });

  it("may be paused and resumed at every piece", async () => {
    const server = await start((socket) => {
      socket.write(`${ENDLESS}3\r\nabc\r\n`);
      setImmediate(() => socket.write("1\r\nd\r\n0\r\n\r\n"));
    });
    const record = recordDispatch(client, server.url);
    record.onPiece = (controller) => {
      controller.pause();
      setImmediate(() => controller.resume());
    };
    await record.done;
    assert.deepEqual(record.heard, ["start", "head", "body", "end"]);
    assert.equal(record.body, "hiabcd");
  });
});

describe("a request that is given up", () => {
  const stopped = new Error("stopped");

  it("before it was sent is not sent", async () => {
    const server = await start();
    const record = recordDispatch(client, server.url);
    record.controller?.abort(stopped);
    assert.deepEqual(record.heard, ["start", "error"]);
    assert.equal(record.error, stopped);
    await ask(server);
    assert.equal(server.requests.length, 1);
  });

  it("while it connects leaves the connection to the next", async () => {
    const server = await start();
    const record = recordDispatch(client, server.url);
    await new Promise((resolve) => setImmediate(resolve));
    record.controller?.abort(stopped);
    await waitUntil(async () => server.sockets.size === 1);
    await ask(server);
    assert.deepEqual(record.heard, ["start", "error"]);
    assert.deepEqual(
      server.requests.map(({ connection }) => connection),
      [0],
    );
  });

  for (const [when, bytes] of [
    ["before its answer", ""],
    ["in its answer", ENDLESS],
  ] as const) {
    it(`${when} closes the connection, and nothing more is heard`, async () => {
      const server = await start((socket) => void socket.write(bytes));
      const record = recordDispatch(client, server.url);
      await waitUntil(async () => (bytes === "" ? server.requests.length === 1 : record.body === "hi"));
      record.controller?.abort(stopped);
      record.controller?.abort(stopped);
      await waitUntil(async () => server.sockets.size === 0);
      assert.deepEqual(record.heard, bytes === "" ? ["start", "error"] : ["start", "head", "body", "error"]);
      assert.equal(record.controller?.aborted, true);
    });
  }

  it("while it is sent closes the connection", async () => {
    const server = await startByteServer(
      () => undefined,
      (socket) => void socket.pause(),
    );
    servers.push(server);
    const record = recordDispatch(client, server.url, { body: Buffer.alloc(32 * 1024 * 1024) });
    await waitUntil(async () => server.sockets.size === 1);
    record.controller?.abort(stopped);
    const [socket] = server.sockets;
    socket?.resume();
    await waitUntil(async () => server.sockets.size === 0);
    assert.deepEqual(record.heard, ["start", "error"]);
  });

  it("inside a piece stops what came with it", async () => {
    const server = await start((socket) => void socket.write(HELLO));
    const record = recordDispatch(client, server.url);
    record.onPiece = (controller) => controller.abort(stopped);
    await record.done;
    await waitUntil(async () => server.sockets.size === 0);
    assert.deepEqual(record.heard, ["start", "head", "body", "error"]);
  });
});

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
    const server = await start();
    await server.close();
    servers = [];
    const record = recordDispatch(client, server.url);
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

describe("TLS", () => {
  it("is spoken where the address says so, with a certificate that somebody vouches for, and with sessions that go on", async () => {
    const server = await start();
    const front = await startTlsFront(server.port);
    const origin = `https://127.0.0.1:${front.port}`;
    const untrusted = recordDispatch(client, origin);
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
});

describe("the client's end", () => {
  it("waits for what is under way", async () => {
    let answer: (() => void) | undefined;
    const server = await start((socket) => {
      answer = () => void socket.write(HELLO);
    });
    const record = recordDispatch(client, server.url);
    await waitUntil(async () => answer !== undefined);
    const closed = client.close();
    const late = recordDispatch(client, server.url);
    assert.equal(late.error?.name, "ClientClosedError");
    answer?.();
    await closed;
    assert.equal(record.body, "hello");
    await waitUntil(async () => server.sockets.size === 0);
  });

  it("ends what is under way when it is forced", async () => {
    const server = await start((socket) => void socket.write(ENDLESS));
    const running = recordDispatch(client, server.url);
    await waitUntil(async () => running.body === "hi");
    const unsent = recordDispatch(client, server.url);
    await client.destroy();
    assert.equal(running.error?.name, "ClientDestroyedError");
    assert.equal(unsent.error?.name, "ClientDestroyedError");
    assert.equal(recordDispatch(client, server.url).error?.name, "ClientDestroyedError");
    const [socket] = server.sockets;
    if (socket !== undefined) await once(socket, "close");
  });
});
