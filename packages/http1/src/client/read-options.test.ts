import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { connect } from "../testing/client-suite.ts";
import { type ByteServer, startByteServer } from "../testing/start-byte-server.ts";
import { startTlsFront } from "../testing/start-tls-front.ts";
import { until } from "../testing/until.ts";

const REQUEST = "GET / HTTP/1.1\r\nHost: provider\r\n\r\n";
const LONG = Buffer.from(Array.from({ length: 70_000 }, (_, index) => `${index} `).join(""));

const servers: ByteServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await server.close();
});

async function start(response: string | Buffer): Promise<ByteServer> {
  const server = await startByteServer((socket) => void socket.write(response));
  servers.push(server);
  return server;
}

/** Sends a request on a new connection. Returns the list that its reads are added to. */
async function request(protocol: "http:" | "https:", port: number): Promise<Buffer[]> {
  const reads: Buffer[] = [];
  const address = { hostname: "127.0.0.1", host: `127.0.0.1:${port}`, protocol, port: String(port) };
  const socket = await new Promise<Socket>((resolve, reject) => {
    connect(address, (error, opened) => (opened === null ? reject(error) : resolve(opened)));
  });
  sockets.push(socket);
  socket.on("data", (bytes: Buffer) => reads.push(bytes));
  socket.write(REQUEST);
  return reads;
}

const whole = (reads: Buffer[], length: number) =>
  until(() => reads.reduce((sum, bytes) => sum + bytes.length, 0) >= length);

describe("connections that are read into the shared buffer", () => {
  it("keep their bytes when another connection is read", async () => {
    const first = await request("http:", (await start("one")).port);
    await whole(first, 3);
    const second = await request("http:", (await start("two")).port);
    await whole(second, 3);
    assert.deepEqual([String(first), String(second)], ["one", "two"]);
  });

  for (const protocol of ["http:", "https:"] as const) {
    it(`deliver a response of several reads, over ${protocol}`, async () => {
      const server = await start(LONG);
      const front = await startTlsFront(server.port);
      front.trust();
      const port = protocol === "https:" ? front.port : server.port;
      const reads = await request(protocol, port);
      await whole(reads, LONG.length);
      front.close();
      assert.ok(Buffer.concat(reads).equals(LONG));
      assert.ok(reads.length > 1);
    });
  }
});
