import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, Socket } from "node:net";
import { it } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { portOf } from "../testing/port-of.ts";
import { readIntoBuffer } from "./read-into-buffer.ts";

it("an accepted connection is read into the shared buffer, and earlier reads stay intact", async (t) => {
  const reads: Buffer[] = [];
  const server = createServer((socket) => {
    const isRead = readIntoBuffer(socket, (bytes) => reads.push(bytes) > 0);
    socket.end(String(isRead));
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const client = connect({ port: portOf(server), host: "127.0.0.1", allowHalfOpen: true }).setNoDelay(true);
  assert.equal(String((await once(client, "data"))[0]), "true", "this version of Node has the private symbols");
  const lengths = [5, 6, 2_000, 2_048, 2_049, 3_000, 1, ...Array.from({ length: 40 }, () => 500), 2_048];
  const sent = lengths.map((length, index) => `${index} ${"x".repeat(length)}`.slice(0, length));
  for (const text of sent) {
    const before = reads.length;
    client.write(text);
    while (reads.length === before) await nextTick();
  }
  assert.deepEqual(reads.map(String), sent);
  client.destroy();
});

it("a socket without a connection is left alone", () => {
  assert.equal(
    readIntoBuffer(new Socket(), () => true),
    false,
  );
});
