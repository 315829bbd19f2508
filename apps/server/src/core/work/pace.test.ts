import assert from "node:assert/strict";
import { test } from "node:test";
import { createPace } from "./pace.ts";

function workFor(ms: number): void {
  for (const untilMs = performance.now() + ms; performance.now() < untilMs;);
}

test("after each piece of work requests have twice as long, and no more than 50 ms", async () => {
  let restedMs = 0;
  const rest = createPace((ms) => {
    restedMs = ms;
    return Promise.resolve();
  });
  workFor(5);
  await rest();
  assert.ok(restedMs >= 10 && restedMs <= 50, `${restedMs} ms`);
  workFor(60);
  await rest();
  assert.equal(restedMs, 50);
});
