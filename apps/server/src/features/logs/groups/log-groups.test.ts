import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import { eachDatabase } from "@one-api/database/test-databases";
import { type Insertable, type Selectable, sql } from "kysely";
import { findLogIds } from "../find-log-ids.ts";
import { type LogFilter, NO_FILTER } from "../log.repository.ts";
import { sumLogs } from "../sum-logs.ts";
import { buildNextBatch } from "./build-log-groups.ts";
import { findSettledId } from "./find-settled-id.ts";
import { listNames, listOwnValues } from "./list-log-values.ts";

type NewLog = Insertable<Tables["logs"]>;

const LOG_COLUMNS = [
  "id",
  "user_id",
  "created_at",
  "type",
  "username",
  "token_name",
  "model_name",
  "quota",
  "prompt_tokens",
  "completion_tokens",
  "channel_id",
  "result",
  "hidden",
] as const;

/** Entries of a batch, so that a few thousand make blocks too. */
const BATCH = 8;
const START = 1_000_000;

/** A small generator with a seed (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Entries whose times go up and down: a few users have most, some answers took long, and some entries are hidden. */
function randomLogs(count: number, seed: number): NewLog[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => {
    const user = random(3) === 0 ? 1 : 1 + random(60);
    const late = random(10) === 0 ? random(400) : random(8);
    return {
      user_id: user,
      created_at: START + Math.floor(index / 3) - late,
      type: random(8) === 0 ? 4 : 2,
      content: "",
      // A name that two users had, and a user who had two names.
      username: user === 2 ? `u${random(2) + 2}` : `u${user}`,
      token_name: random(3) === 0 ? "shared" : `t${user}-${random(2)}`,
      model_name: `m${random(4)}`,
      quota: random(1_000),
      prompt_tokens: random(100),
      completion_tokens: random(100),
      channel_id: 1 + random(3),
      request_id: `r${seed}-${index}`,
      elapsed_time: 0,
      is_stream: 0,
      detail: "",
      result: random(5) === 0 ? "timeout" : "ok",
      hidden: random(40) === 0 ? 1 : 0,
    };
  });
}

function randomFilter(random: (below: number) => number): LogFilter {
  const maybe = <Value>(value: Value, otherwise: Value) => (random(3) === 0 ? value : otherwise);
  const start = random(2) === 0 ? 0 : START - 20 + random(1_200);
  return {
    userId: maybe(1 + random(6), 0),
    username: maybe(`u${1 + random(6)}`, ""),
    tokenName: maybe(random(2) === 0 ? "shared" : `t${1 + random(4)}-0`, ""),
    modelName: maybe(`m${random(4)}`, ""),
    channelId: maybe(1 + random(3), 0),
    result: maybe<LogFilter["result"]>("timeout", ""),
    type: maybe(4, 0),
    startTimestamp: start,
    endTimestamp: random(2) === 0 ? 0 : Math.max(start, START) + random(700),
  };
}

eachDatabase((open, kind) => {
  let database: OpenDatabase;
  let rows: Pick<Selectable<Tables["logs"]>, (typeof LOG_COLUMNS)[number]>[];
  before(async () => {
    database = await open();
    await add(randomLogs(2_500, 1));
    // Two blocks and more; what comes later is the tail.
    while (await buildNextBatch(database, await findSettledId(database), BATCH));
    await add(randomLogs(60, 2).map((log) => ({ ...log, created_at: log.created_at + 800 })));
  });

  async function add(logs: readonly NewLog[]): Promise<void> {
    for (let start = 0; start < logs.length; start += 500)
      await database.db
        .insertInto("logs")
        .values(logs.slice(start, start + 500))
        .execute();
    rows = await database.db.selectFrom("logs").select(LOG_COLUMNS).execute();
  }

  /** The same filter, by looking at each entry. */
  function plain(filter: LogFilter) {
    return rows
      .filter(
        (row) =>
          row.hidden === 0 &&
          (filter.userId === 0 || row.user_id === filter.userId) &&
          (filter.username === "" || row.username === filter.username) &&
          (filter.tokenName === "" || row.token_name === filter.tokenName) &&
          (filter.modelName === "" || row.model_name === filter.modelName) &&
          (filter.channelId === 0 || row.channel_id === filter.channelId) &&
          (filter.result === "" || row.result === filter.result) &&
          (filter.type === 0 || row.type === filter.type) &&
          row.created_at >= filter.startTimestamp &&
          (filter.endTimestamp === 0 || row.created_at <= filter.endTimestamp),
      )
      .toSorted((left, right) => right.id - left.id);
  }

  function plainSum(filter: LogFilter) {
    const used = plain({ ...filter, type: 2 });
    return {
      quota: used.reduce((sum, { quota }) => sum + quota, 0),
      token: used.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0),
    };
  }

  test("totals are what a plain sum says, for random filters and times", async () => {
    const random = seeded(7);
    assert.deepEqual(await sumLogs(database, NO_FILTER), plainSum(NO_FILTER));
    for (let round = 0; round < 150; round += 1) {
      const filter = randomFilter(random);
      assert.deepEqual(await sumLogs(database, filter), plainSum(filter), JSON.stringify(filter));
    }
  });

  test("every second is a bound that counts", async () => {
    for (let start = START - 10; start < START + 120; start += 7) {
      for (const end of [start, start + 1, start + 40, 0]) {
        const filter = { ...NO_FILTER, startTimestamp: start, endTimestamp: end };
        assert.deepEqual(await sumLogs(database, filter), plainSum(filter), `${start} to ${end}`);
      }
    }
  });

  test("pages hold what a plain list holds, anywhere in it, and the total counts all", async () => {
    const random = seeded(8);
    for (let round = 0; round < 150; round += 1) {
      const filter = randomFilter(random);
      const wanted = plain(filter).map(({ id }) => id);
      const offset = random(2) === 0 ? 0 : random(Math.max(1, wanted.length));
      const limit = 1 + random(30);
      const found = await findLogIds(database, filter, { offset, limit, upTo: 0 });
      assert.deepEqual(found.ids, wanted.slice(offset, offset + limit), JSON.stringify({ filter, offset, limit }));
      assert.equal(found.total, wanted.length);
    }
  });

  test("a list up to an entry stays as it is, wherever that entry stands", async () => {
    const random = seeded(9);
    for (let round = 0; round < 80; round += 1) {
      const filter = round % 2 === 0 ? NO_FILTER : randomFilter(random);
      const upTo = 1 + random(rows.length + 5);
      const wanted = plain(filter)
        .map(({ id }) => id)
        .filter((id) => id <= upTo);
      const offset = random(Math.max(1, wanted.length));
      const found = await findLogIds(database, filter, { offset, limit: 10, upTo });
      assert.deepEqual(found.ids, wanted.slice(offset, offset + 10), JSON.stringify({ filter, offset, upTo }));
      assert.equal(found.total, wanted.length);
    }
  });

  test("names are known from the batches, a user's own ones from everywhere", async () => {
    const models = [
      ...new Set(rows.filter(({ hidden }) => hidden === 0).map(({ model_name }) => model_name)),
    ].toSorted();
    assert.deepEqual(await listNames(database.db, "model_name", "", 10), models);
    assert.deepEqual((await listOwnValues(database, "token_name", 1)).toSorted(), ["shared", "t1-0", "t1-1"]);
    assert.deepEqual(await listOwnValues(database, "token_name", 999), []);
  });

  test("what a stopped process left half done is made again, and counts once", async () => {
    const { db } = database;
    const { last } = await db
      .selectFrom("log_batches")
      .select((select) => select.fn.max("batch").as("last"))
      .executeTakeFirstOrThrow();
    // Entries for the next batches, the first of which another process had begun.
    await add(randomLogs(40, 3));
    await sql`
      insert into log_groups (level, batch, view, user_id, username, token_name, model_name, channel_id, type, result, bucket, entries, quota, tokens, ids)
      select level, batch + 1, view, user_id, username, token_name, model_name, channel_id, type, result, bucket, entries, quota, tokens, ids
      from log_groups where batch = ${last} and level = 0`.execute(db);
    assert.deepEqual(await sumLogs(database, NO_FILTER), plainSum(NO_FILTER), "not counted before it is whole");
    const settled = await findSettledId(database);
    const both = await Promise.all(
      kind === "sqlite"
        ? [buildNextBatch(database, settled, BATCH)]
        : [buildNextBatch(database, settled, BATCH), buildNextBatch(database, settled, BATCH)],
    );
    assert.ok(both.includes(true));
    while (await buildNextBatch(database, settled, BATCH));
    assert.deepEqual(await sumLogs(database, NO_FILTER), plainSum(NO_FILTER));
    assert.deepEqual(await sumLogs(database, { ...NO_FILTER, userId: 1 }), plainSum({ ...NO_FILTER, userId: 1 }));
    const all = await findLogIds(database, NO_FILTER, { offset: 0, limit: 5_000, upTo: 0 });
    assert.deepEqual(
      all.ids,
      plain(NO_FILTER).map(({ id }) => id),
    );
  });

  test("an entry that is removed takes its batch and the later ones along, which are made again", async () => {
    const { db } = database;
    const removed = rows.find(({ id, hidden, type }) => id > 1_000 && hidden === 0 && type === 2);
    assert.ok(removed);
    await sumLogs(database, NO_FILTER);
    await db.deleteFrom("logs").where("id", "=", removed.id).execute();
    rows = rows.filter(({ id }) => id !== removed.id);
    assert.deepEqual(await sumLogs(database, NO_FILTER), plainSum(NO_FILTER), "before they are made again");
    while (await buildNextBatch(database, await findSettledId(database), BATCH));
    assert.deepEqual(await sumLogs(database, NO_FILTER), plainSum(NO_FILTER));
    const user = { ...NO_FILTER, userId: removed.user_id, startTimestamp: START + 300 };
    assert.deepEqual(await sumLogs(database, user), plainSum(user));
    const all = await findLogIds(database, NO_FILTER, { offset: 0, limit: 5_000, upTo: 0 });
    assert.deepEqual(
      all.ids,
      plain(NO_FILTER).map(({ id }) => id),
    );
  });

  test("a block of many users holds each of them once", async () => {
    const busy = await open();
    const logs = randomLogs(700, 6).map((log, index) => ({
      ...log,
      user_id: 1 + (index % 260),
      username: "",
      hidden: 0 as const,
    }));
    for (let round = 0; round < 14; round += 1)
      await busy.db
        .insertInto("logs")
        .values(logs.map((log, index) => ({ ...log, request_id: `busy-${round}-${index}` })))
        .execute();
    while (await buildNextBatch(busy, await findSettledId(busy), 150));
    const sum = (some: readonly NewLog[]) =>
      some.reduce((total, log) => (log.type === 2 ? total + log.quota * 14 : total), 0);
    assert.equal((await sumLogs(busy, NO_FILTER)).quota, sum(logs));
    for (let userId = 1; userId <= 260; userId += 1) {
      const { quota } = await sumLogs(busy, { ...NO_FILTER, userId });
      assert.equal(quota, sum(logs.filter(({ user_id }) => user_id === userId)), `user ${userId}`);
    }
    for (const tokenName of new Set(logs.map(({ token_name }) => token_name))) {
      const { quota } = await sumLogs(busy, { ...NO_FILTER, tokenName });
      assert.equal(quota, sum(logs.filter(({ token_name }) => token_name === tokenName)), tokenName);
    }
  });

  test("entries without a time are grouped like others", async () => {
    const odd = await open();
    await odd.db
      .insertInto("logs")
      .values(randomLogs(20, 11).map((log) => ({ ...log, created_at: 0, hidden: 0 as const, type: 2 })))
      .execute();
    while (await buildNextBatch(odd, await findSettledId(odd), 8));
    assert.equal((await findLogIds(odd, NO_FILTER, { offset: 0, limit: 50, upTo: 0 })).ids.length, 20);
    const since = { ...NO_FILTER, startTimestamp: 1 };
    assert.deepEqual(await findLogIds(odd, since, { offset: 0, limit: 50, upTo: 0 }), { ids: [], total: 0 });
  });

  test("an entry that is hidden later is neither listed nor counted", async () => {
    const [first] = plain(NO_FILTER).slice(-1);
    assert.ok(first);
    await database.db.updateTable("logs").set({ hidden: 1 }).where("id", "=", first.id).execute();
    rows = rows.map((row) => (row.id === first.id ? { ...row, hidden: 1 } : row));
    while (await buildNextBatch(database, await findSettledId(database), BATCH));
    assert.deepEqual(await sumLogs(database, NO_FILTER), plainSum(NO_FILTER));
    const all = await findLogIds(database, NO_FILTER, { offset: 0, limit: 5_000, upTo: 0 });
    assert.equal(all.ids.includes(first.id), false);
  });

  test("entries that are removed while their batch is made do not count", async () => {
    const own = await open();
    await own.db.insertInto("logs").values(randomLogs(20, 9)).execute();
    const groupings = new WeakSet<object>();
    let removal: Promise<unknown> | undefined;
    const disturbed: OpenDatabase = {
      ...own,
      db: own.db.withPlugin({
        transformQuery({ node, queryId }) {
          const text = node.kind === "RawNode" ? node.sqlFragments.join("") : "";
          if (text.includes("insert into log_groups")) groupings.add(queryId);
          return node;
        },
        async transformResult({ queryId, result }) {
          if (!groupings.has(queryId) || removal !== undefined) return result;
          removal = own.db.deleteFrom("logs").where("id", "<=", 5).execute();
          // On PostgreSQL it waits for the batch.
          if (kind === "sqlite") await removal;
          return result;
        },
      }),
    };
    const isMade = await buildNextBatch(disturbed, 8, 8);
    assert.equal(isMade, kind === "postgres");
    await removal;
    assert.equal(await own.db.selectFrom("log_batches").select("batch").executeTakeFirst(), undefined);
    while (await buildNextBatch(own, await findSettledId(own), 8));
    const left = await own.db
      .selectFrom("logs")
      .select("quota")
      .where("type", "=", 2)
      .where("hidden", "=", 0)
      .execute();
    assert.equal(
      (await sumLogs(own, NO_FILTER)).quota,
      left.reduce((sum, { quota }) => sum + quota, 0),
    );
  });

  if (kind === "postgres") {
    test("an entry whose id was taken earlier and that commits later is waited for", async () => {
      const { db } = database;
      let settled: Promise<number> | undefined;
      let isKnown = false;
      await db.transaction().execute(async (slow) => {
        const [log] = randomLogs(1, 4);
        assert.ok(log);
        await slow.insertInto("logs").values(log).execute();
        await add(randomLogs(1, 5));
        settled = findSettledId(database).then((id) => {
          isKnown = true;
          return id;
        });
        for (let look = 0; look < 20; look += 1) await db.selectFrom("logs").select("id").limit(1).execute();
        assert.equal(isKnown, false);
      });
      const newest = await db.selectFrom("logs").select("id").orderBy("id", "desc").limit(1).executeTakeFirstOrThrow();
      assert.equal(await settled, newest.id);
    });
  }
});
