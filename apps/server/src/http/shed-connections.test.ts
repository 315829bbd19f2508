import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { mostConnections, readOpenFileLimit, shedConnections } from "./shed-connections.ts";

test("there is a file for every connection and its work, however few there are", () => {
  assert.equal(mostConnections(20_000), 9_936);
  assert.equal(mostConnections(200), 50);
  assert.equal(mostConnections(3), 1);
  assert.equal(mostConnections(undefined), undefined);
  assert.ok((readOpenFileLimit() ?? 64) >= 64);
});

test("connections beyond the most are told so before anything is accepted on them, and are welcome again", async (t) => {
  const logged: string[] = [];
  const log = {
    warn: (_facts: object, line: string) => void logged.push(line),
    info: (_facts: object, line: string) => void logged.push(line),
  };
  let served = 0;
  const server = createServer((request, response) => {
    if (isShed(request.socket)) return;
    served += 1;
    response.end("ok");
  });
  const isShed = shedConnections(server, 2, log);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const bound = server.address();
  assert.ok(bound !== null && typeof bound === "object");
  const call = (socket: Socket) => socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const open = async () => {
    const socket = connect(bound.port, "127.0.0.1");
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  };

  const [first, second] = [await open(), await open()];
  const surplus = [await open(), await open()];
  for (const socket of surplus) {
    call(socket);
    const answer = await text(socket);
    assert.match(answer, /^HTTP\/1\.1 503 .*Retry-After: 2/s);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    assert.equal(Number(/Content-Length: (\d+)/.exec(head)?.[1]), body.length);
    assert.match(body, /^\{"error":\{.*"code":"overloaded".*\}\}$/);
  }
  assert.equal(served, 0);
  call(first);
  assert.match(await text(first), /ok$/);
  call(second);
  await text(second);
  const again = await open();
  call(again);
  assert.match(await text(again), /ok$/);
  assert.deepEqual(logged, [
    "more callers are connected than files may be open: new connections are refused",
    "connections are accepted again",
  ]);
});
