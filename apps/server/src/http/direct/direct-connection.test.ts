import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { answerWith, byHand, echo, heard } from "../../testing/servers/answer-callers.ts";
import {
  type Answer,
  type CallerServerTest,
  plainCall,
  readToEnd,
  startCallerServer,
} from "../../testing/servers/start-caller-server.ts";
import type { CallerServerOptions } from "./caller-server.ts";

const started: CallerServerTest[] = [];

async function start(
  way: "direct" | "node",
  answer: Answer,
  options: Partial<CallerServerOptions> = {},
): Promise<CallerServerTest> {
  const test = await startCallerServer(way, answer, options);
  started.push(test);
  return test;
}

afterEach(() => Promise.all(started.splice(0).map((test) => test.close())));

it("nothing is read directly from connections that are refused", async () => {
  const test = await startCallerServer("direct", echo, {}, { isShed: () => true });
  started.push(test);
  assert.match(await test.exchange(plainCall("hello")), /hello$/);
  assert.equal(test.direct, 0);
});

it("a connection that has been idle for too long is not closed while a request waits in its buffer", async (t) => {
  let [aheadMs, looks] = [0, 0];
  const now = performance.now.bind(performance);
  t.mock.method(performance, "now", () => {
    looks += 1;
    return now() + aheadMs;
  });
  const test = await start("direct", echo);
  const [caller, idle] = [await test.open(), await test.open()];
  for (const socket of [caller, idle]) {
    socket.write(plainCall("first"));
    await heard(socket, "first");
  }
  // Both are seen idle, and at the next look they have been so for too long.
  for (const seen = looks; looks === seen;) await nextTurn();
  await nextTurn();
  caller.write(plainCall("second"));
  aheadMs = 100_000;
  stallMs(100);
  assert.match(await heard(caller, "second"), /^HTTP\/1\.1 200 OK\r\n/);
  assert.equal(await readToEnd(idle), "");
});

it("nor is one that Node has found idle for too long", async () => {
  const test = await start("node", echo);
  const bySocket = new Map<number | undefined, Socket>();
  test.server.on("connection", (socket: Socket) => bySocket.set(socket.remotePort, socket));
  const [caller, idle] = [await test.open(), await test.open()];
  for (const socket of [caller, idle]) {
    socket.write(plainCall("first"));
    await heard(socket, "first");
  }
  caller.write(plainCall("second"));
  // As the timer of a socket does, which after a stall runs before anything is read.
  for (const socket of [caller, idle]) bySocket.get(socket.localPort)?.emit("timeout");
  assert.match(await heard(caller, "second"), /^HTTP\/1\.1 200 OK\r\n/);
  assert.equal(await readToEnd(idle), "");
});

it("what comes on a connection that others have by now comes to them", async () => {
  const test = await start("direct", echo);
  const taken = new Promise<Socket>((resolve) => test.server.once("connection", resolve));
  const caller = await test.open();
  const socket = await taken;
  caller.write("POST /api/page HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\npage");
  await heard(caller, "page");
  // Node's parser lets go of a connection that somebody else listens to.
  const came = once(socket, "data");
  caller.write(plainCall("for the listener"));
  assert.match(String(await came), /for the listener$/);
  assert.match(await heard(caller, "for the listener"), /^HTTP\/1\.1 200 OK\r\n/);
  assert.equal(test.direct, 0);
});

it("gives a body to whoever takes it once all of it is there in one piece, and then to nobody else", async () => {
  const { answer, next } = byHand();
  const test = await start("direct", answer);
  const socket = await test.open();
  const text = plainCall("hello");
  socket.write(text.slice(0, -2));
  const first = await next();
  assert.equal(first.request.takeWhole?.(), undefined);
  socket.write(text.slice(-2));
  while (!first.request.complete) await nextTurn();
  assert.equal(first.request.takeWhole?.(), undefined);
  echo(first.request, first.response);
  await heard(socket, "hello");
  for (const body of ["hello", ""]) {
    socket.write(plainCall(body));
    const { request, response } = await next();
    assert.equal(String(request.takeWhole?.()), body);
    assert.equal(request.takeWhole?.(), undefined);
    request.on("data", () => assert.fail("the body was taken"));
    request.pause();
    request.resume();
    answerWith(response, "taken");
    await heard(socket, "taken");
  }
});

it("an answer has left when the system has all of it, and not before", async () => {
  const { answer, next } = byHand();
  const test = await start("direct", answer);
  const socket = await test.open();
  socket.pause();
  socket.write(plainCall("hello"));
  const { response } = await next();
  let hasLeft = false;
  response.once("close", () => (hasLeft = true));
  response.writeHead(200, {});
  // A long piece waits for the caller, and what ends the answer behind it.
  response.write(Buffer.alloc(20_000_000, "x"));
  response.end("the end");
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  assert.equal(hasLeft, false);
  socket.resume();
  while (!hasLeft) await nextTurn();
});

/** Lets the event loop do nothing for so long. */
function stallMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

for (const way of ["direct", "node"] as const) {
  describe(`a caller's connection, read ${way === "direct" ? "directly" : "by Node alone"}`, () => {
    it("serves one request after the other, and then a page, and a call again", async () => {
      const test = await start(way, echo);
      const socket = await test.open();
      for (const body of ["first", "second"]) {
        socket.write(plainCall(body));
        assert.match(await heard(socket, body), /^HTTP\/1\.1 200 OK\r\n/);
      }
      assert.equal(test.direct, way === "direct" ? 2 : 0);
      socket.write("POST /api/page HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\npage");
      assert.match(await heard(socket, "page"), /^HTTP\/1\.1 200 OK\r\n/);
      socket.write(plainCall("third"));
      await heard(socket, "third");
      assert.equal(test.direct, way === "direct" ? 2 : 0);
    });

    it("takes a body in many pieces, also before anybody reads it", async () => {
      const { answer, next } = byHand();
      const test = await start(way, answer);
      const socket = await test.open();
      const body = "0123456789".repeat(50_000);
      const text = plainCall(body);
      const cut = text.length - 300_000;
      socket.write(text.slice(0, cut));
      const { request, response } = await next();
      assert.equal(request.complete, false);
      socket.write(text.slice(cut));
      await nextTurn();
      echo(request, response);
      const answered = await heard(socket, body);
      assert.equal(answered.split("\r\n\r\n")[1]?.length, body.length);
    });

    it("brings nothing of a body while its reader pauses", async () => {
      const { answer, next } = byHand();
      const test = await start(way, answer);
      const socket = await test.open();
      const length = 500_000;
      socket.write(plainCall("x".repeat(length)));
      const { request, response } = await next();
      let [came, isPaused] = [0, false];
      request.on("data", (piece) => {
        assert.equal(isPaused, false);
        came += piece.length;
        isPaused = true;
        request.pause();
        setImmediate(() => {
          isPaused = false;
          request.resume();
        });
      });
      request.once("end", () => answerWith(response, `${came} bytes`));
      request.resume();
      await heard(socket, `${length} bytes`);
      socket.write(plainCall("next"));
      const after = await next();
      echo(after.request, after.response);
      await heard(socket, "next");
    });

    it("answers requests that came together in their order", async () => {
      const test = await start(way, echo);
      const socket = await test.open();
      socket.write(plainCall("first") + plainCall("second") + plainCall("third"));
      const answered = await heard(socket, "third");
      assert.ok(answered.indexOf("first") < answered.indexOf("second"));
    });

    it("answers a request that came during the one before it, once that is answered", async () => {
      const { answer, next } = byHand();
      const test = await start(way, answer);
      const socket = await test.open();
      socket.write(plainCall("first"));
      const first = await next();
      const half = plainCall("second").length - 10;
      socket.write(plainCall("second").slice(0, half));
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      socket.write(plainCall("second").slice(half));
      echo(first.request, first.response);
      await heard(socket, "first");
      const second = await next();
      echo(second.request, second.response);
      assert.match(await heard(socket, "second"), /^HTTP\/1\.1 200 OK\r\n/);
    });

    it("reads over a body that nobody wanted, and takes the next request", async () => {
      const { answer, next } = byHand();
      const test = await start(way, answer);
      const socket = await test.open();
      const body = "x".repeat(300_000);
      socket.write(plainCall(body).slice(0, 5_000));
      answerWith((await next()).response, "refused");
      await heard(socket, "refused");
      socket.write(plainCall(body).slice(5_000));
      socket.write(plainCall("next"));
      const { request, response } = await next();
      echo(request, response);
      await heard(socket, "next");
    });

    it("answers a caller that has closed its side, and closes then", async () => {
      const { answer, next } = byHand();
      const test = await start(way, answer);
      const socket = await test.open();
      socket.end(plainCall("hello"));
      const { request, response } = await next();
      if (!request.socket.readableEnded) await once(request.socket, "end");
      echo(request, response);
      assert.match(await readToEnd(socket), /hello$/);
    });

    it("tells of a caller that leaves, whether it read anything or not", async () => {
      const { answer, next } = byHand();
      const test = await start(way, answer);
      const socket = await test.open();
      socket.write(plainCall("hello"));
      const { response } = await next();
      const gone = new Promise<void>((resolve) => response.once("close", resolve));
      response.writeHead(200, {});
      response.write("begun");
      await heard(socket, "begun\r\n");
      socket.resetAndDestroy();
      await gone;
      assert.deepEqual([response.destroyed, response.writableEnded], [true, false]);
      assert.equal(response.write("more"), false);
    });

    it("writes no faster than its caller reads, and says when there is room", async () => {
      const { answer, next } = byHand();
      const test = await start(way, answer);
      const socket = await test.open();
      socket.pause();
      socket.write(plainCall("hello"));
      const { response } = await next();
      response.writeHead(200, {});
      const piece = Buffer.alloc(100_000, "x");
      let written = 0;
      do {
        written += piece.length;
        // What the system takes at once is written before it says so.
        if (!response.write(piece)) await nextTurn();
      } while (response.writableLength === 0);
      const isRoom = new Promise<void>((resolve) => response.once("drain", resolve));
      let read = 0;
      socket.on("data", (bytes) => (read += bytes.length)).resume();
      await isRoom;
      assert.equal(response.writableLength, 0);
      const closed = new Promise<void>((resolve) => response.once("close", resolve));
      response.end("the end");
      await closed;
      while (read < written) await nextTurn();
    });

    it("closes when the answer says so", async () => {
      const test = await start(way, (_request, response) => {
        response.writeHead(503, { connection: "close" });
        response.end("closing");
      });
      const socket = await test.open();
      socket.write(plainCall("hello"));
      assert.match(await readToEnd(socket), /\r\nconnection: close\r\n.*closing\r\n0\r\n\r\n$/s);
    });

    it("is closed when the answer is broken off", async () => {
      const test = await start(way, (_request, response) => {
        response.writeHead(200, {});
        response.write("begun");
        response.once("drain", () => undefined);
        setImmediate(() => response.destroy());
      });
      const socket = await test.open();
      socket.write(plainCall("hello"));
      assert.match(await readToEnd(socket), /begun\r\n$/);
    });

    it("refuses headers that would begin another line", async () => {
      const { answer, next } = byHand();
      const test = await start(way, answer);
      const socket = await test.open();
      socket.write(plainCall("hello"));
      const before = await next();
      before.response.writeHead(200, { "x-a": "b", "content-length": 4 });
      before.response.end("good");
      await heard(socket, "good");
      socket.write(plainCall("hello"));
      const { response } = await next();
      assert.throws(() => response.writeHead(200, { "x-a": "b\r\nset-cookie: c" }), { code: "ERR_INVALID_CHAR" });
      assert.throws(() => response.writeHead(200, { "x a": "b" }), { code: "ERR_INVALID_HTTP_TOKEN" });
      answerWith(response, "fine");
      await heard(socket, "fine");
    });

    it("may say that it is at work", async () => {
      const test = await start(way, (_request, response) => {
        response.writeProcessing();
        answerWith(response, "done");
      });
      const socket = await test.open();
      socket.write(plainCall("hello"));
      assert.match(await heard(socket, "done"), /^HTTP\/1\.1 102 Processing\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    });

    it("is closed when nothing is sent on it in time, and told so", async () => {
      const test = await start(way, echo, { headersTimeout: 60 });
      assert.match(await readToEnd(await test.open()), /^HTTP\/1\.1 400 ERR_HTTP_REQUEST_TIMEOUT/);
    });

    it("is closed when a body does not come in time, and told so", async () => {
      const test = await start(way, echo, { headersTimeout: 60, requestTimeout: 60 });
      const socket = await test.open();
      socket.write(plainCall("hello").slice(0, -1));
      assert.match(await readToEnd(socket), /^HTTP\/1\.1 400 ERR_HTTP_REQUEST_TIMEOUT/);
    });

    it("is closed when the rest of a body that nobody wanted keeps coming, and its answer was heard", async () => {
      const { answer, next } = byHand();
      const test = await start(way, answer, { requestTimeout: 600_000, unreadBodyTimeout: 60 });
      const socket = await test.open();
      socket.write(plainCall("0123456789").slice(0, -9));
      answerWith((await next()).response, "refused");
      await heard(socket, "refused");
      socket.write("1");
      assert.equal(await readToEnd(socket), "");
    });

    it("is closed without a word when no further request comes", async () => {
      const test = await start(way, echo, { keepAliveTimeout: 1 });
      const socket = await test.open();
      socket.write(plainCall("hello"));
      assert.match(await readToEnd(socket), /hello$/);
    });

    it("has all the time it needs for an answer", async () => {
      const { answer, next } = byHand();
      const test = await start(way, answer, { headersTimeout: 20, requestTimeout: 20, keepAliveTimeout: 1 });
      const socket = await test.open();
      socket.write(plainCall("hello"));
      const long = await next();
      // Another's connection is opened, answered and closed meanwhile: this one's times have passed, too.
      const other = await test.open();
      other.write(plainCall("quick"));
      const quick = await next();
      echo(quick.request, quick.response);
      assert.match(await readToEnd(other), /quick$/);
      echo(long.request, long.response);
      await heard(socket, "hello");
    });

    it("is closed at once where all are", async () => {
      const { answer, next } = byHand();
      const test = await start(way, answer);
      const socket = await test.open();
      socket.write(plainCall("hello"));
      const { response } = await next();
      const gone = new Promise<void>((resolve) => response.once("close", resolve));
      test.server.closeAllConnections();
      await gone;
      assert.equal(await readToEnd(socket), "");
    });
  });
}
