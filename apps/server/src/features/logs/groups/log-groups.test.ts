import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { OpenDatabase } from "@one-api/database/open-database";
import { eachDatabase } from "@one-api/database/test-databases";
import { seeded } from "../../../testing/seeded.ts";
import { walkLogs } from "../export/walk-logs.ts";
import { findLogIds } from "../find-log-ids.ts";
import { type LogFilter, NO_FILTER } from "../log-filter.ts";
import type { ResultTotals } from "../log.repository.ts";
import { sumLogsByResult } from "../sum-logs-by-result.ts";
import { sumLogs } from "../sum-logs.ts";
import { listNames, listOwnValues } from "./list-log-values.ts";
import { readGroups } from "./group-texts.repository.ts";
import { LEVEL, partsOf, type View, VIEW } from "./log-groups.ts";
import { createKnownLogs, type KnownLogs, randomLogs, START } from "./testing/known-logs.ts";

function randomFilter(random: (below: number) => number): LogFilter {
  const maybe = <Value>(value: Value, otherwise: Value) => (random(3) === 0 ? value : otherwise);
  const start = random(2) === 0 ? 0 : START - 20 + random(1_200);
  return {
    userId: maybe(1 + random(6), 0),
    username: maybe(`u${1 + random(6)}`, ""),
    tokenName: maybe(random(2) === 0 ? "shared" : `t${1 + random(4)}-0`, ""),
    modelName: maybe(`m${random(4)}`, ""),
    channelId: maybe(1 + random(3), 0),
    result: maybe<LogFilter["result"]>(random(2) === 0 ? "errors" : "timeout", ""),
    type: maybe(4, 0),
    startTimestamp: start,
    endTimestamp: random(2) === 0 ? 0 : Math.max(start, START) + random(700),
  };
}

eachDatabase((open) => {
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

  test("totals are what a plain sum says, for random filters and times", async () => {
    const random = seeded(7);
    assert.deepEqual(await sumLogs(database, NO_FILTER), logs.sum(NO_FILTER));
    for (let round = 0; round < 150; round += 1) {
      const filter = randomFilter(random);
      assert.deepEqual(await sumLogs(database, filter), logs.sum(filter), JSON.stringify(filter));
    }
  });

  test("totals by model and result are what a plain sum says, for random filters and times", async () => {
    const random = seeded(11);
    const whatEach = (totals: readonly ResultTotals[]) =>
      totals
        .filter(({ entries }) => entries > 0)
        .map(({ model, result, entries, quota, tokens }) => `${model} ${result} ${entries} ${quota} ${tokens}`)
        .toSorted();
    for (let round = 0; round < 100; round += 1) {
      const filter = randomFilter(random);
      const plain = ["m0", "m1", "m2", "m3"].flatMap((modelName) =>
        (["ok", "timeout"] as const).flatMap((result) => {
          const meant = result === "ok" ? ["", "ok"] : ["", "errors", result];
          if (!["", modelName].includes(filter.modelName) || !meant.includes(filter.result)) return [];
          const one = { ...filter, modelName, result, type: 2 };
          const { quota, token } = logs.sum(one);
          return [{ model: modelName, result, entries: logs.list(one).length, quota, tokens: token }];
        }),
      );
      assert.deepEqual(whatEach(await sumLogsByResult(database, filter)), whatEach(plain), JSON.stringify(filter));
    }
  });

  test("channels of users and tokens are told apart, of those that have much and of those that have little", async () => {
    for (const username of ["", "u1", "u2", "u5"]) {
      for (const tokenName of ["", "shared", "t1-0", "t5-1"]) {
        for (const filter of [0, 1, 2, 3].map((channelId) => ({ ...NO_FILTER, username, tokenName, channelId }))) {
          const [one] = logs.list(filter);
          const known = { ...filter, modelName: one?.model_name ?? "", startTimestamp: START + 40 };
          for (const asked of [filter, known]) {
            assert.deepEqual(await sumLogs(database, asked), logs.sum(asked), JSON.stringify(asked));
            const found = await findLogIds(database, asked, { offset: 30, limit: 30, upTo: 0 });
            const ids = logs.list(asked).map(({ id }) => id);
            assert.deepEqual(found, { ids: ids.slice(30, 60), total: ids.length }, JSON.stringify(asked));
          }
        }
      }
    }
  });

  test("a block has few groups of a user or token, and few of one channel", async () => {
    const { kind, db } = database;
    const batches = [1, 2, 3, 4];
    const read = async (view: View) => {
      const texts = await readGroups(kind, db, {
        level: LEVEL.block,
        view,
        parts: partsOf(LEVEL.block, view),
        batches,
      });
      return texts.flatMap(({ batch, groups }) => groups.map((group) => ({ block: batch, ...group })));
    };
    for (const [view, byChannel, of, much, little] of [
      [VIEW.user, VIEW.userByChannel, "user_id", 1, 5],
      [VIEW.token, VIEW.tokenByChannel, "token_name", "shared", "t5-1"],
    ] as const) {
      const groups = await read(view);
      const byKey = Map.groupBy(groups, (group) => `${group.block} ${group[of]}`);
      const most = Math.max(...[...byKey.values()].map(({ length }) => length));
      assert.ok(most <= 128, `${most} groups`);
      const isWithoutChannel = (who: number | string) =>
        groups.some((group) => group[of] === who && group.channel_id === 0);
      assert.deepEqual([isWithoutChannel(much), isWithoutChannel(little)], [true, false]);
      const apart = new Set((await read(byChannel)).map((group) => group[of]));
      assert.deepEqual([...apart], [much]);
    }
  });

  test("every second is a bound that counts", async () => {
    for (let start = START - 10; start < START + 120; start += 7) {
      for (const end of [start, start + 1, start + 40, 0]) {
        const filter = { ...NO_FILTER, startTimestamp: start, endTimestamp: end };
        assert.deepEqual(await sumLogs(database, filter), logs.sum(filter), `${start} to ${end}`);
      }
    }
  });

  test("pages hold what a plain list holds, anywhere in it, and the total counts all", async () => {
    const random = seeded(8);
    for (let round = 0; round < 150; round += 1) {
      const filter = randomFilter(random);
      const wanted = logs.list(filter).map(({ id }) => id);
      const offset = random(2) === 0 ? 0 : random(Math.max(1, wanted.length));
      const limit = 1 + random(30);
      const found = await findLogIds(database, filter, { offset, limit, upTo: 0 });
      assert.deepEqual(found.ids, wanted.slice(offset, offset + limit), JSON.stringify({ filter, offset, limit }));
      assert.equal(found.total, wanted.length);
    }
  });

  test("a walk gives each entry once, in order", async () => {
    const random = seeded(11);
    for (let round = 0; round < 12; round += 1) {
      const filter = round === 0 ? NO_FILTER : randomFilter(random);
      const wanted = logs.list(filter).map(({ id }) => id);
      const walked: number[] = [];
      for await (const rows of walkLogs(database, filter)) walked.push(...rows.map(({ id }) => id));
      assert.deepEqual(walked, wanted, JSON.stringify(filter));
    }
  });

  test("a walk misses and repeats nothing when batches are made again under it, and leaves out what comes later", async () => {
    const changing = await open();
    const changed = createKnownLogs(changing);
    await changed.add(randomLogs(500, 3));
    await changed.group();
    const filter = { ...NO_FILTER, modelName: "m1" };
    const first = changed.list(filter).map(({ id }) => id);
    const [oldest = 0] = first.toReversed();
    const ids: number[] = [];
    let turns = 0;
    for await (const rows of walkLogs(changing, filter)) {
      ids.push(...rows.map(({ id }) => id));
      turns += 1;
      if (turns !== 3 && turns !== 20) continue;
      await changing.db
        .deleteFrom("logs")
        .where("id", "in", [oldest, oldest + turns])
        .execute();
      await changed.add(randomLogs(20, 100 + turns));
      // Batches begin elsewhere now.
      await changed.group(8 + (turns % 3));
    }
    assert.ok(turns > 30, `${turns} turns`);
    const left = new Set(changed.list(filter).map(({ id }) => id));
    assert.deepEqual(
      ids.filter((id) => left.has(id)),
      first.filter((id) => left.has(id)),
    );
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.every((id) => first.includes(id)));
  });

  test("a list up to an entry stays as it is, wherever that entry stands", async () => {
    const random = seeded(9);
    for (let round = 0; round < 80; round += 1) {
      const filter = round % 2 === 0 ? NO_FILTER : randomFilter(random);
      const upTo = 1 + random(logs.rows().length + 5);
      const wanted = logs
        .list(filter)
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
      ...new Set(
        logs
          .rows()
          .filter(({ hidden }) => hidden === 0)
          .map(({ model_name }) => model_name),
      ),
    ].toSorted();
    assert.deepEqual(await listNames(database.db, "model_name", "", 10), models);
    assert.deepEqual((await listOwnValues(database, "token_name", 1)).toSorted(), ["shared", "t1-0", "t1-1"]);
    assert.deepEqual(await listOwnValues(database, "token_name", 999), []);
  });
});
