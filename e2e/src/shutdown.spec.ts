import { createTestDatabase } from "@one-api/database/test-databases";
import { startFakeUpstream } from "@one-api/fake-upstream/start-fake-upstream";
import { expect, test } from "@playwright/test";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { askStub, setUpStubChannel } from "./set-up-stub-channel.ts";
import { startGateway } from "./start-gateway.ts";

/** Asks for one more stream; undefined when the gateway takes no more. */
async function askUnlessRefused(url: string, key: string): Promise<Response | undefined> {
  try {
    const answer = await askStub(url, key);
    return answer.status === 200 ? answer : undefined;
  } catch {
    return undefined;
  }
}

test("a gateway that is asked to stop finishes its streams, books them and takes no new ones", async () => {
  const upstream = await startFakeUpstream({ behaviour: { kind: "normal", chunkDelayMs: 150, pieces: 20 } });
  const made = await createTestDatabase("sqlite");
  const gateway = await startGateway(made.location);
  const key = await setUpStubChannel(gateway.url, upstream.url);
  const streams = await Promise.all([1, 2, 3].map(() => askStub(gateway.url, key)));
  const ended = gateway.terminate();
  // The signal takes a moment; who comes before it is served like the others.
  for (let late = await askUnlessRefused(gateway.url, key); late; late = await askUnlessRefused(gateway.url, key)) {
    streams.push(late);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const texts = await Promise.all(streams.map((stream) => stream.text()));
  for (const text of texts) expect(text.trimEnd().endsWith("data: [DONE]")).toBe(true);
  expect(await ended).toBe(0);
  const ids = streams.map((stream) => stream.headers.get("x-request-id") ?? "");
  expect(await expectBooksInOrder(made.location, ids)).toBe(streams.length);
  await upstream.close();
  await made.remove();
});
