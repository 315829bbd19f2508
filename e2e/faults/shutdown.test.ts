import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase } from "@one-api/database/test-databases";
import { startFakeUpstream } from "@one-api/fake-upstream/start-fake-upstream";
import { readDelivered } from "../gateway/delivered-answer.ts";
import { askStub, setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";

/** Asks for one more stream; undefined when the gateway takes no more. */
async function askUnlessRefused(url: string, key: string): Promise<Response | undefined> {
  try {
    const answer = await askStub(url, key);
    return answer.status === 200 ? answer : undefined;
  } catch {
    return undefined;
  }
}

test("a gateway that is asked to stop finishes its streams, books them and takes no new ones", async (t) => {
  const upstream = await startFakeUpstream({ behaviour: { kind: "normal", chunkDelayMs: 100, pieces: 20 } });
  t.after(() => upstream.close());
  const made = await createTestDatabase("sqlite");
  t.after(() => made.remove());
  const gateway = await startGateway(made.location);
  t.after(() => gateway.kill());
  const key = await setUpStubChannel(gateway.url, upstream.url);
  const streams = await Promise.all([1, 2, 3].map(() => askStub(gateway.url, key)));
  const ended = gateway.terminate();
  // The signal takes a moment; who comes before it is served like the others.
  for (let late = await askUnlessRefused(gateway.url, key); late; late = await askUnlessRefused(gateway.url, key)) {
    streams.push(late);
  }
  const delivered = await Promise.all(
    streams.map(async (stream) => {
      const text = await stream.text();
      return readDelivered(stream, text) ?? assert.fail(text);
    }),
  );
  assert.equal(await ended, 0);
  assert.equal(await expectBooksInOrder(made.location, delivered), streams.length);
});
