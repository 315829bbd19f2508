import assert from "node:assert/strict";
import { it } from "node:test";
import { Agent } from "undici";
import { createTestClient, HELLO } from "../testing/client-suite.ts";
import { recordDispatch } from "../testing/record-dispatch.ts";
import { startByteServer } from "../testing/start-byte-server.ts";

it("gives the fallback a copy of a pooled body", async (t) => {
  const server = await startByteServer((socket) => void socket.write(HELLO));
  const fallback = new Agent();
  const dispatch = t.mock.method(fallback, "dispatch");
  const client = createTestClient({ fallback });
  const [short, long] = [Buffer.alloc(1024, "x"), Buffer.alloc(1024 * 1024, "x")];
  for (const body of [short, long, long.subarray(0, 1024)]) {
    // A request with a header of the connection is not plain.
    await recordDispatch(client, server.url, { body, headers: { host: "elsewhere.example" } }).done;
  }
  await client.destroy();
  await server.close();
  const bodies = dispatch.mock.calls.map(({ arguments: [{ body }] }) => body);
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
