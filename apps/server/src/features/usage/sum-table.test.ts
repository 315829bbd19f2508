import assert from "node:assert/strict";
import { test } from "node:test";
import { countSteps, FIRST_BYTE_STEPS, readTimes } from "./first-bytes.ts";
import { SumTable } from "./sum-table.ts";
import { NO_SUMS, presentFirstByte, type Sums } from "./usage-sums.ts";

const sumsOf = (changes: Partial<Sums>): Sums => ({ ...NO_SUMS, ...changes });

test("what is packed in pieces is read as it was: small and large numbers, those below 0, and none", () => {
  const made = new SumTable();
  const wanted = new Map(
    Array.from({ length: 45 }, (_, index) => [
      `${index}/a "name"`,
      sumsOf({
        requests: index,
        errors: -1 - index,
        quota: 40_000 * index,
        cost: 2 ** 45 + index,
        first_log: 300,
        firstBytes: Array.from({ length: FIRST_BYTE_STEPS }, (__, step) => index * step),
      }),
    ]),
  );
  for (const [key, sums] of wanted) made.add(key, sums);
  const texts = [...made.pack(10)];
  assert.equal(texts.length, 5);
  const read = new SumTable();
  for (const text of texts) read.addPacked(text);
  assert.deepEqual(new Map(read.entries()), wanted);
  read.addTable(made);
  assert.equal(read.total().quota, 2 * made.total().quota);
  assert.equal(read.total().firstBytes[2], 2 * 2 * 990);
});

test("the largest rows come in order, those of the same worth by what they were charged, and no more than asked", () => {
  const table = new SumTable();
  const quotas = [5, 90, 40, 90, 7, 1];
  for (const [key, quota] of quotas.entries())
    table.add(key, sumsOf({ quota, errors: key < 3 ? 1 : 0, requests: key }));
  const keysOf = (count: number, name: "quota" | "errors") =>
    table.largest(count, (sumOf) => sumOf(name)).map(([key]) => key);
  assert.deepEqual(keysOf(3, "quota"), [3, 1, 2]);
  assert.deepEqual(keysOf(4, "errors"), [1, 2, 0, 3]);
  assert.deepEqual(keysOf(10, "quota"), [3, 1, 2, 4, 0, 5]);
  assert.deepEqual(table.largest(1, (sumOf) => sumOf("requests"))[0], [5, sumsOf({ quota: 1, requests: 5 })]);
});

test("how long streams took is known where all of them were counted, not of sums that older versions have made", () => {
  const firstBytes = countSteps(readTimes("90,100,110,3000").steps);
  const table = new SumTable();
  const partsOf = () => presentFirstByte(table.sumsOf("m"));
  table.add("m", sumsOf({ timed: 4, first_log: 1, firstBytes }));
  const { first_byte_p50_ms: p50, first_byte_p95_ms: p95 } = partsOf();
  assert.ok(p50 !== null && p50 > 90 && p50 < 115 && p95 !== null && p95 > 2_600 && p95 < 3_300, `${p50}, ${p95}`);
  table.addPacked(`[["m"],[1],[0],[0],[0],[0],[0],[0],[0],[0],[1],[5000]]`);
  assert.deepEqual([partsOf().first_byte_p50_ms, partsOf().first_byte_p95_ms], [null, null]);
  assert.notEqual(partsOf().first_byte_ms, null);
});

test("what older versions have stored is read too", () => {
  const table = new SumTable();
  table.addPacked(`[["a","b"],[1,2],[0,0],[0,1],[70000,3]]`);
  assert.deepEqual(
    [...table.entries()],
    [
      ["a", sumsOf({ requests: 1, quota: 70_000 })],
      ["b", sumsOf({ requests: 2, errors: 1, quota: 3 })],
    ],
  );
});
