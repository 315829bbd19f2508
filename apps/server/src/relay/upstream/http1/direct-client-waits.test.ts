import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { waitUntil } from "../../../testing/wait-until.ts";
import { ENDLESS, HELLO, kindOf, directClientSuite } from "./testing/direct-client-suite.ts";

describe("waits", () => {
  const { ask, send, start } = directClientSuite();

  it("for the head end", async () => {
    const server = await start(() => undefined);
    const record = await ask(server, { headersTimeout: 50 });
    assert.equal(kindOf(record), "timeout");
    assert.deepEqual(record.heard, ["start", "error"]);
    await waitUntil(async () => server.sockets.size === 0);
  });

  it("between pieces end", async () => {
    const server = await start((socket) => void socket.write(ENDLESS));
    const record = await ask(server, { bodyTimeout: 50 });
    assert.equal(kindOf(record), "timeout");
    assert.deepEqual(record.heard, ["start", "head", "body", "error"]);
  });

  it("do not run while nothing is taken, and begin again after", async () => {
    const server = await start((socket) => void socket.write(ENDLESS));
    const record = send(server.url, { bodyTimeout: 50 });
    record.onPiece = (controller) => controller.pause();
    const other = await ask(await start((socket) => void socket.write(ENDLESS)), { bodyTimeout: 300 });
    assert.equal(kindOf(other), "timeout");
    assert.deepEqual(record.heard, ["start", "head", "body"]);
    record.controller?.resume();
    await record.done;
    assert.equal(kindOf(record), "timeout");
  });

  it("do not end what is answered in time", async () => {
    const server = await start((socket) => void setTimeout(() => socket.write(HELLO), 600));
    assert.equal((await ask(server, { headersTimeout: 5_000 })).body, "hello");
  });

  for (const [what, first, more] of [
    ["pieces of it", "HTTP/1.1 200 OK\r\n", `A: ${"a".repeat(1_000)}\r\n`],
    ["interim answers", "", `HTTP/1.1 103 Early Hints\r\nA: ${"a".repeat(1_000)}\r\n\r\n`],
  ] as const) {
    it(`for the head end, whatever ${what} come meanwhile`, async () => {
      const server = await start((socket) => {
        socket.write(first);
        const dripping = setInterval(() => socket.write(more), 50);
        socket.once("close", () => clearInterval(dripping));
      });
      const record = await ask(server, { headersTimeout: 50 });
      assert.equal(kindOf(record), "timeout");
      assert.deepEqual(record.heard, ["start", "error"]);
      await waitUntil(async () => server.sockets.size === 0);
    });
  }
});
