import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { type ByteServer, startByteServer } from "../../../testing/servers/start-byte-server.ts";
import { startTlsFront } from "../../../testing/servers/start-tls-front.ts";
import { waitUntil } from "../../../testing/wait-until.ts";
import { directConnector } from "./direct-connector.ts";

const REQUEST = "GET / HTTP/1.1\r\nHost: provider\r\n\r\n";
const LONG = Buffer.from(Array.from({ length: 70_000 }, (_, index) => `${index} `).join(""));

const servers: ByteServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await server.close();
});

async function start(answer: string | Buffer): Promise<ByteServer> {
  const server = await startByteServer((socket) => void socket.write(answer));
  servers.push(server);
  return server;
}

/** Opens a connection and asks; what comes is kept as it came. */
async function ask(protocol: "http:" | "https:", port: number): Promise<{ pieces: Buffer[] }> {
  const pieces: Buffer[] = [];
  const address = { hostname: "127.0.0.1", host: `127.0.0.1:${port}`, protocol, port: String(port) };
  const socket = await new Promise<Socket>((resolve, reject) => {
    directConnector(5_000)(address, (error, made) => (made === null ? reject(error) : resolve(made)));
  });
  sockets.push(socket);
  socket.on("data", (piece: Buffer) => pieces.push(piece));
  socket.write(REQUEST);
  return { pieces };
}

const isWhole = ({ pieces }: { pieces: Buffer[] }, length: number) =>
  waitUntil(async () => pieces.reduce((sum, piece) => sum + piece.length, 0) >= length);

describe("connections that are read into one piece of memory", () => {
  it("keep what came on one of them when something comes on another", async () => {
    const first = await ask("http:", (await start("one")).port);
    await isWhole(first, 3);
    const second = await ask("http:", (await start("two")).port);
    await isWhole(second, 3);
    assert.deepEqual([String(first.pieces), String(second.pieces)], ["one", "two"]);
  });

  for (const protocol of ["http:", "https:"] as const) {
    it(`bring all of what takes several reads, by ${protocol}`, async () => {
      const server = await start(LONG);
      const front = await startTlsFront(server.port);
      front.trust();
      const port = protocol === "https:" ? front.port : server.port;
      const answer = await ask(protocol, port);
      await isWhole(answer, LONG.length);
      front.close();
      assert.ok(Buffer.concat(answer.pieces).equals(LONG));
      assert.ok(answer.pieces.length > 1);
    });
  }
});
