import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { echo, manualHandler, received } from "../testing/handlers.ts";
import { type Http1TestServer, plainRequest, readToEnd, startHttp1Server } from "../testing/start-http1-server.ts";
import { until } from "../testing/until.ts";

const started: Http1TestServer[] = [];

async function start(...args: Parameters<typeof startHttp1Server>): Promise<Http1TestServer> {
  const test = await startHttp1Server(...args);
  started.push(test);
  return test;
}

afterEach(() => Promise.all(started.splice(0).map((test) => test.close())));

for (const reader of ["http1", "node"] as const) {
  describe(`shutdown, requests read by ${reader}`, () => {
    it("closes idle connections at once, busy ones after their response", async () => {
      const { handler, next } = manualHandler();
      const test = await start(reader, handler);
      const [idle, busy] = [await test.open(), await test.open()];
      for (const socket of [idle, busy]) socket.write(plainRequest("hello"));
      const [first, second] = [await next(), await next()];
      const [ofIdle, ofBusy] = first.request.socket.remotePort === idle.localPort ? [first, second] : [second, first];
      echo(ofIdle.request, ofIdle.response);
      await received(idle, "hello");
      test.server.close();
      assert.equal(await readToEnd(idle), "");
      echo(ofBusy.request, ofBusy.response);
      await received(busy, "hello");
      await readToEnd(busy);
    });

    it("serves one more request on each connection after an announced stop, whose response closes it", async () => {
      const { handler, next } = manualHandler();
      let isStopping = false;
      const drained = Promise.withResolvers<void>();
      const test = await start(reader, handler, {}, { isStopping: () => isStopping, drain: drained.resolve });
      const [idle, kept, busy] = [await test.open(), await test.open(), await test.open()];
      for (const socket of [idle, kept]) {
        socket.write(plainRequest("hello"));
        const { request, response } = await next();
        echo(request, response);
        await received(socket, "hello");
      }
      busy.write(plainRequest("hello"));
      const long = await next();
      long.response.writeHead(200, { "content-type": "text/plain" });
      long.response.write("begun");
      assert.match(await received(busy, "begun\r\n"), /\r\nconnection: keep-alive\r\n/i);
      isStopping = true;
      test.server.close();
      kept.write(plainRequest("late"));
      const late = await next();
      echo(late.request, late.response);
      assert.match(await readToEnd(kept), /\r\nconnection: close\r\n.*late$/is);
      long.response.end();
      await received(busy, "0\r\n\r\n");
      busy.write(plainRequest("later"));
      const later = await next();
      echo(later.request, later.response);
      assert.match(await readToEnd(busy), /\r\nconnection: close\r\n.*later$/is);
      await drained.promise;
      assert.equal(await readToEnd(idle), "", "a connection without a request is closed, too");
    });

    it("closes connections with their response once a stop is announced, and still accepts new ones", async () => {
      let isStopping = false;
      const test = await start(reader, echo, {}, { isStopping: () => isStopping });
      const kept = await test.open();
      kept.write(plainRequest("hello"));
      assert.match(await received(kept, "hello"), /\r\nconnection: keep-alive\r\n/i);
      isStopping = true;
      const fresh = await test.open();
      for (const socket of [kept, fresh]) {
        socket.write(plainRequest("last"));
        assert.match(await readToEnd(socket), /\r\nconnection: close\r\n.*last$/is);
      }
    });

    if (reader === "http1")
      it("closes unused connections after a delay, in which their first request may arrive", async () => {
        const test = await start(reader, echo, { headersTimeout: 300_000, requestTimeout: 300_000 });
        let accepted = 0;
        test.server.on("connection", () => (accepted += 1));
        const [silent, late] = [await test.open(), await test.open()];
        await until(() => accepted === 2);
        test.server.close();
        late.write(plainRequest("hello"));
        assert.match(await received(late, "hello"), /^HTTP\/1\.1 200 OK\r\n/);
        assert.equal(await readToEnd(silent), "");
      });
  });
}
