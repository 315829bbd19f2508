import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import type { KyselyPlugin } from "kysely";
import { createChangeFeed } from "../../core/change-feed.ts";
import { systemClock } from "../../platform/clock.ts";
import { createSecrets } from "../../core/secrets.ts";
import { createTestToken } from "../../testing/create-test-token.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { createCallerSource } from "./caller-source.ts";

/** Delays every answer of a database until it is released, and counts the rows. */
function delayAnswers() {
  const rows: number[] = [];
  const letGo: (() => void)[] = [];
  let delayed: () => void = () => undefined;
  let isOpen = false;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      rows.push(result.rows.length);
      if (isOpen) return result;
      await new Promise<void>((resolve) => {
        letGo.push(resolve);
        delayed();
      });
      return result;
    },
  };
  const nextDelayed = () =>
    letGo.length > 0 ? Promise.resolve() : new Promise<void>((resolve) => (delayed = resolve));
  const open = () => {
    isOpen = true;
    for (const go of letGo.splice(0)) go();
  };
  return { rows, plugin, nextDelayed, letGo, open };
}

// SQLite answers one query at a time anyway.
describe("callers on PostgreSQL", { skip: whyMissing("postgres") ?? false }, () => {
  it("callers that arrive during two queries share the next one", async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const { id: userId } = await createTestUser(database, systemClock, "user");
    for (let count = 0; count < 5; count += 1) await createTestToken(database, userId, 1);
    const tokens = await database.db.selectFrom("tokens").select(["id", "key_hmac"]).orderBy("id").execute();
    const { rows, plugin, nextDelayed, letGo, open } = delayAnswers();
    const source = createCallerSource({
      database: { ...database, db: database.db.withPlugin(plugin) },
      secrets: { ...createSecrets("a master key of the test"), lookup: (key) => key },
      changes: createChangeFeed(),
      callerChanges: undefined,
      clock: systemClock,
    });
    const find = async (index: number) => source.find(tokens[index]?.key_hmac ?? "");
    const found = [find(0)];
    await nextDelayed();
    const [endFirst] = letGo.splice(0);
    found.push(find(1));
    await nextDelayed();
    const [endSecond] = letGo.splice(0);
    for (const index of [2, 3, 4]) {
      found.push(find(index));
      await new Promise(setImmediate);
    }
    endFirst?.();
    await nextDelayed();
    endSecond?.();
    open();
    const callers = await Promise.all(found);
    assert.deepEqual(rows, [1, 1, 3]);
    assert.deepEqual(
      callers.map((caller) => caller?.tokenId),
      tokens.map(({ id }) => id),
    );
  });

  it("caches a caller until the user changes, and while notifications arrive", async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const { id: userId } = await createTestUser(database, systemClock, "user");
    await createTestToken(database, userId, 1);
    const { key_hmac: key } = await database.db.selectFrom("tokens").select("key_hmac").executeTakeFirstOrThrow();
    const state = { isCurrent: true, count: 0, changedUser: 0 };
    const feed = createChangeFeed();
    const source = createCallerSource({
      database,
      secrets: { ...createSecrets("a master key of the test"), lookup: (presented) => presented },
      changes: feed,
      callerChanges: {
        get isCurrent() {
          return state.isCurrent;
        },
        get count() {
          return state.count;
        },
        hasChanged: (user, count) => user === state.changedUser && count < state.count,
        stop: async () => undefined,
      },
      clock: systemClock,
    });
    const isRemembered = async () => {
      const found = source.find(key);
      await found;
      return !(found instanceof Promise);
    };
    assert.equal(await isRemembered(), false, "it was never read");
    assert.equal(await isRemembered(), true);
    [state.count, state.changedUser] = [1, userId + 1];
    assert.equal(await isRemembered(), true, "another user has changed");
    [state.count, state.changedUser] = [2, userId];
    assert.equal(await isRemembered(), false);
    assert.equal(await isRemembered(), true, "what was read after the change is fresh");
    state.isCurrent = false;
    for (let request = 0; request < 3; request += 1) assert.equal(await isRemembered(), false, "each request reads");
    state.isCurrent = true;
    feed.announce("users");
    assert.equal(await isRemembered(), false, "this server changed a caller");
  });

  it("does not cache a caller that changed during the read", async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const { id: userId } = await createTestUser(database, systemClock, "user");
    await createTestToken(database, userId, 1);
    const { key_hmac: key } = await database.db.selectFrom("tokens").select("key_hmac").executeTakeFirstOrThrow();
    const { plugin, nextDelayed, letGo, open } = delayAnswers();
    let count = 0;
    const source = createCallerSource({
      database: { ...database, db: database.db.withPlugin(plugin) },
      secrets: { ...createSecrets("a master key of the test"), lookup: (presented) => presented },
      changes: createChangeFeed(),
      callerChanges: {
        isCurrent: true,
        get count() {
          return count;
        },
        hasChanged: (_user, since) => since < count,
        stop: async () => undefined,
      },
      clock: systemClock,
    });
    const found = source.find(key);
    await nextDelayed();
    count = 1;
    letGo.splice(0)[0]?.();
    await found;
    open();
    const again = source.find(key);
    assert.ok(again instanceof Promise, "the next request reads anew");
    await again;
  });

  it("limits the wait for a silent database to that of a reservation, with any number of open queries", async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const { plugin, open } = delayAnswers();
    const source = createCallerSource(
      {
        database: { ...database, db: database.db.withPlugin(plugin) },
        secrets: createSecrets("a master key of the test"),
        changes: createChangeFeed(),
        callerChanges: undefined,
        clock: systemClock,
      },
      { timeoutMs: 50 },
    );
    for (const key of ["the first", "the second", "one that waits for its question"])
      await assert.rejects(async () => source.find(key), DatabaseUnavailableError);
    open();
    assert.equal(await source.find("the next"), undefined);
  });
});
