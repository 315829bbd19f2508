import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase } from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { type DeliveredAnswer, readDelivered } from "../gateway/delivered-answer.ts";
import { askStub, setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";

/** The server keeps half of them for itself, and two for each call. */
const OPEN_FILES = 160;
const CALLERS = 150;

test("more callers than files may be open are refused before any work is accepted, and the others are served", async (t) => {
  const upstream = await startStubServer({
    behaviour: () => ({ kind: "slow", headersDelayMs: 1_500, chunkDelayMs: 1 }),
  });
  t.after(() => upstream.close());
  const made = await createTestDatabase("sqlite");
  t.after(() => made.remove());
  const gateway = await startGateway(made.location, OPEN_FILES);
  t.after(() => gateway.kill());
  const key = await setUpStubChannel(gateway.url, upstream.at("openai"));

  const delivered: DeliveredAnswer[] = [];
  const ends = await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      try {
        const answer = await askStub(gateway.url, key);
        const text = await answer.text();
        if (answer.status !== 200) return String(answer.status);
        const whole = readDelivered(answer, text);
        if (whole === undefined) return "cut";
        delivered.push(whole);
        return "whole";
      } catch {
        return "closed";
      }
    }),
  );
  const count = (end: string) => ends.filter((one) => one === end).length;
  assert.ok(count("whole") >= 20, JSON.stringify(ends));
  assert.ok(count("503") > 0, JSON.stringify(ends));
  assert.equal(count("whole") + count("503") + count("closed"), CALLERS, JSON.stringify(ends));

  // It recovers by itself.
  const answer = await askStub(gateway.url, key, { stream: false });
  assert.equal(answer.status, 200);
  await answer.text();
  assert.equal(await gateway.terminate(), 0);
  await expectBooksInOrder(made.location, delivered);
});
