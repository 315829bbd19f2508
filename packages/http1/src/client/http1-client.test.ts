import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { setImmediate as nextTick } from "node:timers/promises";
import { describe, it } from "node:test";
import { request as undiciRequest } from "undici";
import { clientSuite, codeOf, createTestClient, ENDLESS, HELLO } from "../testing/client-suite.ts";
import { recordDispatch } from "../testing/record-dispatch.ts";
import { until } from "../testing/until.ts";

const { client, opened, send, request, start } = clientSuite();

const hello = (socket: Socket) => void socket.write(HELLO);

describe("a request", () => {
  it("is sent with its headers and its length", async () => {
    const server = await start();
    const record = await request(server, {
      headers: { authorization: "Bearer k\xe9y", "x-a": "" },
      body: Buffer.from('{"a":1}'),
    });
    assert.deepEqual(record.events, ["start", "head", "body", "end"]);
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

  it("may have no body; a POST then has a length of 0", async () => {
    const server = await start();
    await request(server, { method: "GET", body: null });
    await request(server, { method: "POST", body: null });
    assert.doesNotMatch(server.requests[0]?.head ?? "", /content-length/);
    assert.match(server.requests[1]?.head ?? "", /content-length: 0$/);
  });

  it("of 32 MB is sent whole, on a connection that is reused", async () => {
    const server = await start();
    const body = randomBytes(32 * 1024 * 1024);
    const record = await request(server, { body });
    assert.equal(record.body, "hello");
    assert.ok(server.requests[0]?.body === body.toString("latin1"));
    await request(server);
    assert.equal(server.requests[1]?.connection, 0);
  });

  for (const value of ["sk-1\r\nx-evil: 1", "sk\n", "sk\r", "sk\0", "sk-\u20ac"]) {
    it(`is refused with ${JSON.stringify(value)} in a header, without its value in the error`, async () => {
      const server = await start();
      const record = await request(server, { headers: { authorization: value } });
      assert.deepEqual(record.events, ["error"]);
      assert.equal(record.error?.message, "invalid authorization header");
      assert.equal(server.requests.length, 0);
    });
  }

  it("is dispatched by the fallback if it is not plain", async () => {
    const server = await start();
    for (const options of [
      { headers: ["x-a", "1"] },
      { headers: { host: "elsewhere.example" } },
      { body: "text" },
      { query: { a: 1 } },
      { headers: { "x-a": ["1", "2"] } },
    ]) {
      assert.equal((await request(server, options)).body, "hello");
    }
    assert.match(server.requests[1]?.head ?? "", /host: elsewhere\.example/);
    assert.match(server.requests[3]?.head ?? "", /^POST \/v1\/chat\?a=1 /);
  });

  it("may come from undici's helpers", async () => {
    const server = await start();
    const answer = await undiciRequest(`${server.url}/models`, { dispatcher: client() });
    assert.equal(await answer.body.text(), "hello");
    const stopped = AbortSignal.abort(new Error("stopped"));
    await assert.rejects(undiciRequest(server.url, { dispatcher: client(), signal: stopped }), /stopped/);
  });
});

describe("a response", () => {
  it("that arrives before the request is sent is read, and the connection closed", async () => {
    const server = await start(hello, (socket) => {
      if (server.sockets.size > 1) return;
      socket.once("data", () => {
        socket.pause();
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno");
      });
    });
    const body = Buffer.alloc(32 * 1024 * 1024, "a");
    const record = await request(server, { body });
    assert.equal(record.status, 200);
    assert.equal(record.body, "no");
    // The pool may give the body's memory to another one from now on.
    body.fill("b");
    const [socket] = server.sockets;
    assert.equal(
      (await request(server, { headersTimeout: 10_000 })).body,
      "hello",
      "the next request has another connection",
    );
    let hasMore = false;
    socket?.on("data", (bytes: Buffer) => (hasMore ||= bytes.includes("b")));
    socket?.resume();
    await until(() => socket === undefined || !server.sockets.has(socket));
    assert.equal(hasMore, false);
  });

  for (const [name, bytes, code] of [
    ["is of another protocol", "SSH-2.0-x\r\n\r\n", "MALFORMED_RESPONSE"],
    ["is missing", "", "UND_ERR_SOCKET"],
    ["is cut off in its head", "HTTP/1.1 200", "UND_ERR_SOCKET"],
    ["is cut off in its body", HELLO.slice(0, -1), "UND_ERR_SOCKET"],
    ["is cut off in a chunk", `${ENDLESS}5\r\nhe`, "UND_ERR_SOCKET"],
    ["has a malformed chunk", `${ENDLESS}zz\r\n`, "MALFORMED_RESPONSE"],
  ] as const) {
    it(`that ${name} is an error, and the connection is closed`, async () => {
      const server = await start((socket) => socket.end(bytes));
      const record = await request(server);
      assert.equal(record.events.at(-1), "error");
      assert.equal(codeOf(record), code);
      await until(() => server.sockets.size === 0);
    });
  }

  it("without framing ends with the connection", async () => {
    const server = await start((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nall of it"));
    const record = await request(server);
    assert.deepEqual(record.events, ["start", "head", "body", "end"]);
    assert.equal(record.body, "all of it");
  });

  it("that is paused stays with the server", async () => {
    const chunk = "x".repeat(1_000_000);
    const server = await start((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${20 * chunk.length}\r\n\r\n`);
      for (let sent = 0; sent < 20; sent++) socket.write(chunk);
    });
    const record = send(server.url);
    record.onChunk = (controller) => controller.pause();
    await until(() => record.body !== "");
    const [socket] = opened;
    const bytesRead = socket?.bytesRead ?? 0;
    for (let tick = 0; tick < 20; tick++) await nextTick();
    assert.equal(socket?.bytesRead, bytesRead);
    assert.ok(bytesRead < 1_000_000, `${bytesRead} bytes were read`);
    record.onChunk = undefined;
    record.controller?.resume();
    await record.done;
    assert.equal(record.body.length, 20 * chunk.length);
  });

  it("is not read while it is paused, also after a read of its own", async () => {
    const server = await start((socket) => void socket.write(ENDLESS));
    const record = send(server.url);
    await until(() => record.body === "hi");
    const [socket] = opened;
    record.controller?.pause();
    assert.equal(socket?.isPaused(), true);
    record.controller?.resume();
    assert.equal(socket?.isPaused(), false);

    // A long read waits for its next slice, after which it is still paused.
    const paused = new Promise<void>((resolve) => {
      record.onChunk = (controller, bytes) => {
        process.nextTick(() => controller.pause());
        if (bytes.length > 1_000) resolve();
        else setImmediate(() => controller.resume());
      };
    });
    for (const peer of server.sockets) peer.write(`400000\r\n${"x".repeat(0x400000)}\r\n`);
    await paused;
    const bytesRead = socket?.bytesRead;
    for (let tick = 0; tick < 5; tick++) await nextTick();
    assert.equal(socket?.bytesRead, bytesRead);
  });

  it("is read in slices, each after its scheduled call", async () => {
    const size = 2 * 1024 * 1024;
    const server = await start((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
      socket.write(Buffer.alloc(size, "x"));
    });
    const scheduled: (() => void)[] = [];
    const sliced = createTestClient({ scheduleRead: (read) => scheduled.push(read) });
    const record = recordDispatch(sliced, server.url);
    for (let bytes = 0; bytes < size; bytes = record.body.length) {
      await until(() => scheduled.length > 0 || record.body.length === size);
      for (let tick = 0; tick < 3; tick++) await nextTick();
      const slice = record.body.length - bytes;
      assert.ok(slice <= 128 * 1024, `${slice} bytes in one slice`);
      scheduled.shift()?.();
    }
    await record.done;
    await sliced.destroy();
  });

  it("may be paused and resumed at every chunk", async () => {
    const server = await start((socket) => {
      socket.write(`${ENDLESS}3\r\nabc\r\n`);
      setImmediate(() => socket.write("1\r\nd\r\n0\r\n\r\n"));
    });
    const record = send(server.url);
    record.onChunk = (controller) => {
      controller.pause();
      setImmediate(() => controller.resume());
    };
    await record.done;
    assert.deepEqual(record.events, ["start", "head", "body", "end"]);
    assert.equal(record.body, "hiabcd");
  });
});

describe("an aborted request", () => {
  const stopped = new Error("stopped");

  it("is not sent if it was waiting", async () => {
    const server = await start();
    const record = send(server.url);
    record.controller?.abort(stopped);
    assert.deepEqual(record.events, ["start", "error"]);
    assert.equal(record.error, stopped);
    await request(server);
    assert.equal(server.requests.length, 1);
  });

  it("leaves its new connection to the next request", async () => {
    const server = await start();
    const record = send(server.url);
    await new Promise((resolve) => setImmediate(resolve));
    record.controller?.abort(stopped);
    await until(() => server.sockets.size === 1);
    await request(server);
    assert.deepEqual(record.events, ["start", "error"]);
    assert.deepEqual(
      server.requests.map(({ connection }) => connection),
      [0],
    );
  });

  for (const [when, bytes] of [
    ["before its response", ""],
    ["during its response", ENDLESS],
  ] as const) {
    it(`${when} closes its connection, with one error`, async () => {
      const server = await start((socket) => void socket.write(bytes));
      const record = send(server.url);
      await until(() => (bytes === "" ? server.requests.length === 1 : record.body === "hi"));
      record.controller?.abort(stopped);
      record.controller?.abort(stopped);
      await until(() => server.sockets.size === 0);
      assert.deepEqual(record.events, bytes === "" ? ["start", "error"] : ["start", "head", "body", "error"]);
      assert.equal(record.controller?.aborted, true);
    });
  }

  it("closes its connection while it is sent", async () => {
    const server = await start(
      () => undefined,
      (socket) => void socket.pause(),
    );
    const record = send(server.url, { body: Buffer.alloc(32 * 1024 * 1024) });
    await until(() => server.sockets.size === 1);
    record.controller?.abort(stopped);
    const [socket] = server.sockets;
    socket?.resume();
    await until(() => server.sockets.size === 0);
    assert.deepEqual(record.events, ["start", "error"]);
  });

  it("receives no event after the chunk in which it aborts", async () => {
    const server = await start((socket) => void socket.write(HELLO));
    const record = send(server.url);
    record.onChunk = (controller) => controller.abort(stopped);
    await record.done;
    await until(() => server.sockets.size === 0);
    assert.deepEqual(record.events, ["start", "head", "body", "error"]);
  });
});
