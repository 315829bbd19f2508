import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createTestDatabase } from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { type DeliveredAnswer, readDelivered } from "../gateway/delivered-answer.ts";
import { MEMORY_BYTES, OPEN_FILES, readMetrics } from "../gateway/read-metrics.ts";
import { askStub, setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { reportFigure } from "./report-figure.ts";

/** SLOW_CONNECTIONS=5000 opens more; each takes a file here and one in the gateway. */
const CONNECTIONS = Number(process.env["SLOW_CONNECTIONS"] ?? 400);
const OPENED_AT_ONCE = 100;
/** A good caller calls while others drip. */
const LEAST_CALLS = 40;
/** Each sends a byte so often: a head of this kind would take minutes. */
const DRIP_MS = 500;
const HEAD = `POST /v1/chat/completions HTTP/1.1\r\nhost: gateway\r\nx-filler: ${"x".repeat(400)}\r\n`;
/** The young generation grows once, and each connection takes some KiB. */
const GROWTH_BYTES = 100 * 1024 * 1024;
const EACH_BYTES = 24 * 1024;
/** The gateway waits 10 s for a head. */
const LONGEST_HEAD_MS = 30_000;
const MIB = 1024 * 1024;

/** Opens a connection and sends its head byte by byte, or only the first of it. */
function openSlow(url: string, drips: boolean): { socket: Socket; opened: Promise<unknown> } {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let sent = 20;
  const opened = once(socket, "connect").then(() => socket.write(HEAD.slice(0, sent)));
  const timer = setInterval(() => {
    if (drips && socket.writable) socket.write(HEAD.slice(sent, (sent += 1)));
  }, DRIP_MS);
  socket.on("error", () => undefined).resume();
  socket.once("close", () => clearInterval(timer));
  return { socket, opened };
}

test(`${CONNECTIONS} connections that send their heads slowly take little memory, are closed, and delay no other caller`, async (t) => {
  const upstream = await startStubServer();
  t.after(() => upstream.close());
  const made = await createTestDatabase("sqlite");
  t.after(() => made.remove());
  const gateway = await startGateway(made.location);
  t.after(() => gateway.kill());
  const key = await setUpStubChannel(gateway.url, upstream.at("openai"));
  const delivered: DeliveredAnswer[] = [];
  const times: number[] = [];
  const call = async () => {
    const startMs = performance.now();
    const answer = await askStub(gateway.url, key);
    const text = await answer.text();
    delivered.push(readDelivered(answer, text) ?? assert.fail(`${answer.status}: ${text}`));
    times.push(performance.now() - startMs);
  };
  for (let count = 0; count < LEAST_CALLS; count += 1) await call();
  const before = await readMetrics(gateway.url);
  times.length = 0;

  const slow: ReturnType<typeof openSlow>[] = [];
  while (slow.length < CONNECTIONS) {
    const count = Math.min(OPENED_AT_ONCE, CONNECTIONS - slow.length);
    const some = Array.from({ length: count }, (_, index) => openSlow(gateway.url, index % 2 === 0));
    slow.push(...some);
    await Promise.all(some.map(({ opened }) => opened));
  }
  t.after(() => {
    for (const { socket } of slow) socket.destroy();
  });
  let open = CONNECTIONS;
  for (const { socket } of slow) {
    if (socket.closed) open -= 1;
    else socket.once("close", () => (open -= 1));
  }
  let [mostFiles, mostBytes] = [0, 0];
  const deadline = performance.now() + LONGEST_HEAD_MS;
  while (open > 0) {
    assert.ok(performance.now() < deadline, `${open} slow connections are still open`);
    await call();
    const now = await readMetrics(gateway.url);
    mostFiles = Math.max(mostFiles, now(OPEN_FILES));
    mostBytes = Math.max(mostBytes, now(MEMORY_BYTES));
    await wait(20);
  }
  assert.ok(times.length >= LEAST_CALLS, `${times.length} calls were served meanwhile`);
  // A slow machine closes the first before it has opened the last.
  assert.ok(mostFiles >= CONNECTIONS / 2, `${mostFiles} files were open at once`);
  const growth = mostBytes - before(MEMORY_BYTES);
  assert.ok(growth <= GROWTH_BYTES + CONNECTIONS * EACH_BYTES, `the process grows by ${growth / MIB} MiB`);
  const filesAfter = (await readMetrics(gateway.url))(OPEN_FILES);
  assert.ok(filesAfter <= before(OPEN_FILES) + LEAST_CALLS, `${filesAfter} files are open afterwards`);
  reportFigure(t, "slow.growth", growth / MIB);
  reportFigure(t, "slow.p99", times.toSorted((one, two) => one - two)[Math.floor(times.length * 0.99)] ?? 0);
  assert.equal(await gateway.terminate(), 0);
  assert.equal(await expectBooksInOrder(made.location, delivered), delivered.length);
});
