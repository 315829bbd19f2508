import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { describe, it } from "node:test";
import { Agent, request } from "undici";
import { recordDispatch } from "../../../testing/record-dispatch.ts";
import { waitUntil } from "../../../testing/wait-until.ts";
import { failureOfError } from "../read-failure.ts";
import { DirectClient } from "./direct-client.ts";
import { directConnector } from "./direct-connector.ts";
import { ENDLESS, HELLO, kindOf, directClientSuite } from "./testing/direct-client-suite.ts";

const { client, send, ask, start } = directClientSuite();

const hello = (socket: Socket) => void socket.write(HELLO);

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
    const answer = await request(`${server.url}/models`, { dispatcher: client() });
    assert.equal(await answer.body.text(), "hello");
    const stopped = AbortSignal.abort(new Error("stopped"));
    await assert.rejects(request(server.url, { dispatcher: client(), signal: stopped }), /stopped/);
  });

  it("goes to no cloud's metadata, neither by name nor by address", async () => {
    for (const origin of ["http://169.254.169.254", "http://metadata.google.internal", "http://[fe80::1]"]) {
      const record = send(origin);
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
    const record = send(server.url);
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

  it("is not read while it is not taken, whenever it is paused", async () => {
    const sockets: Socket[] = [];
    const connect = directConnector(5_000);
    const watched = new DirectClient((options, callback) => {
      connect(options, (...made) => {
        if (made[1] !== null) sockets.push(made[1]);
        callback(...made);
      });
    }, new Agent());
    const server = await start((socket) => void socket.write(ENDLESS));
    const record = recordDispatch(watched, server.url);
    await waitUntil(async () => record.body === "hi");
    const [read] = sockets;
    record.controller?.pause();
    assert.equal(read?.isPaused(), true);
    record.controller?.resume();
    assert.equal(read?.isPaused(), false);

    // Long reads end in a turn for others, after which it is still paused.
    const paused = new Promise<void>((resolve) => {
      record.onPiece = (controller, bytes) => {
        process.nextTick(() => controller.pause());
        if (bytes.length > 1_000) resolve();
        else setImmediate(() => controller.resume());
      };
    });
    for (const socket of server.sockets) socket.write(`400000\r\n${"x".repeat(0x400000)}\r\n`);
    await paused;
    const readBytes = read?.bytesRead;
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.equal(read?.bytesRead, readBytes);
    await watched.destroy();
  });

  it("that comes faster than it is read lets others have their turn", async () => {
    const size = 8 * 1024 * 1024;
    const server = await start((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
      socket.write(Buffer.alloc(size, "x"));
    });
    const record = send(server.url);
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

  it("that waits on many connections lets others have their turn, too", async () => {
    const size = 2 * 1024 * 1024;
    const server = await start((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
      socket.write(Buffer.alloc(size, "x"));
    });
    const records = Array.from({ length: 100 }, () => {
      const record = send(server.url);
      record.onPiece = (controller) => controller.pause();
      return record;
    });
    await waitUntil(async () => records.every(({ body }) => body !== ""));
    // What the system has taken of each waits now.
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    let turnBytes = 0;
    let mostBytes = 0;
    for (const record of records) {
      let ownBytes = 0;
      record.onPiece = (_controller, bytes) => {
        ownBytes += bytes.length;
        // That a connection brings much shows when it has been read.
        if (ownBytes <= 128 * 1024) return;
        if (turnBytes === 0) setImmediate(() => (turnBytes = 0));
        turnBytes += bytes.length;
        mostBytes = Math.max(mostBytes, turnBytes);
      };
      record.controller?.resume();
    }
    for (const record of records) {
      await record.done;
      assert.equal(record.body.length, size);
    }
    assert.ok(mostBytes <= 3 * 1024 * 1024, `${mostBytes} in one turn`);
  });

  it("may be paused and resumed at every piece", async () => {
    const server = await start((socket) => {
      socket.write(`${ENDLESS}3\r\nabc\r\n`);
      setImmediate(() => socket.write("1\r\nd\r\n0\r\n\r\n"));
    });
    const record = send(server.url);
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
    const record = send(server.url);
    record.controller?.abort(stopped);
    assert.deepEqual(record.heard, ["start", "error"]);
    assert.equal(record.error, stopped);
    await ask(server);
    assert.equal(server.requests.length, 1);
  });

  it("while it connects leaves the connection to the next", async () => {
    const server = await start();
    const record = send(server.url);
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
      const record = send(server.url);
      await waitUntil(async () => (bytes === "" ? server.requests.length === 1 : record.body === "hi"));
      record.controller?.abort(stopped);
      record.controller?.abort(stopped);
      await waitUntil(async () => server.sockets.size === 0);
      assert.deepEqual(record.heard, bytes === "" ? ["start", "error"] : ["start", "head", "body", "error"]);
      assert.equal(record.controller?.aborted, true);
    });
  }

  it("while it is sent closes the connection", async () => {
    const server = await start(
      () => undefined,
      (socket) => void socket.pause(),
    );
    const record = send(server.url, { body: Buffer.alloc(32 * 1024 * 1024) });
    await waitUntil(async () => server.sockets.size === 1);
    record.controller?.abort(stopped);
    const [socket] = server.sockets;
    socket?.resume();
    await waitUntil(async () => server.sockets.size === 0);
    assert.deepEqual(record.heard, ["start", "error"]);
  });

  it("inside a piece stops what came with it", async () => {
    const server = await start((socket) => void socket.write(HELLO));
    const record = send(server.url);
    record.onPiece = (controller) => controller.abort(stopped);
    await record.done;
    await waitUntil(async () => server.sockets.size === 0);
    assert.deepEqual(record.heard, ["start", "head", "body", "error"]);
  });
});
