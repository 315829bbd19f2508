import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation } from "@one-api/database/open-database";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { startFakeUpstream } from "@one-api/fake-upstream/start-fake-upstream";
import { expect, test } from "@playwright/test";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { askStub, setUpStubChannel } from "./set-up-stub-channel.ts";
import { startGateway } from "./start-gateway.ts";

const REQUESTS = 60;
const KILLS = 4;

/** Sends one streamed request and returns its id once the end mark has arrived; undefined when the server died before. */
async function streamToEnd(url: string, key: string): Promise<string | undefined> {
  try {
    const answer = await askStub(url, key);
    const text = await answer.text();
    return text.includes("[DONE]") ? (answer.headers.get("x-request-id") ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

/** Where several gateways may share a database, a dead one is waited for; nobody waits here. */
async function forgetDeadGateways(location: DatabaseLocation): Promise<void> {
  const database = await connectDatabase(location);
  await database.db.updateTable("instances").set({ beat_at: 0 }).execute();
  await database.close();
}

for (const kind of DATABASE_KINDS) {
  test(`after kill -9 under load every delivered answer is charged exactly once and all balances add up, on ${kind}`, async () => {
    const missing = whyMissing(kind);
    test.skip(missing !== undefined, missing);
    const upstream = await startFakeUpstream({ behaviour: { kind: "normal", chunkDelayMs: 15, pieces: 12 } });
    const made = await createTestDatabase(kind);
    let gateway = await startGateway(made.location);
    const key = await setUpStubChannel(gateway.url, upstream.url);
    const delivered: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const running = Array.from({ length: REQUESTS }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, (index * 7) % 250));
        return streamToEnd(gateway.url, key);
      });
      await new Promise((resolve) => setTimeout(resolve, 150 + kill * 90));
      await gateway.kill();
      for (const id of await Promise.all(running)) if (id !== undefined) delivered.push(id);
      gateway = await startGateway(made.location);
    }
    expect(await streamToEnd(gateway.url, key)).toBeDefined();
    await gateway.kill();
    await forgetDeadGateways(made.location);
    const recovered = await startGateway(made.location);
    await recovered.terminate();
    expect(delivered.length).toBeGreaterThan(0);
    await expectBooksInOrder(made.location, delivered);
    await upstream.close();
    await made.remove();
  });
}
