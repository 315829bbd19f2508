import assert from "node:assert/strict";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation } from "@one-api/database/open-database";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { findFaketime } from "../../scripts/lib/find-programs.mjs";
import { type DeliveredAnswer, readDelivered } from "../gateway/delivered-answer.ts";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { askStub, setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { forgetDeadGateways } from "./forget-dead-gateways.ts";

const library = findFaketime();
const HOUR_S = 3_600;
/** Of a date in a header, beside the jump. */
const TOLERANCE_S = 120;
const LONGEST_WAIT_MS = 60_000;
/** One stream across both jumps, and a call before and after each. */
const CALLS = 4;

for (const kind of DATABASE_KINDS)
  test(
    `a clock that jumps by an hour and by two ends no stream, session or rate limit, and declares no server dead, on ${kind}`,
    { skip: library === undefined ? "libfaketime is not installed." : (whyMissing(kind) ?? false) },
    async (t) => {
      const upstream = await startStubServer();
      t.after(() => upstream.close());
      const made = await createTestDatabase(kind);
      t.after(() => made.remove());
      const offsetFile = join(made.location.dataDirectory, "clock-offset");
      const setOffset = (seconds: number) => {
        writeFileSync(`${offsetFile}.new`, `${seconds < 0 ? "" : "+"}${seconds}\n`);
        renameSync(`${offsetFile}.new`, offsetFile);
      };
      setOffset(0);
      const jumping = await startGateway(made.location, undefined, {
        LD_PRELOAD: library ?? "",
        FAKETIME_TIMESTAMP_FILE: offsetFile,
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      });
      t.after(() => jumping.kill());
      const jump = async (seconds: number) => {
        setOffset(seconds);
        const deadline = performance.now() + LONGEST_WAIT_MS;
        for (let away = Number.POSITIVE_INFINITY; away > TOLERANCE_S;) {
          assert.ok(performance.now() < deadline, "the clock of the gateway jumps");
          const date = (await fetch(`${jumping.url}/livez`)).headers.get("date") ?? "";
          away = Math.abs(Date.parse(date) - Date.now() - seconds * 1_000) / 1_000;
        }
      };
      const key = await setUpStubChannel(jumping.url, upstream.at("openai"));
      const root = await logInToGateway(jumping.url);
      // Without Redis each of two servers enforces half of the limit, once it knows of the other.
      const limit = kind === "postgres" ? 2 * CALLS : CALLS;
      await root.send("PUT", "/api/token/", { id: 1, rpm_limit: limit });
      const other = kind === "postgres" ? await startGateway(made.location) : undefined;
      if (other !== undefined) t.after(() => other.kill());
      const ownersBefore = await ownersOf(made.location, kind);

      const delivered: DeliveredAnswer[] = [];
      const deliver = async (answer: Response) => {
        const text = await answer.text();
        delivered.push(readDelivered(answer, text) ?? assert.fail(text));
      };
      upstream.setBehaviour({ kind: "normal", chunkDelayMs: 100, pieces: 60 });
      const stream = await askStub(jumping.url, key);
      let isEnded = false;
      const ended = deliver(stream).then(() => (isEnded = true));
      upstream.setBehaviour({ kind: "normal" });
      await deliver(await askStub(jumping.url, key, { stream: false }));
      await jump(-HOUR_S);
      await deliver(await askStub(jumping.url, key, { stream: false }));
      await jump(HOUR_S);
      await deliver(await askStub(jumping.url, key, { stream: false }));
      assert.equal(isEnded, false, "the stream runs across both jumps");
      const isRefused = async (most: number): Promise<boolean> => {
        const answer = await askStub(jumping.url, key, { stream: false });
        if (answer.status === 429) return true;
        await deliver(answer);
        return most > 1 && isRefused(most - 1);
      };
      assert.ok(await isRefused(limit - CALLS + 1), "the minute is not over");
      await root.get("/api/user/self");
      await ended;
      assert.deepEqual(await ownersOf(made.location, kind), ownersBefore);
      if (other !== undefined) {
        await deliver(await askStub(other.url, key, { stream: false }));
        assert.equal(await other.terminate(), 0);
      }
      assert.equal(await jumping.terminate(), 0);
      await forgetDeadGateways(made.location);
      const last = await startGateway(made.location);
      assert.equal(await last.terminate(), 0);
      await expectBooksInOrder(made.location, delivered);
      const longestMs = await longestOf(made.location);
      assert.ok(longestMs >= 1_000 && longestMs < 60_000, `durations are monotonic: ${longestMs} ms`);
    },
  );

/** Servers of the database, whose heartbeats another one watches. */
async function ownersOf(location: DatabaseLocation, kind: "sqlite" | "postgres"): Promise<unknown> {
  if (kind === "sqlite") return undefined;
  const database = await connectDatabase(location);
  const owners = await database.db.selectFrom("owners").select(["id", "epoch", "state"]).orderBy("id").execute();
  await database.close();
  return owners;
}

async function longestOf(location: DatabaseLocation): Promise<number> {
  const database = await connectDatabase(location);
  const { longest } = await database.db
    .selectFrom("logs")
    .select(({ fn }) => fn.max("elapsed_time").as("longest"))
    .executeTakeFirstOrThrow();
  await database.close();
  return longest;
}
