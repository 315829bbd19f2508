import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { createOutageRetry } from "./await-database.ts";

const WAIT_MS = 10_000;

describe("reads in an outage of the database", () => {
  let nowMs = 0;
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
  const away = () => Promise.reject(new DatabaseUnavailableError("away"));

  test("are repeated until it is back", async () => {
    const retry = createOutageRetry(clock, WAIT_MS);
    let reads = 0;
    assert.equal(await retry(async () => ((reads += 1) < 3 ? away() : "row")), "row");
    assert.equal(reads, 3);
  });

  test("fail at once after it was away for too long, and wait again in the next outage", async () => {
    const retry = createOutageRetry(clock, WAIT_MS);
    let reads = 0;
    const read = async () => {
      reads += 1;
      nowMs += WAIT_MS / 2;
      return away();
    };
    await assert.rejects(retry(read), DatabaseUnavailableError);
    assert.equal(reads, 3);
    await assert.rejects(retry(read), DatabaseUnavailableError);
    assert.equal(reads, 4);
    assert.equal(await retry(async () => "row"), "row");
    await assert.rejects(retry(read), DatabaseUnavailableError);
    assert.equal(reads, 7);
  });

  test("wait again in an outage long after one that ended without a read", async () => {
    const retry = createOutageRetry(clock, WAIT_MS);
    const read = async () => {
      nowMs += WAIT_MS;
      return away();
    };
    await assert.rejects(retry(read), DatabaseUnavailableError);
    nowMs += WAIT_MS + 1;
    let reads = 0;
    assert.equal(await retry(async () => ((reads += 1) < 3 ? away() : "row")), "row");
  });

  test("fail at once for any other reason", async () => {
    const retry = createOutageRetry(clock, WAIT_MS);
    await assert.rejects(
      retry(() => Promise.reject(new TypeError("wrong"))),
      TypeError,
    );
  });
});
