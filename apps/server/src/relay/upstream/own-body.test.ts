import assert from "node:assert/strict";
import { it } from "node:test";
import { Agent } from "undici";
import { checkedConnector } from "../../platform/network/checked-connector.ts";
import { recordDispatch } from "../../testing/record-dispatch.ts";
import { startByteServer } from "../../testing/servers/start-byte-server.ts";
import { DirectClient } from "./http1/direct-client.ts";

it("gives undici a copy of a long body, whose memory may be another's when the answer has come", async (t) => {
  const server = await startByteServer((socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"));
  const others = new Agent();
  const given = t.mock.method(others, "dispatch");
  const client = new DirectClient(checkedConnector(5_000, { allowH2: false }), others);
  const [short, long] = [Buffer.alloc(1024, "x"), Buffer.alloc(1024 * 1024, "x")];
  for (const body of [short, long, long.subarray(0, 1024)]) {
    // A header of the connection is nothing that the direct client sends.
    await recordDispatch(client, server.url, { body, headers: { host: "elsewhere.example" } }).done;
  }
  await client.destroy();
  await server.close();
  const bodies = given.mock.calls.map(({ arguments: [{ body }] }) => body);
  assert.deepEqual(
    bodies.map(
      (body) => Buffer.isBuffer(body) && [body.length, body.buffer === short.buffer || body.buffer === long.buffer],
    ),
    [
      [1024, true],
      [1024 * 1024, false],
      [1024, false],
    ],
  );
  assert.deepEqual(
    server.requests.map(({ body }) => body.length),
    [1024, 1024 * 1024, 1024],
  );
});
