import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { logInToGateway } from "../gateway/gateway-client.ts";
import type { DeliveredAnswer } from "../gateway/delivered-answer.ts";
import { setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { askInEveryWay } from "./ask-in-every-way.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { forgetDeadGateways } from "./forget-dead-gateways.ts";
import { FAULT_SEED, seededRandom } from "./seeded-random.ts";

/** Calls that run at once before each kill. */
const CALLS = 60;
/** The gateway is killed when so many of them have ended, while the others are anywhere between their start and their settlement. */
const KILL_AFTER_ENDS = [1, 8, 25, 45];
const MOST_ENDS = 50;
/** How often it is killed. Change the ledger or the relay with CRASH_ROUNDS=50: later rounds are killed at random (FAULT_SEED). */
const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? KILL_AFTER_ENDS.length);

for (const kind of DATABASE_KINDS) {
  const options = { skip: whyMissing(kind) ?? false };
  test(
    `after kill -9 under load every delivered answer is charged exactly once, for its own tokens, and all balances add up, on ${kind}`,
    options,
    async (t) => {
      const random = seededRandom(FAULT_SEED);
      let asked = 0;
      const upstream = await startStubServer({
        // Answers of different lengths and speeds are in different phases whenever the kill comes.
        behaviour: () => {
          asked += 1;
          const delays = { headersDelayMs: (asked % 5) * 15, chunkDelayMs: 2 + (asked % 7) * 3 };
          return { kind: "normal", ...delays, pieces: 4 + (asked % 11) };
        },
      });
      t.after(() => upstream.close());
      const made = await createTestDatabase(kind);
      t.after(() => made.remove());
      let gateway = await startGateway(made.location);
      t.after(() => gateway.kill());
      const key = await setUpStubChannel(gateway.url, upstream.at("openai"));
      const root = await logInToGateway(gateway.url);
      const budget = { quota: 1_000_000_000_000, period: "monthly" };
      for (const path of ["/api/token/", "/api/user/"]) await root.send("PUT", path, { id: 1, budget });
      const delivered: DeliveredAnswer[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const wanted = KILL_AFTER_ENDS[round] ?? 1 + Math.floor(random() * MOST_ENDS);
        let ends = 0;
        let killed: Promise<void> | undefined;
        const killWhenEnough = () => {
          ends += 1;
          if (ends === wanted) killed = gateway.kill();
        };
        const arrived = await askInEveryWay({ url: gateway.url, key }, CALLS, killWhenEnough);
        await killed;
        assert.ok(arrived.length >= wanted, `${arrived.length} answers ended`);
        delivered.push(...arrived);
        gateway = await startGateway(made.location);
      }
      const last = await askInEveryWay({ url: gateway.url, key }, 1);
      assert.equal(last.length, 1, "the gateway serves again after the last kill");
      delivered.push(...last);
      await gateway.kill();
      await forgetDeadGateways(made.location);
      gateway = await startGateway(made.location);
      assert.equal(await gateway.terminate(), 0);
      await expectBooksInOrder(made.location, delivered);
    },
  );
}
