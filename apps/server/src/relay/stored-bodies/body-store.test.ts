import assert from "node:assert/strict";
import { it } from "node:test";
import { pino } from "pino";
import type { OptionStore } from "../../core/option-store.ts";
import type { StoredBodies } from "../../features/logs/index.ts";
import { ownRequest } from "../dialects/index.ts";
import { createBodyStore } from "./body-store.ts";

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

const options: OptionStore = {
  flag: () => true,
  number: () => 1_000,
  text: () => "",
  ratios: () => new Map(),
  prices: () => new Map(),
  secret: () => "",
  generation: () => 0,
};

it("stored bodies wait in memory that accounts share, and leave it once they are written", async () => {
  const written: StoredBodies[] = [];
  const log = pino({ enabled: false });
  const write = async (bodies: readonly StoredBodies[]) => void written.push(...bodies);
  const store = createBodyStore({ options, log, write, trim: async () => {} });
  const begin = (userId: number) =>
    store.begin({
      requestId: `request ${userId}`,
      caller: { storesBodies: true, tokenId: userId, userId },
      parsed: ownRequest("chat-completions", {
        model: "m",
        messages: [{ role: "user", content: "x".repeat(500 * KIBIBYTE) }],
      }),
      at: 0,
    });
  const fill = (userId: number) => {
    let stored = 0;
    for (let exchange = begin(userId); exchange !== undefined; exchange = begin(userId)) {
      exchange.end();
      stored += 500 * KIBIBYTE;
    }
    return Math.round(stored / MEBIBYTE);
  };
  assert.deepEqual([fill(1), fill(2)], [16, 8]);
  await store.flush();
  assert.equal(written.length, 48);
  assert.equal(fill(1), 16);
});
