import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { clientSuite, codeOf, ENDLESS, HELLO } from "../testing/client-suite.ts";
import { until } from "../testing/until.ts";
import { SWEEP_MS } from "./timeout-sweep.ts";

const TIMEOUT_MS = 2 * SWEEP_MS;
/** The first tick after a wait began may follow at once, so it does not count. */
const TICKS_OF_TIMEOUT = 3;

describe("timeouts", () => {
  const { opened, send, start } = clientSuite();
  beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
  afterEach(() => mock.timers.reset());
  const tick = () => mock.timers.tick(SWEEP_MS);

  it("fail a request without a head, and not before their time", async () => {
    const server = await start(() => undefined);
    const record = send(server.url, { headersTimeout: TIMEOUT_MS });
    await until(() => server.requests.length === 1);
    for (let ticks = 1; ticks < TICKS_OF_TIMEOUT; ticks++) tick();
    assert.deepEqual(record.events, ["start"]);
    tick();
    assert.equal(codeOf(record), "UND_ERR_HEADERS_TIMEOUT");
    assert.deepEqual(record.events, ["start", "error"]);
    await until(() => server.sockets.size === 0);
  });

  it("fail a response without a further chunk", async () => {
    const server = await start((socket) => void socket.write(ENDLESS));
    const record = send(server.url, { bodyTimeout: TIMEOUT_MS });
    await until(() => record.body === "hi");
    for (let ticks = 1; ticks < TICKS_OF_TIMEOUT; ticks++) tick();
    assert.deepEqual(record.events, ["start", "head", "body"]);
    tick();
    assert.equal(codeOf(record), "UND_ERR_BODY_TIMEOUT");
  });

  it("start again with each chunk", async () => {
    const server = await start((socket) => void socket.write(ENDLESS));
    const record = send(server.url, { bodyTimeout: TIMEOUT_MS });
    await until(() => record.body === "hi");
    for (let chunks = 1; chunks <= 5; chunks++) {
      for (let ticks = 1; ticks < TICKS_OF_TIMEOUT; ticks++) tick();
      for (const socket of server.sockets) socket.write("1\r\nx\r\n");
      await until(() => record.body.length === 2 + chunks);
    }
    assert.equal(record.error, undefined);
  });

  it("do not run while a response is paused, and start again afterwards", async () => {
    const server = await start((socket) => void socket.write(ENDLESS));
    const record = send(server.url, { bodyTimeout: TIMEOUT_MS });
    record.onChunk = (controller) => controller.pause();
    await until(() => record.body === "hi");
    for (let ticks = 0; ticks < 10; ticks++) tick();
    assert.deepEqual(record.events, ["start", "head", "body"]);
    record.controller?.resume();
    for (let ticks = 1; ticks < TICKS_OF_TIMEOUT; ticks++) tick();
    assert.deepEqual(record.events, ["start", "head", "body"]);
    tick();
    assert.equal(codeOf(record), "UND_ERR_BODY_TIMEOUT");
  });

  it("close an idle connection a second before the server does", async () => {
    const server = await start((socket) => void socket.write(HELLO.replace("\r\n", "\r\nKeep-Alive: timeout=2\r\n")));
    await send(server.url).done;
    await nextTick();
    const ticks = 1 + 1_000 / SWEEP_MS;
    for (let passed = 1; passed < ticks; passed++) tick();
    await send(server.url).done;
    assert.equal(server.requests.at(-1)?.connection, 0);
    await nextTick();
    for (let passed = 0; passed < ticks; passed++) tick();
    await until(() => server.sockets.size === 0);
  });

  for (const [name, first, more] of [
    ["an incomplete head", "HTTP/1.1 200 OK\r\n", `A: ${"a".repeat(1_000)}\r\n`],
    ["interim responses", "", `HTTP/1.1 103 Early Hints\r\nA: ${"a".repeat(1_000)}\r\n\r\n`],
  ] as const) {
    it(`are not extended by ${name}`, async () => {
      const server = await start((socket) => void socket.write(first + more));
      const record = send(server.url, { headersTimeout: TIMEOUT_MS });
      await until(() => server.requests.length === 1);
      for (let ticks = 1; ticks < TICKS_OF_TIMEOUT; ticks++) {
        tick();
        for (const socket of server.sockets) socket.write(more);
        const sentBytes = first.length + more.length * (1 + ticks);
        await until(() => opened[0]?.bytesRead === sentBytes);
      }
      tick();
      assert.equal(codeOf(record), "UND_ERR_HEADERS_TIMEOUT");
      await until(() => server.sockets.size === 0);
    });
  }
});
