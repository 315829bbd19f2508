import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { test, type TestContext } from "node:test";
import { Agent } from "undici";
import { createGetJson } from "./upstream-client.ts";

const READ_MS = 200;

/** Response of `createGetJson` to a provider that answers this way. */
async function read(t: TestContext, answer: RequestListener): Promise<unknown> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  const client = new Agent();
  t.after(async () => {
    await client.destroy();
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return createGetJson(client, READ_MS)(`http://127.0.0.1:${address.port}`, {});
}

test("an answer is read to its end within the time limit", async (t) => {
  assert.deepEqual(await read(t, (_request, response) => response.end('{"a":1}')), { a: 1 });
});

test("an answer sent byte by byte is aborted with its connection", async (t) => {
  let isGone = false;
  const drip: RequestListener = (_request, response) => {
    const drops = setInterval(() => response.write(" "), 10);
    response.on("close", () => {
      isGone = true;
      clearInterval(drops);
    });
  };
  await assert.rejects(read(t, drip), /took too long/);
  while (!isGone) await new Promise(setImmediate);
});

test("an endless answer is aborted by its length", async (t) => {
  const endless: RequestListener = (_request, response) => {
    const write = () => void (response.write(" ".repeat(65_536)) && setImmediate(write));
    response.on("drain", write);
    write();
  };
  await assert.rejects(read(t, endless), /too long|took too long/);
});
