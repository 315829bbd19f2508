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

/** Holds every answer of a database back until it is let go, and counts their rows. */
function holdAnswers() {
  const rows: number[] = [];
  const letGo: (() => void)[] = [];
  let told: () => void = () => undefined;
  let isOpen = false;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      rows.push(result.rows.length);
      if (isOpen) return result;
      await new Promise<void>((resolve) => {
        letGo.push(resolve);
        told();
      });
      return result;
    },
  };
  const nextHeld = () => (letGo.length > 0 ? Promise.resolve() : new Promise<void>((resolve) => (told = resolve)));
  const open = () => {
    isOpen = true;
    for (const go of letGo.splice(0)) go();
  };
  return { rows, plugin, nextHeld, letGo, open };
}

// Only there does one question not keep all others waiting by itself.
describe("callers on PostgreSQL", { skip: whyMissing("postgres") ?? false }, () => {
  it("who comes while two questions are under way shares the next one", async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const { id: userId } = await createTestUser(database, systemClock, "user");
    for (let count = 0; count < 5; count += 1) await createTestToken(database, userId, 1);
    const tokens = await database.db.selectFrom("tokens").select(["id", "key_hmac"]).orderBy("id").execute();
    const { rows, plugin, nextHeld, letGo, open } = holdAnswers();
    const source = createCallerSource(
      { ...database, db: database.db.withPlugin(plugin) },
      { ...createSecrets("a master key of the test"), lookup: (key) => key },
      createChangeFeed(),
      undefined,
      systemClock,
    );
    const ask = async (index: number) => source.find(tokens[index]?.key_hmac ?? "");
    const found = [ask(0)];
    await nextHeld();
    const [endFirst] = letGo.splice(0);
    found.push(ask(1));
    await nextHeld();
    const [endSecond] = letGo.splice(0);
    for (const index of [2, 3, 4]) {
      found.push(ask(index));
      await new Promise(setImmediate);
    }
    endFirst?.();
    await nextHeld();
    endSecond?.();
    open();
    const callers = await Promise.all(found);
    assert.deepEqual(rows, [1, 1, 3]);
    assert.deepEqual(
      callers.map((caller) => caller?.tokenId),
      tokens.map(({ id }) => id),
    );
  });

  it("remembers a caller until it hears of a change of the user, and for as long as it hears of changes at all", async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const { id: userId } = await createTestUser(database, systemClock, "user");
    await createTestToken(database, userId, 1);
    const { key_hmac: key } = await database.db.selectFrom("tokens").select("key_hmac").executeTakeFirstOrThrow();
    const heard = { hears: true, count: 0, changedUser: 0 };
    const feed = createChangeFeed();
    const source = createCallerSource(
      database,
      { ...createSecrets("a master key of the test"), lookup: (presented) => presented },
      feed,
      {
        get hears() {
          return heard.hears;
        },
        get count() {
          return heard.count;
        },
        hasChanged: (user, count) => user === heard.changedUser && count < heard.count,
        stop: async () => undefined,
      },
      systemClock,
    );
    const isRemembered = async () => {
      const found = source.find(key);
      await found;
      return !(found instanceof Promise);
    };
    assert.equal(await isRemembered(), false, "it was never read");
    assert.equal(await isRemembered(), true);
    [heard.count, heard.changedUser] = [1, userId + 1];
    assert.equal(await isRemembered(), true, "another user has changed");
    [heard.count, heard.changedUser] = [2, userId];
    assert.equal(await isRemembered(), false);
    assert.equal(await isRemembered(), true, "what was read after the change is fresh");
    heard.hears = false;
    for (let request = 0; request < 3; request += 1) assert.equal(await isRemembered(), false, "each request reads");
    heard.hears = true;
    feed.announce("users");
    assert.equal(await isRemembered(), false, "this server changed somebody");
  });

  it("does not remember what was read before a change that came while it was read", async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const { id: userId } = await createTestUser(database, systemClock, "user");
    await createTestToken(database, userId, 1);
    const { key_hmac: key } = await database.db.selectFrom("tokens").select("key_hmac").executeTakeFirstOrThrow();
    const { plugin, nextHeld, letGo, open } = holdAnswers();
    let count = 0;
    const source = createCallerSource(
      { ...database, db: database.db.withPlugin(plugin) },
      { ...createSecrets("a master key of the test"), lookup: (presented) => presented },
      createChangeFeed(),
      {
        hears: true,
        get count() {
          return count;
        },
        hasChanged: (_user, since) => since < count,
        stop: async () => undefined,
      },
      systemClock,
    );
    const found = source.find(key);
    await nextHeld();
    count = 1;
    letGo.splice(0)[0]?.();
    await found;
    open();
    const again = source.find(key);
    assert.ok(again instanceof Promise, "the next request reads anew");
    await again;
  });

  it("does not let callers wait longer than for their reservations where the database says nothing, however many questions it owes", async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const { plugin, open } = holdAnswers();
    const source = createCallerSource(
      { ...database, db: database.db.withPlugin(plugin) },
      createSecrets("a master key of the test"),
      createChangeFeed(),
      undefined,
      systemClock,
      50,
    );
    for (const key of ["the first", "the second", "one that waits for its question"])
      await assert.rejects(async () => source.find(key), DatabaseUnavailableError);
    open();
    assert.equal(await source.find("the next"), undefined);
  });
});
