import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import { eachDatabase } from "@one-api/database/test-databases";
import type { Insertable } from "kysely";
import { seeded } from "../../testing/seeded.ts";
import { foldNextUsage } from "./fold-usage.ts";
import { readUsage, type UsageQuestion } from "./read-usage.ts";
import { nameTokens } from "./usage-tokens.repository.ts";
import { NO_SUMS, presentFirstByte, SLOT_SECONDS, SUM_NAMES, type Sums } from "./usage-sums.ts";

type NewLog = Insertable<Tables["logs"]>;

const HOUR = 3_600;
const DAY = 24 * HOUR;
const START = 20_000 * DAY;
const ALL = 1_000_000;

/** Some beside each other, and some whose sums are written at other steps. */
const USERS = [1, 2, 17, 170, 600];

const RESULTS = ["ok", "ok", "ok", "refused", "timeout", "provider-refused", "caller-gone"] as const;

/** Entries over so many days, some of which come hours late; a few are hidden or of other kinds. */
function randomLogs(count: number, seed: number, from: number, days: number): NewLog[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => {
    const user = USERS[random(USERS.length)] ?? 1;
    return {
      user_id: user,
      created_at: from + Math.floor((index * days * DAY) / count) - (random(20) === 0 ? random(30 * HOUR) : random(60)),
      type: random(30) === 0 ? 4 : 2,
      content: "",
      username: `u${user}`,
      token_name: random(4) === 0 ? "a/b" : `t${random(2)}`,
      model_name: `m${random(4)}`,
      quota: random(1_000),
      prompt_tokens: random(100),
      completion_tokens: random(100),
      channel_id: random(4),
      request_id: `r${seed}-${index}`,
      elapsed_time: 0,
      is_stream: random(3) === 0 ? 0 : 1,
      detail: "",
      result: RESULTS[random(RESULTS.length)] ?? "ok",
      status_code: random(2) === 0 ? 400 : 401,
      hidden: random(40) === 0 ? 1 : 0,
      cost: random(5) === 0 ? -1 : random(700),
      first_byte_ms: random(4) === 0 ? 0 : random(5_000),
    };
  });
}

/** The sums of an entry, said in another way than the product says it. */
function sumsOf(log: NewLog): Sums {
  const refused = log.result === "refused";
  const isKeyRefused = log.result === "provider-refused" && log.status_code === 401;
  const cost = log.cost ?? -1;
  const isTimed = log.is_stream === 1 && (log.first_byte_ms ?? 0) > 0;
  return {
    requests: refused ? 0 : 1,
    refused: refused ? 1 : 0,
    errors: log.result === "timeout" || isKeyRefused ? 1 : 0,
    quota: log.quota,
    cost: Math.max(0, cost),
    unknown_requests: cost < 0 ? 1 : 0,
    unknown_quota: cost < 0 ? log.quota : 0,
    prompt_tokens: log.prompt_tokens,
    completion_tokens: log.completion_tokens,
    timed: isTimed ? 1 : 0,
    first_log: isTimed ? 1_000 * Math.log(log.first_byte_ms ?? 1) : 0,
    firstBytes: [],
  };
}

const KEYS = {
  all: () => "",
  model: (log: NewLog) => log.model_name,
  channel: (log: NewLog) => String(log.channel_id),
  user: (log: NewLog) => String(log.user_id),
  token: (log: NewLog) => `${log.user_id}/${log.token_name}`,
};

function addUp(logs: readonly NewLog[]): Sums {
  const total: Record<(typeof SUM_NAMES)[number], number> & Pick<Sums, "firstBytes"> = { ...NO_SUMS };
  for (const log of logs) for (const name of SUM_NAMES) total[name] += sumsOf(log)[name];
  return total;
}

/** Equal but for the logarithms, which are rounded once for each slot. */
function assertSums(actual: Sums | undefined, logs: readonly NewLog[], what: string): void {
  const wanted = addUp(logs);
  assert.ok(Math.abs((actual?.first_log ?? 0) - wanted.first_log) <= logs.length, `${what}: first bytes`);
  assert.deepEqual({ ...(actual ?? NO_SUMS), first_log: 0, firstBytes: [] }, { ...wanted, first_log: 0 }, what);
}

/** Within a step of time of what sorting all of them tells, with at least so many of them below it and above. */
function assertFirstBytes(actual: Sums | undefined, logs: readonly NewLog[], what: string): void {
  const times = logs
    .filter((log) => sumsOf(log).timed === 1)
    .map(({ first_byte_ms: ms = 0 }) => ms)
    .toSorted((left, right) => left - right);
  const { first_byte_p50_ms: p50, first_byte_p95_ms: p95 } = presentFirstByte(actual ?? NO_SUMS);
  for (const [told, part] of [
    [p50, 0.5],
    [p95, 0.95],
  ] as const) {
    const exact = times[Math.max(0, Math.ceil(times.length * part) - 1)];
    if (exact === undefined) assert.equal(told, null, what);
    else
      assert.ok(
        told !== null && Math.abs(Math.log2(Math.max(20, told) / Math.max(20, exact))) <= 0.34,
        `${what}: ${part} told ${told}, is ${exact}`,
      );
  }
}

eachDatabase((open) => {
  let database: OpenDatabase;
  const logs: NewLog[] = [];
  const add = async (some: readonly NewLog[]) => {
    for (let start = 0; start < some.length; start += 500)
      await database.db
        .insertInto("logs")
        .values(some.slice(start, start + 500))
        .execute();
    logs.push(...some);
  };
  const fold = async () => {
    while (await foldNextUsage(database, ALL, { entries: 50 }));
  };
  before(async () => {
    database = await open();
  });

  /** Compares an answer with the entries themselves. */
  async function check(question: UsageQuestion) {
    const { by, userId, edges, modelName = "", tokenName = "" } = question;
    const answer = await readUsage(database, question);
    assert.equal(answer.isComplete, true);
    const counted = logs.filter(
      ({ type, hidden, user_id, model_name, token_name }) =>
        type === 2 &&
        hidden === 0 &&
        (userId === 0 || user_id === userId) &&
        (modelName === "" || model_name === modelName) &&
        (tokenName === "" || token_name === tokenName),
    );
    const within = (from = 0, to = 0) =>
      counted.filter(({ created_at: at }) => {
        const slot = Math.floor(at / SLOT_SECONDS) * SLOT_SECONDS;
        return (
          slot >= Math.floor(from / SLOT_SECONDS) * SLOT_SECONDS && slot < Math.floor(to / SLOT_SECONDS) * SLOT_SECONDS
        );
      });
    for (const [index, part] of answer.parts.entries()) {
      const [of, what] = [within(edges[index], edges[index + 1]), `${JSON.stringify(question)} part ${index}`];
      assertSums(part, of, what);
      if (userId === 0) assertFirstBytes(part, of, what);
    }
    const keyOf = userId !== 0 && by === "token" ? (log: NewLog) => log.token_name : KEYS[by];
    const byKey = Map.groupBy(within(edges[0], edges.at(-1)), keyOf);
    const entries = [...answer.table.entries()];
    const keys = entries.map(([key]) => key);
    const texts = userId === 0 && by === "token" ? await nameTokens(database.db, keys) : keys.map(String);
    const rows = new Map(entries.map(([, sums], index) => [texts[index] ?? "", sums]));
    assert.deepEqual([...rows.keys()].toSorted(), [...byKey.keys()].toSorted(), JSON.stringify(question));
    for (const [key, of] of byKey) {
      assertSums(rows.get(key), of, `${JSON.stringify(question)} ${key}`);
      if (userId === 0 && (by === "model" || by === "channel"))
        assertFirstBytes(rows.get(key), of, `${JSON.stringify(question)} ${key}`);
    }
  }

  async function checkMany(seed: number) {
    const random = seeded(seed);
    for (let round = 0; round < 8; round += 1) {
      const from = START + random(90) * DAY + random(48) * SLOT_SECONDS;
      const edges = [from, from + random(4) * HOUR + 1_800, from + random(70) * DAY + 5 * HOUR];
      const by = (["model", "channel", "user", "token"] as const)[random(4)] ?? "model";
      await check({ edges: edges.toSorted((left, right) => left - right), by, userId: 0 });
      await check({ edges, by: round % 2 === 0 ? "model" : "token", userId: USERS[random(USERS.length)] ?? 1 });
    }
  }

  test("nothing is the sum of nothing", async () => {
    const { parts, table } = await readUsage(database, { edges: [START, START + DAY], by: "model", userId: 0 });
    assert.deepEqual([parts, table.size], [[NO_SUMS], 0]);
  });

  test("sums of any time are those of the entries, by all that they are told apart by, new and late ones included", async () => {
    await add(randomLogs(700, 1, START, 90));
    await check({ edges: [START, START + DAY], by: "model", userId: 0 });
    await fold();
    await checkMany(2);
    // A pause of three weeks, then more, of which not all are added up.
    await add(randomLogs(300, 3, START + 110 * DAY, 4));
    await fold();
    await add(randomLogs(20, 4, START + 114 * DAY, 1));
    await check({ edges: [START, START + 50 * DAY, START + 200 * DAY], by: "token", userId: 0 });
    await check({ edges: [START, START + 50 * DAY, START + 200 * DAY], by: "model", userId: 17 });
    await checkMany(5);
  });

  test("two that add up at once add everything once, and what stopped half-way is done again", async () => {
    await add(randomLogs(200, 6, START + 115 * DAY, 1));
    const broken: OpenDatabase = {
      ...database,
      db: database.db.withPlugin({
        transformQuery({ node }) {
          // How far the log is added up is written last.
          if (node.kind === "UpdateQueryNode") throw new Error("the process ends here");
          return node;
        },
        transformResult: async ({ result }) => result,
      }),
    };
    await assert.rejects(foldNextUsage(broken, ALL, { entries: 32 }), /ends here/);
    if (database.kind === "postgres") await Promise.all([fold(), fold()]);
    await fold();
    await check({ edges: [START, START + 200 * DAY], by: "user", userId: 0 });
    await check({ edges: [START + 114 * DAY, START + 120 * DAY], by: "token", userId: 2 });
  });

  test("what a user used is written once for many steps, and counts while it waits", async () => {
    const waiting = () => database.db.selectFrom("usage_pending").select(["bucket", "step"]).execute();
    const isWritten = async (userId: number) => {
      const written = database.db.selectFrom("usage_of_users").select("slot").where("user_id", "=", userId);
      return (await written.executeTakeFirst()) !== undefined;
    };
    await add(
      randomLogs(1_500, 8, START + 116 * DAY, 1).map((log, index) => ({ ...log, user_id: 1_000 + (index % 2) * 20 })),
    );
    const seen = new Set<string>();
    for (let left = true; left; left = await foldNextUsage(database, ALL, { entries: 30 })) {
      const [first, second] = [await isWritten(1_000), await isWritten(1_020)];
      seen.add(`${first}, ${second}`);
      await check({ edges: [START, START + 200 * DAY], by: "model", userId: 1_000 });
      const edges = [START, START + 116 * DAY, START + 117 * DAY];
      await check({ edges, by: "token", userId: 1_020, modelName: "m1" });
      await check({ edges, by: "model", userId: 1_020, tokenName: "t1" });
    }
    assert.equal(seen.size, 3, "each is written at another step");
    const steps = Map.groupBy(await waiting(), ({ bucket }) => bucket);
    for (const [bucket, texts] of steps)
      assert.ok(texts.length < 32, `bucket ${bucket} waits for no more than 32 steps`);
  });

  test("a long log is added up in few long steps where nobody waits for them, in short ones on SQLite, and its newest entries are read", async () => {
    await add(randomLogs(4_300, 7, START + 116 * DAY, 2));
    let steps = 0;
    while (await foldNextUsage(database, ALL)) steps += 1;
    assert.equal(steps, database.kind === "sqlite" ? 2 : 1);
    await check({ edges: [START, START + 117 * DAY, START + 200 * DAY], by: "token", userId: 0 });
    await check({ edges: [START + 115 * DAY, START + 119 * DAY], by: "model", userId: 170 });
    await check({ edges: [START, START + 200 * DAY], by: "channel", userId: 0 });
  });
});
