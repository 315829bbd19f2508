import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { byHand, echo, heard } from "../../testing/servers/answer-callers.ts";
import {
  type CallerServerTest,
  plainCall,
  readToEnd,
  startCallerServer,
} from "../../testing/servers/start-caller-server.ts";

const started: CallerServerTest[] = [];

async function start(...parts: Parameters<typeof startCallerServer>): Promise<CallerServerTest> {
  const test = await startCallerServer(...parts);
  started.push(test);
  return test;
}

afterEach(() => Promise.all(started.splice(0).map((test) => test.close())));

for (const way of ["direct", "node"] as const) {
  describe(`a connection at the stop, read ${way === "direct" ? "directly" : "by Node alone"}`, () => {
    it("is closed at once without a request, else after its answer", async () => {
      const { answer, next } = byHand();
      const test = await start(way, answer);
      const [idle, busy] = [await test.open(), await test.open()];
      for (const socket of [idle, busy]) socket.write(plainCall("hello"));
      const [first, second] = [await next(), await next()];
      const [ofIdle, ofBusy] = first.request.socket.remotePort === idle.localPort ? [first, second] : [second, first];
      echo(ofIdle.request, ofIdle.response);
      await heard(idle, "hello");
      test.server.close();
      assert.equal(await readToEnd(idle), "");
      echo(ofBusy.request, ofBusy.response);
      await heard(busy, "hello");
      await readToEnd(busy);
    });

    it("has time for one more call after an announced stop, whose answer closes it", async () => {
      const { answer, next } = byHand();
      let isStopping = false;
      const drained = Promise.withResolvers<void>();
      const test = await start(way, answer, {}, { isStopping: () => isStopping, drain: drained.resolve });
      const [idle, kept, busy] = [await test.open(), await test.open(), await test.open()];
      for (const socket of [idle, kept]) {
        socket.write(plainCall("hello"));
        const { request, response } = await next();
        echo(request, response);
        await heard(socket, "hello");
      }
      busy.write(plainCall("hello"));
      const long = await next();
      long.response.writeHead(200, { "content-type": "text/plain" });
      long.response.write("begun");
      assert.match(await heard(busy, "begun\r\n"), /\r\nconnection: keep-alive\r\n/i);
      isStopping = true;
      test.server.close();
      kept.write(plainCall("late"));
      const late = await next();
      echo(late.request, late.response);
      assert.match(await readToEnd(kept), /\r\nconnection: close\r\n.*late$/is);
      long.response.end();
      await heard(busy, "0\r\n\r\n");
      busy.write(plainCall("later"));
      const later = await next();
      echo(later.request, later.response);
      assert.match(await readToEnd(busy), /\r\nconnection: close\r\n.*later$/is);
      await drained.promise;
      assert.equal(await readToEnd(idle), "", "it is closed without a call, too");
    });

    it("is closed by its answer once a stop is announced, while new connections are still taken", async () => {
      let isStopping = false;
      const test = await start(way, echo, {}, { isStopping: () => isStopping });
      const kept = await test.open();
      kept.write(plainCall("hello"));
      assert.match(await heard(kept, "hello"), /\r\nconnection: keep-alive\r\n/i);
      isStopping = true;
      const fresh = await test.open();
      for (const socket of [kept, fresh]) {
        socket.write(plainCall("last"));
        assert.match(await readToEnd(socket), /\r\nconnection: close\r\n.*last$/is);
      }
    });

    if (way === "direct")
      it("is closed soon after the stop where nothing has ever come, but not before its first call can have come", async () => {
        const test = await start(way, echo, { headersTimeout: 300_000, requestTimeout: 300_000 });
        let taken = 0;
        test.server.on("connection", () => (taken += 1));
        const [silent, late] = [await test.open(), await test.open()];
        while (taken < 2) await nextTurn();
        test.server.close();
        late.write(plainCall("hello"));
        assert.match(await heard(late, "hello"), /^HTTP\/1\.1 200 OK\r\n/);
        assert.equal(await readToEnd(silent), "");
      });
  });
}
