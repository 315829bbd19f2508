import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { connectDatabaseToRead } from "@one-api/database/connect-database";
import { createTestDatabase } from "@one-api/database/test-databases";
import { checkBalances } from "@one-api/ledger/check-balances";
import type { Behaviour } from "@one-api/providers/stub-kit/behaviour";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { type DeliveredAnswer, readDelivered } from "../gateway/delivered-answer.ts";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { LOOP_DELAY_P99, MEMORY_BYTES, OPEN_FILES, readMetrics } from "../gateway/read-metrics.ts";
import { askStub, setUpStubChannel, STUB_MODEL, STUB_PROMPT } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { reportFigure } from "./report-figure.ts";
import { FAULT_SEED, seededRandom } from "./seeded-random.ts";

/** SOAK_SECONDS=600 takes ten minutes. */
const SECONDS = Number(process.env["SOAK_SECONDS"] ?? 10);
const CALLERS = 16;
const SAMPLE_MS = 1_000;
/** Of all callers, this part disconnects after the first piece. */
const LEAVES = 0.08;
const MIB = 1024 * 1024;
/** Connections of callers, to providers and to the database that may stay open. */
const MORE_FILES = 8 * CALLERS;

/** One provider in two fails often: before its answer, in the middle of it, or with nonsense. */
function chooseFault(random: () => number): Behaviour {
  const choice = random();
  if (choice < 0.1) return { kind: "refuse", status: 503 };
  if (choice < 0.2) return { kind: "cut", afterChunks: 3 };
  if (choice < 0.25) return { kind: "cut", at: "accept" };
  if (choice < 0.3) return { kind: "malformed", fault: "html-body" };
  return { kind: "normal", chunkDelayMs: 5 + 20 * random(), pieces: 5 + Math.floor(25 * random()) };
}

interface Sample {
  readonly megabytes: number;
  readonly loopMs: number;
  readonly differences: number;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percentile = (values: readonly number[], part: number) =>
  values.toSorted((one, two) => one - two)[Math.floor(values.length * part)] ?? 0;

test(`${SECONDS} s of calls, some of which fail or are left: all others are served, and books, memory and files stay in order`, async (t) => {
  const random = seededRandom(FAULT_SEED);
  const failing = await startStubServer({ behaviour: () => chooseFault(random) });
  t.after(() => failing.close());
  const healthy = await startStubServer({ behaviour: { kind: "normal", chunkDelayMs: 10, pieces: 12 } });
  t.after(() => healthy.close());
  const made = await createTestDatabase("sqlite");
  t.after(() => made.remove());
  const gateway = await startGateway(made.location);
  t.after(() => gateway.kill());
  const key = await setUpStubChannel(gateway.url, failing.at("openai"));
  const root = await logInToGateway(gateway.url);
  const second = { type: 1, name: "healthy", key: "sk-stub", base_url: healthy.at("openai"), models: STUB_MODEL };
  await root.send("POST", "/api/channel/", second);
  const filesBefore = (await readMetrics(gateway.url))(OPEN_FILES);

  const untilMs = performance.now() + SECONDS * 1_000;
  const delivered: DeliveredAnswer[] = [];
  const refusals: string[] = [];
  let [calls, cut, left] = [0, 0, 0];
  const call = async (choice: () => number) => {
    const content = `${STUB_PROMPT} ${"word ".repeat(Math.floor(choice() * 40))}`.trim();
    const leaves = choice() < LEAVES;
    const answer = await askStub(gateway.url, key, {
      content,
      stream: leaves || choice() < 0.7,
      api: choice() < 0.5 ? "openai" : "anthropic",
    });
    calls += 1;
    if (answer.status !== 200) return void refusals.push(`${answer.status}: ${await answer.text()}`);
    if (leaves) {
      left += 1;
      const reader = answer.body?.getReader();
      await reader?.read();
      return reader?.cancel();
    }
    const whole = readDelivered(answer, await answer.text(), content);
    if (whole === undefined) cut += 1;
    else delivered.push(whole);
  };
  const callers = Array.from({ length: CALLERS }, async (_, index) => {
    const choice = seededRandom(FAULT_SEED + 1 + index);
    while (performance.now() < untilMs) await call(choice);
  });
  const books = await connectDatabaseToRead(made.location);
  const samples: Sample[] = [];
  while (performance.now() < untilMs) {
    await wait(SAMPLE_MS);
    const metric = await readMetrics(gateway.url);
    const differences = (await checkBalances(books)).length;
    samples.push({ megabytes: metric(MEMORY_BYTES) / MIB, loopMs: metric(LOOP_DELAY_P99) * 1_000, differences });
  }
  await Promise.all(callers);
  await books.close();

  t.diagnostic(`${calls} calls: ${delivered.length} whole, ${cut} cut by the provider, ${left} left by the caller`);
  assert.deepEqual(refusals, [], "a healthy provider serves what the other refuses");
  assert.ok(cut > 0 && left > 0);
  const moreFiles = (await readMetrics(gateway.url))(OPEN_FILES) - filesBefore;
  assert.ok(moreFiles <= MORE_FILES, `${moreFiles} more files are open`);
  const sizes = samples.map(({ megabytes }) => megabytes);
  // The first fifth is the warm-up.
  const fifth = Math.max(1, Math.floor(samples.length / 5));
  reportFigure(t, "soak.failed", refusals.length);
  reportFigure(t, "soak.rate", calls / SECONDS);
  reportFigure(t, "soak.differences", Math.max(...samples.map(({ differences }) => differences)));
  reportFigure(t, "soak.peak", Math.max(...sizes));
  reportFigure(t, "soak.growth", mean(sizes.slice(-fifth)) - mean(sizes.slice(fifth, 2 * fifth)));
  reportFigure(
    t,
    "soak.loop",
    percentile(
      samples.map(({ loopMs }) => loopMs),
      0.5,
    ),
  );
  assert.deepEqual(
    samples.filter(({ differences }) => differences > 0),
    [],
  );

  assert.equal(await gateway.terminate(), 0);
  await expectBooksInOrder(made.location, delivered);
  const startMs = performance.now();
  const restarted = await startGateway(made.location);
  reportFigure(t, "soak.start", performance.now() - startMs);
  assert.equal(await restarted.terminate(), 0);
});
