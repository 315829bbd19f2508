import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { echo, manualHandler, received, respondWith } from "../testing/handlers.ts";
import {
  type Http1TestServer,
  plainRequest,
  type Reader,
  readToEnd,
  startHttp1Server,
} from "../testing/start-http1-server.ts";
import { until } from "../testing/until.ts";
import type { Http1ServerOptions } from "./http1-server.ts";
import type { RequestHandler } from "./plain-connection.ts";

const started: Http1TestServer[] = [];

async function start(
  reader: Reader,
  handler: RequestHandler,
  options: Partial<Http1ServerOptions> = {},
): Promise<Http1TestServer> {
  const test = await startHttp1Server(reader, handler, options);
  started.push(test);
  return test;
}

afterEach(() => Promise.all(started.splice(0).map((test) => test.close())));

it("reads nothing from the socket of a shed connection", async () => {
  const test = await startHttp1Server("http1", echo, {}, { isShed: () => true });
  started.push(test);
  assert.match(await test.exchange(plainRequest("hello")), /hello$/);
  assert.equal(test.plainRequests, 0);
});

it("keeps a connection open after its idle time while a request waits in its buffer", async (t) => {
  let [aheadMs, checks] = [0, 0];
  const now = performance.now.bind(performance);
  t.mock.method(performance, "now", () => {
    checks += 1;
    return now() + aheadMs;
  });
  const test = await start("http1", echo);
  const [caller, idle] = [await test.open(), await test.open()];
  for (const socket of [caller, idle]) {
    socket.write(plainRequest("first"));
    await received(socket, "first");
  }
  // One check finds both idle, and the next one finds them idle for too long.
  const before = checks;
  await until(() => checks > before);
  await nextTick();
  caller.write(plainRequest("second"));
  aheadMs = 100_000;
  stallMs(100);
  assert.match(await received(caller, "second"), /^HTTP\/1\.1 200 OK\r\n/);
  assert.equal(await readToEnd(idle), "");
});

it("keeps a connection open after Node's timeout while a request waits in its buffer", async () => {
  const test = await start("node", echo);
  const bySocket = new Map<number | undefined, Socket>();
  test.server.on("connection", (socket: Socket) => bySocket.set(socket.remotePort, socket));
  const [caller, idle] = [await test.open(), await test.open()];
  for (const socket of [caller, idle]) {
    socket.write(plainRequest("first"));
    await received(socket, "first");
  }
  caller.write(plainRequest("second"));
  // After a stall, the socket's timer runs before anything is read.
  for (const socket of [caller, idle]) bySocket.get(socket.localPort)?.emit("timeout");
  assert.match(await received(caller, "second"), /^HTTP\/1\.1 200 OK\r\n/);
  assert.equal(await readToEnd(idle), "");
});

it("passes the bytes of a connection that was handed over to its new listeners", async () => {
  const test = await start("http1", echo);
  const accepted = new Promise<Socket>((resolve) => test.server.once("connection", resolve));
  const caller = await test.open();
  const socket = await accepted;
  caller.write("POST /api/page HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\npage");
  await received(caller, "page");
  // Node's parser releases a connection that has another listener.
  const data = once(socket, "data");
  caller.write(plainRequest("for the listener"));
  assert.match(String(await data), /for the listener$/);
  assert.match(await received(caller, "for the listener"), /^HTTP\/1\.1 200 OK\r\n/);
  assert.equal(test.plainRequests, 0);
});

it("returns a body that arrived in one read, once", async () => {
  const { handler, next } = manualHandler();
  const test = await start("http1", handler);
  const socket = await test.open();
  const text = plainRequest("hello");
  socket.write(text.slice(0, -2));
  const first = await next();
  assert.equal(first.request.takeWhole?.(), undefined);
  socket.write(text.slice(-2));
  await until(() => first.request.complete);
  assert.equal(first.request.takeWhole?.(), undefined);
  echo(first.request, first.response);
  await received(socket, "hello");
  for (const body of ["hello", ""]) {
    socket.write(plainRequest(body));
    const { request, response } = await next();
    assert.equal(String(request.takeWhole?.()), body);
    assert.equal(request.takeWhole?.(), undefined);
    request.on("data", () => assert.fail("the body was taken"));
    request.pause();
    request.resume();
    respondWith(response, "taken");
    await received(socket, "taken");
  }
});

it("closes a response when the system has all of it, and not before", async () => {
  const { handler, next } = manualHandler();
  const test = await start("http1", handler);
  const socket = await test.open();
  socket.pause();
  socket.write(plainRequest("hello"));
  const { response } = await next();
  let isClosed = false;
  response.once("close", () => (isClosed = true));
  response.writeHead(200, {});
  // The long chunk waits for the caller, and the end behind it.
  response.write(Buffer.alloc(20_000_000, "x"));
  response.end("the end");
  for (let tick = 0; tick < 5; tick += 1) await nextTick();
  assert.equal(isClosed, false);
  socket.resume();
  await until(() => isClosed);
});

/** Blocks the event loop. */
function stallMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

for (const reader of ["http1", "node"] as const) {
  describe(`a caller's connection, read by ${reader}`, () => {
    it("serves plain requests in turn, then another one, then a plain one again", async () => {
      const test = await start(reader, echo);
      const socket = await test.open();
      for (const body of ["first", "second"]) {
        socket.write(plainRequest(body));
        assert.match(await received(socket, body), /^HTTP\/1\.1 200 OK\r\n/);
      }
      assert.equal(test.plainRequests, reader === "http1" ? 2 : 0);
      socket.write("POST /api/page HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\npage");
      assert.match(await received(socket, "page"), /^HTTP\/1\.1 200 OK\r\n/);
      socket.write(plainRequest("third"));
      await received(socket, "third");
      assert.equal(test.plainRequests, reader === "http1" ? 2 : 0);
    });

    it("receives a body in many reads, also before its listener is added", async () => {
      const { handler, next } = manualHandler();
      const test = await start(reader, handler);
      const socket = await test.open();
      const body = "0123456789".repeat(50_000);
      const text = plainRequest(body);
      const cut = text.length - 300_000;
      socket.write(text.slice(0, cut));
      const { request, response } = await next();
      assert.equal(request.complete, false);
      socket.write(text.slice(cut));
      await nextTick();
      echo(request, response);
      const bytes = await received(socket, body);
      assert.equal(bytes.split("\r\n\r\n")[1]?.length, body.length);
    });

    it("emits no chunk of a body while it is paused", async () => {
      const { handler, next } = manualHandler();
      const test = await start(reader, handler);
      const socket = await test.open();
      const length = 500_000;
      socket.write(plainRequest("x".repeat(length)));
      const { request, response } = await next();
      let [receivedBytes, isPaused] = [0, false];
      request.on("data", (chunk) => {
        assert.equal(isPaused, false);
        receivedBytes += chunk.length;
        isPaused = true;
        request.pause();
        setImmediate(() => {
          isPaused = false;
          request.resume();
        });
      });
      request.once("end", () => respondWith(response, `${receivedBytes} bytes`));
      request.resume();
      await received(socket, `${length} bytes`);
      socket.write(plainRequest("next"));
      const after = await next();
      echo(after.request, after.response);
      await received(socket, "next");
    });

    it("answers pipelined requests in their order", async () => {
      const test = await start(reader, echo);
      const socket = await test.open();
      socket.write(plainRequest("first") + plainRequest("second") + plainRequest("third"));
      const responses = await received(socket, "third");
      assert.ok(responses.indexOf("first") < responses.indexOf("second"));
    });

    it("answers a request that arrives before the previous response, after it", async () => {
      const { handler, next } = manualHandler();
      const test = await start(reader, handler);
      const socket = await test.open();
      socket.write(plainRequest("first"));
      const first = await next();
      const half = plainRequest("second").length - 10;
      socket.write(plainRequest("second").slice(0, half));
      for (let tick = 0; tick < 5; tick += 1) await nextTick();
      socket.write(plainRequest("second").slice(half));
      echo(first.request, first.response);
      await received(socket, "first");
      const second = await next();
      echo(second.request, second.response);
      assert.match(await received(socket, "second"), /^HTTP\/1\.1 200 OK\r\n/);
    });

    it("discards an unread body and serves the next request", async () => {
      const { handler, next } = manualHandler();
      const test = await start(reader, handler);
      const socket = await test.open();
      const body = "x".repeat(300_000);
      socket.write(plainRequest(body).slice(0, 5_000));
      respondWith((await next()).response, "refused");
      await received(socket, "refused");
      socket.write(plainRequest(body).slice(5_000));
      socket.write(plainRequest("next"));
      const { request, response } = await next();
      echo(request, response);
      await received(socket, "next");
    });

    it("answers a caller that has ended its side, then closes", async () => {
      const { handler, next } = manualHandler();
      const test = await start(reader, handler);
      const socket = await test.open();
      socket.end(plainRequest("hello"));
      const { request, response } = await next();
      if (!request.socket.readableEnded) await once(request.socket, "end");
      echo(request, response);
      assert.match(await readToEnd(socket), /hello$/);
    });

    it("closes the response when the caller disconnects", async () => {
      const { handler, next } = manualHandler();
      const test = await start(reader, handler);
      const socket = await test.open();
      socket.write(plainRequest("hello"));
      const { response } = await next();
      const gone = new Promise<void>((resolve) => response.once("close", resolve));
      response.writeHead(200, {});
      response.write("begun");
      await received(socket, "begun\r\n");
      socket.resetAndDestroy();
      await gone;
      assert.deepEqual([response.destroyed, response.writableEnded], [true, false]);
      assert.equal(response.write("more"), false);
    });

    it("applies backpressure, and emits drain when the caller has read", async () => {
      const { handler, next } = manualHandler();
      const test = await start(reader, handler);
      const socket = await test.open();
      socket.pause();
      socket.write(plainRequest("hello"));
      const { response } = await next();
      response.writeHead(200, {});
      const chunk = Buffer.alloc(100_000, "x");
      let written = 0;
      do {
        written += chunk.length;
        // False only means that the stream's buffer is full; the system may accept the bytes at once.
        if (!response.write(chunk)) await nextTick();
      } while (response.writableLength === 0);
      const drained = new Promise<void>((resolve) => response.once("drain", resolve));
      let read = 0;
      socket.on("data", (bytes) => (read += bytes.length)).resume();
      await drained;
      assert.equal(response.writableLength, 0);
      const closed = new Promise<void>((resolve) => response.once("close", resolve));
      response.end("the end");
      await closed;
      await until(() => read >= written);
    });

    it("closes after a response with connection: close", async () => {
      const test = await start(reader, (_request, response) => {
        response.writeHead(503, { connection: "close" });
        response.end("closing");
      });
      const socket = await test.open();
      socket.write(plainRequest("hello"));
      assert.match(await readToEnd(socket), /\r\nconnection: close\r\n.*closing\r\n0\r\n\r\n$/s);
    });

    it("closes when the response is destroyed", async () => {
      const test = await start(reader, (_request, response) => {
        response.writeHead(200, {});
        response.write("begun");
        response.once("drain", () => undefined);
        setImmediate(() => response.destroy());
      });
      const socket = await test.open();
      socket.write(plainRequest("hello"));
      assert.match(await readToEnd(socket), /begun\r\n$/);
    });

    it("refuses headers that would end their line", async () => {
      const { handler, next } = manualHandler();
      const test = await start(reader, handler);
      const socket = await test.open();
      socket.write(plainRequest("hello"));
      const before = await next();
      before.response.writeHead(200, { "x-a": "b", "content-length": 4 });
      before.response.end("good");
      await received(socket, "good");
      socket.write(plainRequest("hello"));
      const { response } = await next();
      assert.throws(() => response.writeHead(200, { "x-a": "b\r\nset-cookie: c" }), { code: "ERR_INVALID_CHAR" });
      assert.throws(() => response.writeHead(200, { "x a": "b" }), { code: "ERR_INVALID_HTTP_TOKEN" });
      respondWith(response, "fine");
      await received(socket, "fine");
    });

    it("sends 102 Processing", async () => {
      const test = await start(reader, (_request, response) => {
        response.writeProcessing();
        respondWith(response, "done");
      });
      const socket = await test.open();
      socket.write(plainRequest("hello"));
      assert.match(await received(socket, "done"), /^HTTP\/1\.1 102 Processing\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    });

    it("is refused after the timeout for its first request", async () => {
      const test = await start(reader, echo, { headersTimeout: 60 });
      assert.match(await readToEnd(await test.open()), /^HTTP\/1\.1 400 ERR_HTTP_REQUEST_TIMEOUT/);
    });

    it("is refused after the timeout for a body", async () => {
      const test = await start(reader, echo, { headersTimeout: 60, requestTimeout: 60 });
      const socket = await test.open();
      socket.write(plainRequest("hello").slice(0, -1));
      assert.match(await readToEnd(socket), /^HTTP\/1\.1 400 ERR_HTTP_REQUEST_TIMEOUT/);
    });

    it("is closed after the timeout for the rest of a body that was answered already", async () => {
      const { handler, next } = manualHandler();
      const test = await start(reader, handler, { requestTimeout: 600_000, unreadBodyTimeout: 60 });
      const socket = await test.open();
      socket.write(plainRequest("0123456789").slice(0, -9));
      respondWith((await next()).response, "refused");
      await received(socket, "refused");
      socket.write("1");
      assert.equal(await readToEnd(socket), "");
    });

    it("is closed without a response after the idle timeout", async () => {
      const test = await start(reader, echo, { keepAliveTimeout: 1 });
      const socket = await test.open();
      socket.write(plainRequest("hello"));
      assert.match(await readToEnd(socket), /hello$/);
    });

    it("has no time limit for a response", async () => {
      const { handler, next } = manualHandler();
      const test = await start(reader, handler, { headersTimeout: 20, requestTimeout: 20, keepAliveTimeout: 1 });
      const socket = await test.open();
      socket.write(plainRequest("hello"));
      const long = await next();
      // Another connection reaches its timeout meanwhile, so this one's have passed, too.
      const other = await test.open();
      other.write(plainRequest("quick"));
      const quick = await next();
      echo(quick.request, quick.response);
      assert.match(await readToEnd(other), /quick$/);
      echo(long.request, long.response);
      await received(socket, "hello");
    });

    it("is closed at once by closeAllConnections", async () => {
      const { handler, next } = manualHandler();
      const test = await start(reader, handler);
      const socket = await test.open();
      socket.write(plainRequest("hello"));
      const { response } = await next();
      const gone = new Promise<void>((resolve) => response.once("close", resolve));
      test.server.closeAllConnections();
      await gone;
      assert.equal(await readToEnd(socket), "");
    });
  });
}
