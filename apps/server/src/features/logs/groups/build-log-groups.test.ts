import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { OpenDatabase } from "@one-api/database/open-database";
import { eachDatabase } from "@one-api/database/test-databases";
import { type RootOperationNode, sql } from "kysely";
import { findLogIds } from "../find-log-ids.ts";
import { NO_FILTER } from "../log-filter.ts";
import { sumLogs } from "../sum-logs.ts";
import { buildNextBatch } from "./build-log-groups.ts";
import { listNames } from "./list-log-values.ts";
import { findSettledId } from "@one-api/database/find-settled-id";
import { BATCH, createKnownLogs, type KnownLogs, type NewLog, randomLogs, START } from "./testing/known-logs.ts";

function tableOfInsert(node: RootOperationNode): string | undefined {
  return node.kind === "InsertQueryNode" ? node.into?.table.identifier.name : undefined;
}

eachDatabase((open, kind) => {
  let database: OpenDatabase;
  let logs: KnownLogs;
  before(async () => {
    database = await open();
    logs = createKnownLogs(database);
    await logs.add(randomLogs(2_500, 1));
    // Four blocks and more; what comes later is the tail.
    await logs.group();
    await logs.add(randomLogs(60, 2).map((log) => ({ ...log, created_at: log.created_at + 800 })));
  });

  test("what a stopped process left half done is made again, and counts once", async () => {
    const { db } = database;
    const { last } = await db
      .selectFrom("log_batches")
      .select((select) => select.fn.max("batch").as("last"))
      .executeTakeFirstOrThrow();
    // Entries for the next batches, the first of which another process had begun.
    await logs.add(randomLogs(40, 3));
    await sql`
      insert into log_group_texts (level, batch, view, part, groups)
      select level, batch + 1, view, part, groups from log_group_texts where level = 0 and batch = ${last}`.execute(db);
    assert.deepEqual(await sumLogs(database, NO_FILTER), logs.sum(NO_FILTER), "not counted before it is whole");
    const settled = await findSettledId(database, "logs");
    const both = await Promise.all(
      kind === "sqlite"
        ? [buildNextBatch(database, settled, { entries: BATCH })]
        : [
            buildNextBatch(database, settled, { entries: BATCH }),
            buildNextBatch(database, settled, { entries: BATCH }),
          ],
    );
    assert.ok(both.includes(true));
    await logs.group();
    assert.deepEqual(await sumLogs(database, NO_FILTER), logs.sum(NO_FILTER));
    assert.deepEqual(await sumLogs(database, { ...NO_FILTER, userId: 1 }), logs.sum({ ...NO_FILTER, userId: 1 }));
    const all = await findLogIds(database, NO_FILTER, { offset: 0, limit: 5_000, upTo: 0 });
    assert.deepEqual(
      all.ids,
      logs.list(NO_FILTER).map(({ id }) => id),
    );
  });

  test("an entry that is removed takes its batch and the later ones along, which are made again", async () => {
    const { db } = database;
    const removed = logs.rows().find(({ id, hidden, type }) => id > 1_000 && hidden === 0 && type === 2);
    assert.ok(removed);
    await sumLogs(database, NO_FILTER);
    await db.deleteFrom("logs").where("id", "=", removed.id).execute();
    await logs.look();
    assert.deepEqual(await sumLogs(database, NO_FILTER), logs.sum(NO_FILTER), "before they are made again");
    await logs.group();
    assert.deepEqual(await sumLogs(database, NO_FILTER), logs.sum(NO_FILTER));
    for (const channelId of [1, 2, 3]) {
      const busy = { ...NO_FILTER, userId: 1, channelId };
      assert.deepEqual(await sumLogs(database, busy), logs.sum(busy));
    }
    const user = { ...NO_FILTER, userId: removed.user_id, startTimestamp: START + 300 };
    assert.deepEqual(await sumLogs(database, user), logs.sum(user));
    const all = await findLogIds(database, NO_FILTER, { offset: 0, limit: 5_000, upTo: 0 });
    assert.deepEqual(
      all.ids,
      logs.list(NO_FILTER).map(({ id }) => id),
    );
  });

  test("a block of many users and channels holds each of them once", async () => {
    const busy = await open();
    const some = randomLogs(700, 6).map((log, index) => ({
      ...log,
      // Two have much, in different parts of batches.
      user_id: index % 3 < 2 ? 1 + (index % 3) : 1 + (index % 260),
      channel_id: 1 + (index % 30),
      username: "",
      hidden: 0 as const,
    }));
    for (let round = 0; round < 14; round += 1)
      await busy.db
        .insertInto("logs")
        .values(some.map((log, index) => ({ ...log, request_id: `busy-${round}-${index}` })))
        .execute();
    await createKnownLogs(busy).group(150);
    const sum = (used: readonly NewLog[]) =>
      used.reduce((total, log) => (log.type === 2 ? total + log.quota * 14 : total), 0);
    assert.equal((await sumLogs(busy, NO_FILTER)).quota, sum(some));
    for (let userId = 1; userId <= 260; userId += 1) {
      const { quota } = await sumLogs(busy, { ...NO_FILTER, userId });
      assert.equal(quota, sum(some.filter(({ user_id }) => user_id === userId)), `user ${userId}`);
    }
    for (const tokenName of new Set(some.map(({ token_name }) => token_name))) {
      const { quota } = await sumLogs(busy, { ...NO_FILTER, tokenName });
      assert.equal(quota, sum(some.filter(({ token_name }) => token_name === tokenName)), tokenName);
    }
    for (const [key, filter] of [
      ["user_id", { userId: 1 }],
      ["user_id", { userId: 2 }],
      ["token_name", { tokenName: "shared" }],
    ] as const) {
      const ofKey = some.filter((log) => Object.values<string | number>(filter).includes(log[key]));
      for (let channelId = 1; channelId <= 30; channelId += 1) {
        const { quota } = await sumLogs(busy, { ...NO_FILTER, ...filter, channelId });
        assert.equal(quota, sum(ofKey.filter(({ channel_id }) => channel_id === channelId)), `${key} ${channelId}`);
      }
    }
  });

  if (kind === "postgres") {
    test("names that are known are not looked up again", async () => {
      const fresh = await open();
      const lookups = async () => {
        await sql`select pg_stat_force_next_flush()`.execute(fresh.db);
        const { rows } = await sql<{ lookups: number }>`
          select sum(idx_scan) as lookups from pg_stat_user_indexes where relname = 'log_names'`.execute(fresh.db);
        return rows[0]?.lookups;
      };
      const add = async (request: string, count: number) => {
        const some = randomLogs(count, 8).map((log, index) => ({
          ...log,
          token_name: `name ${index}`,
          hidden: 0 as const,
        }));
        await fresh.db
          .insertInto("logs")
          .values(some.map((log, index) => ({ ...log, request_id: `${request}-${index}` })))
          .execute();
        await createKnownLogs(fresh).group(count);
      };
      await add("first", 200);
      const lookedUp = await lookups();
      await add("second", 200);
      assert.equal(await lookups(), lookedUp);
      await add("third", 201);
      const names = await listNames(fresh.db, "token_name", "name", 1_000);
      assert.deepEqual([names.length, names.includes("name 200")], [201, true]);
    });
  }

  test("entries without a time are grouped like others", async () => {
    const odd = await open();
    await odd.db
      .insertInto("logs")
      .values(randomLogs(20, 11).map((log) => ({ ...log, created_at: 0, hidden: 0 as const, type: 2 })))
      .execute();
    await createKnownLogs(odd).group();
    assert.equal((await findLogIds(odd, NO_FILTER, { offset: 0, limit: 50, upTo: 0 })).ids.length, 20);
    const since = { ...NO_FILTER, startTimestamp: 1 };
    assert.deepEqual(await findLogIds(odd, since, { offset: 0, limit: 50, upTo: 0 }), { ids: [], total: 0 });
  });

  test("a block is added up in pieces, between which requests have their turn", async () => {
    const own = await open();
    const entries = 64;
    const [sample] = randomLogs(1, 8);
    assert.ok(sample);
    for (let batch = 0; batch < 64; batch += 1)
      await own.db
        .insertInto("logs")
        .values(
          Array.from({ length: entries }, (_, index) => ({
            ...sample,
            type: 2,
            user_id: batch * entries + index,
            username: "",
            token_name: `t${batch * entries + index}`,
            request_id: `${batch}-${index}`,
            hidden: 0 as const,
          })),
        )
        .execute();
    const whole = await own.db
      .selectFrom("logs")
      .select(({ fn }) => fn.countAll<number>().as("entries"))
      .executeTakeFirstOrThrow();
    let most = 0;
    const watched: OpenDatabase = {
      ...own,
      db: own.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult({ result }) {
          const texts = result.rows.map((row) => (typeof row["groups"] === "string" ? row["groups"] : "[]"));
          most = Math.max(
            most,
            texts.reduce((sum, text) => sum + text.split("],[").length, 0),
          );
          return Promise.resolve(result);
        },
      }),
    };
    for (let made = 1; made <= 64; made += 1)
      assert.ok(await buildNextBatch(watched, made * entries, { entries }), `batch ${made}`);
    assert.ok(most > 0 && most < whole.entries / 32, `${most} groups at once`);
    const { quota } = await sumLogs(own, { ...NO_FILTER, userId: 4_095 });
    assert.equal(quota, sample.quota);
  });

  test("an entry that is hidden later is neither listed nor counted", async () => {
    const [first] = logs.list(NO_FILTER).slice(-1);
    assert.ok(first);
    await database.db.updateTable("logs").set({ hidden: 1 }).where("id", "=", first.id).execute();
    await logs.look();
    await logs.group();
    assert.deepEqual(await sumLogs(database, NO_FILTER), logs.sum(NO_FILTER));
    const all = await findLogIds(database, NO_FILTER, { offset: 0, limit: 5_000, upTo: 0 });
    assert.equal(all.ids.includes(first.id), false);
  });

  for (const { batches, title } of [
    { batches: 0, title: "entries that are removed while their batch is made do not count" },
    {
      batches: 1,
      title: "entries that are removed while the batch after theirs is made do not count, and all others still do",
    },
  ]) {
    test(title, async () => {
      const own = await open();
      await own.db.insertInto("logs").values(randomLogs(20, 9)).execute();
      for (let made = 1; made <= batches; made += 1) assert.ok(await buildNextBatch(own, made * 8, { entries: 8 }));
      const groupings = new WeakSet<object>();
      let removal: Promise<unknown> | undefined;
      const disturbed: OpenDatabase = {
        ...own,
        db: own.db.withPlugin({
          transformQuery({ node, queryId }) {
            if (tableOfInsert(node) === "log_group_texts") groupings.add(queryId);
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
      const isMade = await buildNextBatch(disturbed, batches * 8 + 8, { entries: 8 });
      assert.equal(isMade, kind === "postgres");
      await removal;
      assert.equal(await own.db.selectFrom("log_batches").select("batch").executeTakeFirst(), undefined);
      await createKnownLogs(own).group();
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
  }

  if (kind === "postgres") {
    test("an entry whose id was taken earlier and that commits later is waited for", async () => {
      const { db } = database;
      let settled: Promise<number> | undefined;
      let isKnown = false;
      await db.transaction().execute(async (slow) => {
        const [log] = randomLogs(1, 4);
        assert.ok(log);
        await slow.insertInto("logs").values(log).execute();
        await logs.add(randomLogs(1, 5));
        settled = findSettledId(database, "logs").then((id) => {
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
