import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatabaseLocation } from "@one-api/database/open-database";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { findPostgres } from "../../scripts/lib/find-programs.mjs";
import type { DeliveredAnswer } from "../gateway/delivered-answer.ts";
import { setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { startPostgresPair } from "../gateway/start-postgres-pair.ts";
import { askInEveryWay } from "./ask-in-every-way.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { forgetDeadGateways } from "./forget-dead-gateways.ts";

/** Calls of each gateway that run at once when the primary is killed, and while its standby takes over. */
const CALLS = 40;
/** The primary is killed when so many of them have ended, while the others are anywhere between their start and their settlement. */
const KILL_AFTER_ENDS = 15;
/** Far more than the gateways need to find the standby. */
const LONGEST_WAIT_MS = 60_000;

const programs = findPostgres();

test(
  "a failover to the standby loses no charge of a delivered answer, and charges none twice",
  { skip: programs === undefined && "PostgreSQL's server programs were not found." },
  async (t) => {
    assert.ok(programs !== undefined);
    const { databaseUrl, failOver } = await startPostgresPair(t, programs);
    const location: DatabaseLocation = { databaseUrl, dataDirectory: temporaryFolder("one-api-failover-") };
    const upstream = await startStubServer({ behaviour: { kind: "normal", chunkDelayMs: 10, pieces: 12 } });
    t.after(() => upstream.close());
    const gateways = [await startGateway(location)];
    const [first] = gateways;
    assert.ok(first);
    const key = await setUpStubChannel(first.url, upstream.at("openai"));
    // The other reads the prices as it starts.
    gateways.push(await startGateway(location));
    for (const gateway of gateways) t.after(() => gateway.kill());
    const ask = async (count: number, onEnd?: () => void): Promise<DeliveredAnswer[]> =>
      (await Promise.all(gateways.map(({ url }) => askInEveryWay({ url, key }, count, onEnd)))).flat();

    let ends = 0;
    let promoted: Promise<void> | undefined;
    const delivered = await ask(CALLS, () => {
      ends += 1;
      if (ends === KILL_AFTER_ENDS) promoted = failOver();
    });
    assert.ok(promoted, `${ends} answers ended`);
    await promoted;
    let last: DeliveredAnswer[] = [];
    const deadline = Date.now() + LONGEST_WAIT_MS;
    while (last.length < gateways.length) {
      assert.ok(Date.now() < deadline, "all gateways serve by the standby");
      last = await ask(1);
      delivered.push(...last);
    }
    delivered.push(...(await ask(CALLS)));
    assert.ok(delivered.length >= KILL_AFTER_ENDS + gateways.length * (CALLS + 1));
    assert.deepEqual(await Promise.all(gateways.map((gateway) => gateway.terminate())), [0, 0]);

    await forgetDeadGateways(location);
    const restarted = await startGateway(location);
    t.after(() => restarted.kill());
    const after = await askInEveryWay({ url: restarted.url, key }, 1);
    assert.equal(after.length, 1, "a gateway starts beside the primary that is gone");
    assert.equal(await restarted.terminate(), 0);
    const charged = await expectBooksInOrder(location, [...delivered, ...after]);
    t.diagnostic(`${delivered.length + after.length} delivered, ${charged} charged`);
  },
);
