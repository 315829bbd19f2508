import assert from "node:assert/strict";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import type { OpenDatabase } from "@one-api/database/open-database";
import { eachDatabase } from "@one-api/database/test-databases";
import { sampleLog } from "@one-api/database/testing/sample-rows";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import { LogEngine } from "../engine.ts";
import { NO_FILTER } from "../log-filter.ts";
import { NO_USAGE_FILTER } from "../questions.ts";
import { forgetChanges, recordRemoval } from "../record-removal.ts";
import { type EntryColumns, LogSource } from "../source/log-source.ts";
import { TEST_SETTINGS } from "../testing/local-log-store.ts";
import { LostChangesError } from "./failures.ts";
import { checkTail, followOnce, STEP_ENTRIES } from "./follow.ts";
import { Replica } from "./replica.ts";

// A database that is not the one that the replica has followed: after a power cut, or the restore of a backup.

/** More than one range that is compared. */
const ENTRIES = 14_000;
const CHUNK = 1_000;

eachDatabase((open) => {
  let database: OpenDatabase;
  let source: LogSource;
  let file: string;

  beforeEach(async () => {
    database ??= await open();
    source = new LogSource(database);
    await database.db.deleteFrom("logs").execute();
    await database.db.deleteFrom("cleared_usage").execute();
    file = join(temporaryFolder("one-api-log-store-"), "replica.duckdb");
  });

  /** Inserts entries with the ids of a range, both inclusive. */
  async function insert(firstId: number, lastId: number, quota: number): Promise<void> {
    for (let from = firstId; from <= lastId; from += CHUNK) {
      const count = Math.min(CHUNK, lastId - from + 1);
      const rows = Array.from({ length: count }, (_, index) => ({ ...sampleLog({ quota }), id: from + index }));
      await database.db.insertInto("logs").values(rows).execute();
    }
  }

  async function removeAfter(id: number): Promise<void> {
    await database.db.deleteFrom("logs").where("id", ">", id).execute();
  }

  /** A replica of what the database has now. */
  async function replicate(): Promise<void> {
    const engine = await LogEngine.open(file, source, TEST_SETTINGS);
    while (!(await engine.step()));
    engine.close();
  }

  /** The watermark after the check of the tail. */
  async function watermarkAfterCheck(): Promise<number> {
    const replica = await Replica.open(file, TEST_SETTINGS);
    try {
      await checkTail(replica, source);
      return replica.watermark;
    } finally {
      replica.close();
    }
  }

  /** Compares the replica with the database, after the steps that it lacks. */
  async function assertSame(): Promise<void> {
    const engine = await LogEngine.open(file, source, TEST_SETTINGS);
    while (!(await engine.step()));
    const rows = await database.db.selectFrom("logs").select(["id", "quota"]).where("hidden", "=", 0).execute();
    const page = await engine.ask({
      kind: "page",
      filter: NO_FILTER,
      offset: 0,
      limit: 100_000,
      upTo: 0,
      withTotal: false,
    });
    assert.deepEqual(
      page.answer.ids.toReversed(),
      rows.map(({ id }) => id).toSorted((left, right) => left - right),
    );
    const quota = rows.reduce((sum, row) => sum + row.quota, 0);
    assert.equal((await engine.ask({ kind: "totals", filter: NO_FILTER })).answer.quota, quota);
    const usage = await engine.ask({
      kind: "usage",
      filter: NO_USAGE_FILTER,
      edges: [0, 1_800 * 1_000_000],
      by: "model",
      order: "spend",
      rows: 1,
      split: 0,
      times: "none",
    });
    const cleared = await database.db.selectFrom("cleared_usage").select("quota").where("kind", "=", 0).execute();
    assert.equal(usage.answer.total.quota, quota + cleared.reduce((sum, row) => sum + row.quota, 0));
    engine.close();
  }

  async function removeEntries(firstId: number, lastId: number, at: number): Promise<void> {
    await database.db.transaction().execute(async (transaction) => {
      const within = transaction.selectFrom("logs").selectAll().where("id", ">=", firstId).where("id", "<=", lastId);
      const removed = await within.execute();
      await transaction.deleteFrom("logs").where("id", ">=", firstId).where("id", "<=", lastId).execute();
      await recordRemoval(transaction, { firstId, lastId, at }, removed);
    });
  }

  test("nothing is removed from a replica whose tail is equal", async () => {
    await insert(1, ENTRIES, 1);
    await replicate();
    assert.equal(await watermarkAfterCheck(), ENTRIES);
    await insert(ENTRIES + 1, ENTRIES + 50, 2);
    assert.equal(await watermarkAfterCheck(), ENTRIES);
    await assertSame();
  });

  test("the last entries are read again after a power cut that gave their ids to others", async () => {
    await insert(1, ENTRIES, 1);
    await replicate();
    await removeAfter(ENTRIES - 10);
    await insert(ENTRIES - 9, ENTRIES + 5, 2);
    const watermark = await watermarkAfterCheck();
    assert.ok(watermark <= ENTRIES - 10 && watermark >= ENTRIES - STEP_ENTRIES, `${watermark}`);
    await assertSame();
  });

  test("entries are removed that the database lost", async () => {
    await insert(1, ENTRIES, 1);
    await replicate();
    await removeAfter(ENTRIES - 10);
    await assertSame();
    await database.db.deleteFrom("logs").execute();
    assert.equal(await watermarkAfterCheck(), 0);
    await insert(1, 20, 3);
    await assertSame();
  });

  test("the replica goes back to where a restored backup agrees", async () => {
    await insert(1, ENTRIES, 1);
    await replicate();
    await removeAfter(3_000);
    await insert(3_001, ENTRIES + 1_000, 2);
    const watermark = await watermarkAfterCheck();
    assert.ok(watermark <= 3_000, `${watermark}`);
    await assertSame();
  });

  test("ids without entries say nothing about those before them", async () => {
    await insert(1, 100, 1);
    await insert(20_000, 20_000, 1);
    await replicate();
    await removeEntries(20_000, 20_000, 1);
    await replicate();
    await removeAfter(90);
    await assertSame();
  });

  test("the replica is rebuilt where the backup has fewer changes", async () => {
    await insert(1, 100, 1);
    await replicate();
    await removeEntries(1, 10, 1);
    await replicate();
    const last = await source.lastChange();
    await database.db.deleteFrom("log_changes").where("id", "=", last).execute();
    await assert.rejects(replicate(), LostChangesError);
  });

  test("the replica is rebuilt where the backup has other changes with the same ids", async () => {
    await insert(1, 100, 1);
    await removeEntries(1, 10, 1);
    await replicate();
    await replicate();
    await database.db
      .updateTable("log_changes")
      .set({ last_id: 20 })
      .where("id", "=", await source.lastChange())
      .execute();
    await assert.rejects(replicate(), LostChangesError);
  });

  test("the replica is rebuilt where changes were forgotten that it lacks", async () => {
    await insert(1, 100, 1);
    await replicate();
    await removeEntries(1, 10, 1_000);
    await forgetChanges(database.db, 2_000);
    await assertSame();
    await removeEntries(11, 20, 1_000);
    await removeEntries(21, 30, 1_000);
    await removeEntries(31, 40, 3_000);
    await forgetChanges(database.db, 2_000);
    await assert.rejects(replicate(), LostChangesError);
  });

  test("entries that are removed while a step reads them stay counted", async () => {
    await insert(1, 100, 1);
    await replicate();
    await insert(101, 120, 1);
    let isFirst = true;
    class Racing extends LogSource {
      override async readEntries(after: number, upTo: number): Promise<EntryColumns> {
        if (isFirst) await removeEntries(101, 110, 5);
        isFirst = false;
        return super.readEntries(after, upTo);
      }
    }
    const racing = new Racing(database);
    const replica = await Replica.open(file, TEST_SETTINGS);
    assert.equal((await followOnce(replica, racing)).isDone, false);
    assert.equal((await followOnce(replica, racing)).isDone, true);
    replica.close();
    await assertSame();
  });
});
