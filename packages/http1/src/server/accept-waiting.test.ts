import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { portOf } from "../testing/port-of.ts";
import { acceptWaiting } from "./accept-waiting.ts";

const CONNECTIONS = 20;

/** Connects, and wakes the thread that waits for `connected`. The kernel needs no accept for that. */
const CLIENT = `
  const { connect } = require("node:net");
  const { workerData: { port, connections, connected } } = require("node:worker_threads");
  for (let count = 0; count < connections; count += 1)
    connect(port, "127.0.0.1", () => {
      Atomics.add(connected, 0, 1);
      Atomics.notify(connected, 0);
    }).on("error", () => undefined);`;

test("all connections that wait at a busy server's port are accepted before it closes", async (t) => {
  const server = createServer();
  let accepted = 0;
  server.on("connection", (socket) => {
    accepted += 1;
    socket.on("error", () => undefined);
    t.after(() => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const connected = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { port: portOf(server), connections: CONNECTIONS, connected };
  const client = new Worker(CLIENT, { eval: true, workerData });
  t.after(() => client.terminate());
  await once(client, "online");
  for (let count = 0; count < CONNECTIONS; count = Atomics.load(connected, 0)) Atomics.wait(connected, 0, count);
  assert.equal(accepted, 0, "this thread was busy");
  await acceptWaiting(server);
  assert.equal(accepted, CONNECTIONS);
});
