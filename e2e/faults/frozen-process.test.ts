import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { connectDatabase } from "@one-api/database/connect-database";
import { createTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { startFakeUpstream } from "@one-api/fake-upstream/start-fake-upstream";
import { type DeliveredAnswer, readDelivered } from "../gateway/delivered-answer.ts";
import { askStub, setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";

const STREAMS = 20;
/** Far more than the others need, who look every 15 s. */
const LONGEST_WAIT_MS = 60_000;

/** Asks with a prompt of so many words, and reads the answer to its end; returns it when that came. */
async function askToEnd(
  url: string,
  key: string,
  stream: boolean,
  words: number,
): Promise<DeliveredAnswer | undefined> {
  const content = "word ".repeat(words);
  try {
    const answer = await askStub(url, key, { stream, content });
    return readDelivered(answer, await answer.text(), content);
  } catch {
    return undefined;
  }
}

test(
  "a gateway that is taken for dead and goes on charges every delivered answer once, beside another on one database",
  { skip: whyMissing("postgres") ?? false },
  async (t) => {
    const upstream = await startFakeUpstream({
      behaviour: { kind: "normal", headersDelayMs: 4_000, chunkDelayMs: 100, pieces: 30 },
    });
    t.after(() => upstream.close());
    const made = await createTestDatabase("postgres");
    t.after(() => made.remove());
    const frozen = await startGateway(made.location);
    t.after(() => frozen.kill());
    const database = await connectDatabase(made.location);
    t.after(() => database.close());
    const { id: frozenId } = await database.db.selectFrom("instances").select("id").executeTakeFirstOrThrow();
    // The other reads the prices as it starts; what changes later it knows a second later.
    const key = await setUpStubChannel(frozen.url, upstream.url);
    const other = await startGateway(made.location);
    t.after(() => other.kill());
    const countHolds = async () => (await database.db.selectFrom("relay_holds").select("request_id").execute()).length;

    const asked = Array.from({ length: STREAMS }, (_, index) => askToEnd(frozen.url, key, index % 4 !== 0, 1 + index));
    // What the provider has been asked for is held, and nobody gets an answer before its headers come.
    await upstream.waitForRequest(() => upstream.requests.length >= STREAMS, LONGEST_WAIT_MS);
    frozen.freeze();
    assert.ok((await countHolds()) > 0, "calls are running when it is frozen");
    // Others take a process for dead that has not been heard of for 30 s; nobody waits for these here.
    await database.db.updateTable("instances").set({ beat_at: 0 }).where("id", "=", frozenId).execute();
    upstream.setBehaviour({ kind: "normal" });
    const beside = await Promise.all(
      Array.from({ length: STREAMS }, (_, index) => askToEnd(other.url, key, false, 1 + index)),
    );
    const deadline = Date.now() + LONGEST_WAIT_MS;
    while ((await countHolds()) > 0) {
      assert.ok(Date.now() < deadline, "the other gateway recovers what the frozen one holds");
      await wait(500);
    }
    frozen.thaw();
    const late = await Promise.all(asked);
    const after = await Promise.all([frozen, other].map(({ url }) => askToEnd(url, key, true, 1)));
    const delivered = [...beside, ...late, ...after].filter((answer) => answer !== undefined);
    assert.ok(
      after.every((answer) => answer !== undefined),
      "both serve again",
    );
    assert.equal(beside.filter((answer) => answer !== undefined).length, STREAMS);
    assert.deepEqual(await Promise.all([frozen.terminate(), other.terminate()]), [0, 0]);
    await expectBooksInOrder(made.location, delivered);
    t.diagnostic(
      `${late.filter((answer) => answer !== undefined).length} of ${STREAMS} answers arrived whole after the freeze`,
    );
  },
);
