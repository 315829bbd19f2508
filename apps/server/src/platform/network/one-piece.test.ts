import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, Socket } from "node:net";
import { it } from "node:test";
import { readIntoOnePiece } from "./one-piece.ts";

it("a connection that a server has taken is read into the one piece, and keeps what came before", async (t) => {
  const came: Buffer[] = [];
  const server = createServer((socket) => {
    const isRead = readIntoOnePiece(socket, (bytes) => came.push(bytes) > 0);
    socket.end(String(isRead));
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const caller = connect({ port: address.port, host: "127.0.0.1", allowHalfOpen: true }).setNoDelay(true);
  assert.equal(String((await once(caller, "data"))[0]), "true");
  const lengths = [5, 6, 2_000, 2_048, 2_049, 3_000, 1, ...Array.from({ length: 40 }, () => 500), 2_048];
  const sent = lengths.map((length, index) => `${index} ${"x".repeat(length)}`.slice(0, length));
  for (const piece of sent) {
    const before = came.length;
    caller.write(piece);
    while (came.length === before) await new Promise(setImmediate);
  }
  assert.deepEqual(came.map(String), sent);
  caller.destroy();
});

it("what is no connection yet is left as it is", () => {
  assert.equal(
    readIntoOnePiece(new Socket(), () => true),
    false,
  );
});
