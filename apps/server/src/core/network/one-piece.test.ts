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
  for (const piece of ["first", "second"]) {
    const before = came.length;
    caller.write(piece);
    while (came.length === before) await new Promise(setImmediate);
  }
  assert.deepEqual(came.map(String), ["first", "second"]);
  caller.destroy();
});

it("what is no connection yet is left as it is", () => {
  assert.equal(
    readIntoOnePiece(new Socket(), () => true),
    false,
  );
});
