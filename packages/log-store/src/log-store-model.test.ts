import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { LOG_RESULTS, LOG_TYPE } from "@one-api/contract/constants";
import { outcomeOf } from "@one-api/contract/logs/log-outcome";
import type { OpenDatabase } from "@one-api/database/open-database";
import { DATABASE_KINDS, openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { sampleLog } from "@one-api/database/testing/sample-rows";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import fc from "fast-check";
import { LogEngine } from "./engine.ts";
import { type LogFilter, NO_FILTER } from "./log-filter.ts";
import { NO_USAGE_FILTER, SLOT_SECONDS, type UsageAnswer, type UsageFilter, type UsageQuestion } from "./questions.ts";
import { keyText } from "./usage-key.ts";
import { recordRemoval } from "./record-removal.ts";
import { LogSource } from "./source/log-source.ts";
import { TEST_SETTINGS } from "./testing/local-log-store.ts";
import { countUsers, isUsed, keyOf, type LogRow, matches, resultsOf, sumRows, totalsOf } from "./testing/reference.ts";

// Any question on the replica has the answer of the same question on rows, whatever happens to the log. More sequences:
// LOG_STORE_RUNS=1000; others: LOG_STORE_SEED=7.
const RUNS = Number(process.env["LOG_STORE_RUNS"] ?? 12);
const SEED = Number(process.env["LOG_STORE_SEED"] ?? 1);

/** Midnight UTC. */
const START = 1_763_683_200;
const DAYS = 3;
const SPAN = DAYS * 86_400;

/** A refund is a part of a charge that goes back: its tokens stay with the charge. */
const NO_TOKENS = { prompt_tokens: 0, cached_tokens: 0, completion_tokens: 0 };

const entry = fc
  .record({
    user_id: fc.integer({ min: 1, max: 4 }),
    created_at: fc.integer({ min: START, max: START + SPAN - 1 }),
    type: fc.constantFrom(1, 2, 2, 2, 2, 3, 5, 6),
    username: fc.constantFrom("", "mia", "ann", "O'Neil"),
    token_name: fc.constantFrom("", "main", "a/b", "ü"),
    model_name: fc.constantFrom("gpt", "o3", "claude", ""),
    alias: fc.constantFrom("", "", "fast", "ü"),
    first_model: fc.constantFrom("", "", "gpt"),
    alias_facts: fc.constantFrom(-1, 0, 3, 4 * 5 + 1, 4 * 899 + 2, 4 * 900),
    channel_id: fc.integer({ min: 0, max: 3 }),
    result: fc.constantFrom(...LOG_RESULTS),
    status_code: fc.constantFrom(0, 200, 400, 401, 500),
    quota: fc.integer({ min: 0, max: 9_000_000_000 }),
    cost: fc.constantFrom(-1, 0, 5, 7_000_000_000),
    prompt_tokens: fc.integer({ min: 0, max: 5_000 }),
    cached_tokens: fc.integer({ min: 0, max: 500 }),
    completion_tokens: fc.integer({ min: 0, max: 5_000 }),
    is_stream: fc.constantFrom<0 | 1>(0, 1),
    first_byte_ms: fc.integer({ min: 0, max: 30_000 }),
    elapsed_time: fc.integer({ min: 0, max: 600_000 }),
    hidden: fc.constantFrom<0 | 1>(0, 0, 0, 1),
  })
  .map((row) => (row.type === LOG_TYPE.refund ? { ...row, ...NO_TOKENS } : row));

/** Values of a filter: mostly none, else one or several. */
const someOf = <Value>(...values: readonly Value[]): fc.Arbitrary<Value[]> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Value[]>([]) },
    { weight: 2, arbitrary: fc.subarray([...values], { minLength: 1 }) },
  );

const filter: fc.Arbitrary<LogFilter> = fc.record({
  userId: fc.constantFrom(0, 0, 1, 2, 9),
  types: someOf(2, 6, 3),
  tokenNames: someOf("main", "ü", "nobody"),
  modelNames: someOf("gpt", "o3", "unknown"),
  aliases: someOf("fast", "nowhere"),
  usernames: someOf("mia", "O'Neil"),
  channelIds: someOf(1, 2),
  results: someOf<LogFilter["results"][number]>("errors", "ok", "timeout"),
  startTimestamp: fc.constantFrom(0, 0, START + 50_000),
  endTimestamp: fc.constantFrom(0, 0, START + 200_000),
});

const usage: fc.Arbitrary<UsageQuestion> = fc.record({
  kind: fc.constant("usage"),
  filter: fc.record({
    userId: fc.constantFrom(0, 0, 0, 1, 3),
    userIds: fc.constantFrom(undefined, undefined, undefined, [1, 3], [2], []),
    tokenName: fc.constantFrom("", "", "", "main"),
    modelName: fc.constantFrom("", "", "gpt"),
    channelId: fc.constantFrom(0, 0, 0, 2),
    alias: fc.constantFrom("", "", "", "fast"),
  }),
  edges: fc
    .uniqueArray(fc.integer({ min: 0, max: SPAN / SLOT_SECONDS }), { minLength: 2, maxLength: 6 })
    .map((slots) => slots.toSorted((left, right) => left - right).map((slot) => START + slot * SLOT_SECONDS)),
  by: fc.constantFrom("model", "channel", "user", "token", "alias", "first-model"),
  order: fc.constantFrom("spend", "requests", "tokens", "errors", "margin", "cache", "first_byte"),
  rows: fc.constantFrom(1, 3, 100),
  split: fc.constantFrom(0, 1, 100),
  times: fc.constantFrom("none", "rows", "rows-and-intervals"),
});

type Action =
  | { readonly kind: "insert"; readonly entries: readonly Partial<LogRow>[] }
  | { readonly kind: "clear"; readonly part: number; readonly before: number }
  | { readonly kind: "hide"; readonly part: number }
  | { readonly kind: "reopen" }
  | { readonly kind: "rebuild" }
  | { readonly kind: "ask"; readonly filter: LogFilter; readonly usage: UsageQuestion };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("insert" as const), entries: fc.array(entry, { maxLength: 40 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("clear" as const),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      before: fc.integer({ min: START, max: START + SPAN }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("hide" as const), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "reopen" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "rebuild" as const }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("ask" as const), filter, usage }) },
);

for (const kind of DATABASE_KINDS) {
  describe(`the log store on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let database: OpenDatabase;
    before(async () => {
      database = await openTestDatabase(kind);
    });
    after(() => database.close());

    test("answers as the rows do, whatever happens to the log", async () => {
      const property = fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 25 }), async (actions) => {
        const world = await World.start(database);
        try {
          for (const each of actions) await world.run(each);
          await world.run({ kind: "ask", filter: NO_FILTER, usage: EVERYTHING });
        } finally {
          await world.end();
        }
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
    });
  });
}

const EVERYTHING: UsageQuestion = {
  kind: "usage",
  filter: NO_USAGE_FILTER,
  edges: [START, START + SPAN],
  by: "model",
  order: "spend",
  rows: 100,
  split: 100,
  times: "none",
};

/** A database with a replica, and all entries that were ever visible. */
class World {
  readonly #database: OpenDatabase;
  #engine: LogEngine;
  #file: string;
  /** Entries that were cleared or hidden. */
  readonly #cleared: LogRow[] = [];

  private constructor(database: OpenDatabase, engine: LogEngine, file: string) {
    this.#database = database;
    this.#engine = engine;
    this.#file = file;
  }

  static async start(database: OpenDatabase): Promise<World> {
    for (const table of ["logs", "log_changes", "cleared_usage"] as const)
      await database.db.deleteFrom(table).execute();
    await database.db
      .insertInto("log_changes")
      .values({ first_id: 0, last_id: 0, first_day: 0, last_day: 0, created_at: 0 })
      .execute();
    const file = newFile();
    return new World(database, await open(database, file), file);
  }

  async end(): Promise<void> {
    this.#engine.close();
  }

  async run(each: Action): Promise<void> {
    switch (each.kind) {
      case "insert":
        for (const one of each.entries) await this.#database.db.insertInto("logs").values(sampleLog(one)).execute();
        return;
      case "clear":
        return this.#remove(each.part, ({ created_at: at }) => at < each.before, "removed");
      case "hide":
        return this.#remove(each.part, () => true, "hidden");
      case "reopen":
      case "rebuild":
        this.#engine.close();
        if (each.kind === "rebuild") this.#file = newFile();
        this.#engine = await open(this.#database, this.#file);
        return;
      case "ask":
        return this.#compare(each.filter, each.usage);
    }
  }

  async #rows(): Promise<LogRow[]> {
    return this.#database.db.selectFrom("logs").selectAll().where("hidden", "=", 0).orderBy("id", "desc").execute();
  }

  async #remove(part: number, isMeant: (row: LogRow) => boolean, how: "removed" | "hidden"): Promise<void> {
    const rows = (await this.#rows()).toReversed();
    const chosen = rows.slice(0, Math.ceil(rows.length * part));
    const gone = chosen.filter(isMeant);
    const ids = gone.map(({ id }) => id);
    if (ids.length === 0) return;
    await this.#database.db.transaction().execute(async (transaction) => {
      if (how === "removed") await transaction.deleteFrom("logs").where("id", "in", ids).execute();
      else await transaction.updateTable("logs").set({ hidden: 1 }).where("id", "in", ids).execute();
      const range = { firstId: chosen[0]?.id ?? 0, lastId: chosen.at(-1)?.id ?? 0, at: START };
      await recordRemoval(transaction, range, gone);
    });
    this.#cleared.push(...gone);
  }

  async #compare(asked: LogFilter, question: UsageQuestion): Promise<void> {
    const engine = this.#engine;
    const rows = await this.#rows();
    const matching = rows.filter((row) => matches(row, asked));
    const page = await engine.ask({ kind: "page", filter: asked, offset: 1, limit: 5, upTo: 0, withTotal: true });
    assert.equal(page.isComplete, true);
    assert.deepEqual(page.answer, { ids: matching.slice(1, 6).map(({ id }) => id), total: matching.length });
    const ofRequests = rows.filter((row) => matches(row, { ...asked, types: [] }));
    assert.deepEqual((await engine.ask({ kind: "totals", filter: asked })).answer, totalsOf(ofRequests));
    const byName = (left: object, right: object) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);
    assert.deepEqual(
      [...(await engine.ask({ kind: "results", filter: asked })).answer].sort(byName),
      resultsOf(ofRequests).sort(byName),
    );
    const edges = [START, START + SPAN / 2, START + SPAN];
    const histogram = (await engine.ask({ kind: "histogram", filter: asked, edges })).answer;
    assert.equal(
      histogram.reduce((sum, { entries }) => sum + entries, 0),
      matching.length,
    );
    for (const { interval, result, entries } of histogram)
      assert.equal(
        entries,
        matching.filter(
          (row) => row.result === result && Math.floor((row.created_at - START) / (SPAN / 2)) === interval,
        ).length,
      );
    const values = (await engine.ask({ kind: "values", column: "token_name", filter: asked, keyword: "a", limit: 9 }))
      .answer;
    for (const { value, entries } of values)
      assert.equal(entries, matching.filter((row) => row.token_name === value).length);
    for (const column of ["result", "type", "channel_id"] as const) {
      const counts = (await engine.ask({ kind: "values", column, filter: asked, keyword: "", limit: 99 })).answer;
      const texts = matching.map((row) => row[column]).filter((value) => value !== "" && value !== 0);
      assert.deepEqual(
        new Map(counts.map(({ value, entries }) => [value, entries])),
        new Map([...Map.groupBy(texts, String)].map(([value, of]) => [value, of.length])),
      );
    }
    for (const restriction of [{ channelIds: [1, 2] }, { userIds: [1, 3] }, { aliases: ["fast", "nowhere"] }]) {
      const users = { ...restriction, models: ["gpt", "o3", "unknown"], since: START + 50_000 };
      assert.equal((await engine.ask({ kind: "users", ...users })).answer, countUsers(rows, users));
    }
    this.#compareUsage((await engine.ask(question)).answer, question, rows);
    await this.#compareHours(question.filter, rows);
    await this.#compareTraffic(rows);
    for (const alias of ["fast", "nowhere", ""]) await this.#compareReplay(rows, alias);
  }

  async #compareTraffic(rows: readonly LogRow[]): Promise<void> {
    const [start, end] = [START + 50_000, START + SPAN - 50_000];
    const groups = [[2, 3], [1], []];
    const { answer } = await this.#engine.ask({ kind: "traffic", groups, start, end });
    const used = rows.filter(
      (row) => isUsed(row, EVERYTHING.filter) && row.created_at >= start && row.created_at < end,
    );
    const keyOfRow = (group: number, model: string, channel: number) => JSON.stringify([group, model, channel]);
    const byKey = Map.groupBy(used, (row) =>
      keyOfRow(
        groups.findIndex((users) => users.includes(row.user_id)),
        row.model_name,
        row.channel_id,
      ),
    );
    assert.deepEqual(
      new Map(answer.map(({ group, model, channelId, sums }) => [keyOfRow(group, model, channelId), sums])),
      new Map([...byKey].map(([key, ofKey]) => [key, sumRows(ofKey)])),
    );
    for (const { group, model, channelId, firstByteMs } of answer) {
      const streams = (byKey.get(keyOfRow(group, model, channelId)) ?? [])
        .filter((row) => row.type === 2 && row.is_stream === 1 && row.first_byte_ms > 0)
        .map((row) => row.first_byte_ms);
      assert.equal(firstByteMs === null, streams.length === 0);
      if (firstByteMs !== null)
        assert.ok(firstByteMs >= Math.min(...streams) * 0.93 - 0.5 && firstByteMs <= Math.max(...streams) * 1.07 + 0.5);
    }
  }

  async #compareReplay(rows: readonly LogRow[], alias: string): Promise<void> {
    const [start, end] = [START + 50_000, START + SPAN - 50_000];
    const groups = [[2, 3], [1], []];
    const question = { promptEdges: [0, 5, 900], deadlines: { gpt: 4_000, o3: 20_000, unknown: 1 }, models: ["gpt"] };
    const { answer } = await this.#engine.ask({ kind: "replay", groups, start, end, alias, ...question });
    const isMeant = (row: LogRow) =>
      alias === "" ? row.model_name === "gpt" || row.first_model === "gpt" : row.alias === alias;
    const used = rows.filter(
      (row) => isUsed(row, EVERYTHING.filter) && isMeant(row) && row.created_at >= start && row.created_at < end,
    );
    const deadlines = new Map(Object.entries(question.deadlines));
    const firstByteOf = (row: LogRow) => (row.is_stream === 1 ? row.first_byte_ms : 0);
    const byKey = Map.groupBy(used, (row) => {
      const [tokens, needs] = [Math.floor(row.alias_facts / 4), row.alias_facts % 4];
      const promptClass = question.promptEdges.filter((edge) => edge <= tokens).length;
      const facts = { promptClass, hasTools: needs % 2 === 1, hasImages: needs > 1 };
      return JSON.stringify({
        group: groups.findIndex((users) => users.includes(row.user_id)),
        model: row.model_name,
        channelId: row.channel_id,
        firstModel: row.first_model,
        facts: row.alias_facts < 0 ? null : facts,
        isLate: firstByteOf(row) > (deadlines.get(row.model_name) ?? Number.POSITIVE_INFINITY),
      });
    });
    const expected = [...byKey].map(([key, of]) => {
      const failed = of.filter((row) => [2, 5].includes(outcomeOf(row)));
      const early = failed.filter((row) => firstByteOf(row) === 0);
      const sums = {
        sums: sumRows(of),
        estimatedTokens: of.reduce((sum, row) => sum + Math.max(0, Math.floor(row.alias_facts / 4)), 0),
        broken: failed.length - early.length,
        failedMs: early.reduce((sum, row) => sum + row.elapsed_time, 0),
      };
      return [key, sums] as const;
    });
    const told = answer.map((row) => {
      const { group, model, channelId, firstModel, facts, isLate, sums, estimatedTokens, broken, failedMs } = row;
      const key = JSON.stringify({ group, model, channelId, firstModel, facts, isLate });
      return [key, { sums, estimatedTokens, broken, failedMs }] as const;
    });
    assert.deepEqual(new Map(told), new Map(expected));
  }

  async #compareHours(of: UsageFilter, rows: readonly LogRow[]): Promise<void> {
    const zoneSeconds = 5.5 * 3_600;
    const question = { kind: "hours", filter: of, start: START, end: START + SPAN, zoneSeconds } as const;
    const { answer } = await this.#engine.ask(question);
    const streams = rows.filter(
      (row) =>
        row.type === 2 &&
        row.is_stream === 1 &&
        row.first_byte_ms > 0 &&
        row.created_at >= START &&
        row.created_at < START + SPAN &&
        isUsed(row, of),
    );
    const ofHours = Map.groupBy(streams, ({ created_at: at }) => {
      const local = new Date((at + zoneSeconds) * 1_000);
      return ((local.getUTCDay() + 6) % 7) * 24 + local.getUTCHours();
    });
    assert.deepEqual(
      answer.map(({ hour, streams: count }) => [hour, count]),
      [...ofHours].map(([hour, { length }]) => [hour, length]).sort(([left = 0], [right = 0]) => left - right),
    );
    for (const { hour, p50, p95 } of answer) {
      const times = (ofHours.get(hour) ?? []).map(({ first_byte_ms: ms }) => ms);
      // Buckets are 6 % wide, and answers are whole ms.
      for (const time of [p50, p95])
        assert.ok(
          time >= Math.min(...times) * 0.93 - 0.5 && time <= Math.max(...times) * 1.07 + 0.5,
          `${time} of ${times.join()}`,
        );
    }
  }

  #compareUsage(
    answer: UsageAnswer,
    { filter: of, edges, by, rows: most, split }: UsageQuestion,
    rows: readonly LogRow[],
  ): void {
    const isOfChannels = by === "channel" || of.channelId !== 0;
    const isOfUsers =
      by === "user" || by === "token" || of.userId !== 0 || of.userIds !== undefined || of.tokenName !== "";
    const isOfAliases = by === "alias" || by === "first-model" || of.alias !== "";
    // What was cleared counts at the start of its day.
    const cleared =
      (isOfChannels && isOfUsers) || isOfAliases
        ? []
        : this.#cleared.map((row) => ({ ...row, created_at: dayOf(row.created_at) }));
    const used = [...rows, ...cleared].filter((row) => isUsed(row, of));
    const within = (from: number, to: number) => used.filter(({ created_at: at }) => at >= from && at < to);
    const [first = 0, last = 0] = [edges[0], edges.at(-1)];
    const all = within(first, last);
    assert.deepEqual(
      answer.intervals.map(({ times: _times, ...sums }) => sums),
      edges.slice(1).map((edge, index) => sumRows(within(edges[index] ?? 0, edge))),
    );
    const { times: _times, ...total } = answer.total;
    assert.deepEqual(total, sumRows(all));
    const byKey = Map.groupBy(all, (row) => keyText(keyOf(by, row)));
    assert.equal(answer.rows.length, Math.min(most, byKey.size));
    assert.equal(answer.rest?.count ?? 0, byKey.size - answer.rows.length);
    for (const [
      index,
      {
        key,
        usage: { times: _ofRow, ...sums },
        intervals,
      },
    ] of answer.rows.entries()) {
      const ofKey = byKey.get(keyText(key)) ?? [];
      assert.deepEqual(sums, sumRows(ofKey));
      assert.equal(intervals !== undefined, index < split);
      if (intervals !== undefined)
        assert.deepEqual(
          intervals,
          edges
            .slice(1)
            .map((edge, at) =>
              sumRows(ofKey.filter(({ created_at: time }) => time >= (edges[at] ?? 0) && time < edge)),
            ),
        );
      byKey.delete(keyText(key));
    }
    if (answer.rest !== undefined) {
      const { times: _ofRest, ...rest } = answer.rest.usage;
      assert.deepEqual(rest, sumRows([...byKey.values()].flat()));
    }
  }
}

function dayOf(time: number): number {
  return Math.floor(time / 86_400) * 86_400;
}

function newFile(): string {
  return join(temporaryFolder("one-api-log-store-"), "replica.duckdb");
}

function open(database: OpenDatabase, file: string): Promise<LogEngine> {
  return LogEngine.open(file, new LogSource(database), TEST_SETTINGS);
}
