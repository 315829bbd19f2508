import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, it } from "node:test";
import { Agent } from "undici";
import { type DispatchRecord, recordDispatch } from "../../../testing/record-dispatch.ts";
import { type ByteServer, startByteServer } from "../../../testing/start-byte-server.ts";
import { waitUntil } from "../../../testing/wait-until.ts";
import { failureOfError } from "../failure-answer.ts";
import { DirectClient } from "./direct-client.ts";
import { directConnector } from "./direct-connector.ts";

const HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const ENDLESS = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n";

describe("waits", () => {
  let client: DirectClient;
  const servers: ByteServer[] = [];
  beforeEach(() => {
    client = new DirectClient(directConnector(5_000), new Agent());
  });
  afterEach(async () => {
    await client.destroy();
    for (const server of servers.splice(0)) await server.close();
  });

  async function start(answer: (socket: Socket) => void): Promise<ByteServer> {
    const server = await startByteServer(answer);
    servers.push(server);
    return server;
  }

  /** Sends a request and waits for its end. */
  async function ask({ url }: ByteServer, waits: { headersTimeout?: number; bodyTimeout?: number }) {
    const record = recordDispatch(client, url, waits);
    await record.done;
    return record;
  }

  /** What the relay makes of how it ended. */
  const kindOf = ({ error, status }: DispatchRecord) => error && failureOfError(error, status !== 0).kind;

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
    const record = recordDispatch(client, server.url, { bodyTimeout: 50 });
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
