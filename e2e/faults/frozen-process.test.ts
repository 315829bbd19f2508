import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { connectDatabase } from "@one-api/database/connect-database";
import { createTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { sql } from "kysely";
import type { DeliveredAnswer } from "../gateway/delivered-answer.ts";
import { setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { askInEveryWay } from "./ask-in-every-way.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { forgetDeadGateways } from "./forget-dead-gateways.ts";

const CALLS = 20;
/** Far more than the other needs, which looks every 5 s. */
const LONGEST_WAIT_MS = 60_000;
/**
 * For so long one gateway stands still while the other is killed again and again. By default there is no wait: the first is declared dead at once, and
 * the other is left alone.
 */
const FREEZE_MS = Number(process.env["FREEZE_SECONDS"] ?? 0) * 1_000;

test(
  "a gateway that is declared dead and wakes charges every delivered answer once, beside another on one database",
  { skip: whyMissing("postgres") ?? false },
  async (t) => {
    const upstream = await startStubServer({
      behaviour: { kind: "normal", headersDelayMs: 4_000, chunkDelayMs: 100, pieces: 30 },
    });
    t.after(() => upstream.close());
    const made = await createTestDatabase("postgres");
    t.after(() => made.remove());
    const frozen = await startGateway(made.location);
    t.after(() => frozen.kill());
    const database = await connectDatabase(made.location);
    t.after(() => database.close());
    const { id: frozenId } = await database.db.selectFrom("owners").select("id").executeTakeFirstOrThrow();
    // The other reads the prices as it starts; what changes later it knows a second later.
    const key = await setUpStubChannel(frozen.url, upstream.at("openai"));
    let other = await startGateway(made.location);
    t.after(() => other.kill());
    const readShares = () =>
      database.db
        .selectFrom("shares")
        .select("remaining")
        .where("owner", "=", frozenId)
        .where("remaining", ">", 0)
        .execute();
    const isRecovered = async () =>
      (await database.db.selectFrom("owners").select("id").where("id", "=", frozenId).execute()).length === 0;

    const asked = askInEveryWay({ url: frozen.url, key }, CALLS);
    // Quota is reserved before the provider is asked, and no answer comes before its headers.
    await upstream.waitForRequest(() => upstream.requests.length >= CALLS, LONGEST_WAIT_MS);
    frozen.freeze();
    assert.ok((await readShares()).length > 0, "it holds quota for running calls when it is frozen");
    const delivered: DeliveredAnswer[] = [];
    const thawMs = performance.now() + FREEZE_MS;
    // As another gateway does that has seen no beat for 30 s.
    if (FREEZE_MS === 0)
      await sql`update owners set epoch = epoch + 1, state = 'dead' where id = ${frozenId}`.execute(database.db);
    upstream.setBehaviour({ kind: "normal", chunkDelayMs: 5 });
    let kills = 0;
    for (; performance.now() < thawMs; kills += 1) {
      let ends = 0;
      let killed: Promise<void> | undefined;
      const beside = await askInEveryWay({ url: other.url, key }, 3 * CALLS, () => {
        ends += 1;
        if (ends === 1 + ((kills * 7) % (2 * CALLS))) killed = other.kill();
      });
      await killed;
      delivered.push(...beside);
      other = await startGateway(made.location);
    }
    const beside = await askInEveryWay({ url: other.url, key }, CALLS);
    assert.equal(beside.length, CALLS);
    const deadline = Date.now() + LONGEST_WAIT_MS;
    while (!(await isRecovered())) {
      assert.ok(Date.now() < deadline, "the other gateway recovers what the frozen one holds");
      await wait(500);
    }
    assert.deepEqual(await readShares(), []);
    frozen.thaw();
    const late = await asked;
    for (const { url } of [frozen, other]) {
      const after = await askInEveryWay({ url, key }, 1);
      assert.equal(after.length, 1, "both serve again");
      delivered.push(...after);
    }
    delivered.push(...beside, ...late);
    const owners = await database.db.selectFrom("owners").select("id").where("state", "=", "live").execute();
    assert.ok(owners.length >= 2 && owners.every(({ id }) => id !== frozenId), "it goes on as another owner");
    assert.deepEqual(await Promise.all([frozen.terminate(), other.terminate()]), [0, 0]);
    await forgetDeadGateways(made.location);
    const last = await startGateway(made.location);
    assert.equal(await last.terminate(), 0);
    const charged = await expectBooksInOrder(made.location, delivered);
    t.diagnostic(
      `${late.length} of ${CALLS} answers arrived whole after the freeze; ${delivered.length} delivered, ${charged} charged, ${kills} kills beside it`,
    );
  },
);
