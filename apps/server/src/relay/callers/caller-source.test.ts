import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import type { KyselyPlugin } from "kysely";
import { createChangeFeed } from "../../core/change-feed.ts";
import { systemClock } from "../../core/clock.ts";
import { createSecrets } from "../../core/secrets/secrets.ts";
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

  it("recalls whom it has read for a minute, also once something has changed; where nobody else can change callers it never does", async (t) => {
    for (const kind of ["postgres", "sqlite"] as const) {
      const database = await openTestDatabase(kind);
      t.after(() => database.close());
      const { id: userId } = await createTestUser(database, systemClock, "user");
      await createTestToken(database, userId, 1);
      const { key_hmac: key } = await database.db.selectFrom("tokens").select("key_hmac").executeTakeFirstOrThrow();
      const changes = createChangeFeed();
      let nowMs = 0;
      const source = createCallerSource(
        database,
        { ...createSecrets("a master key of the test"), lookup: (presented) => presented },
        changes,
        { ...systemClock, monotonicMs: () => nowMs },
      );
      assert.equal(source.recall(key), undefined);
      const found = await source.find(key);
      changes.announce("users");
      nowMs = 59_999;
      assert.equal(source.recall(key), kind === "postgres" ? found : undefined);
      nowMs = 60_000;
      assert.equal(source.recall(key), undefined);
    }
  });

  it("does not let callers wait longer than for their reservations where the database says nothing, however many questions it owes", async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const { plugin, open } = holdAnswers();
    const source = createCallerSource(
      { ...database, db: database.db.withPlugin(plugin) },
      createSecrets("a master key of the test"),
      createChangeFeed(),
      systemClock,
      50,
    );
    for (const key of ["the first", "the second", "one that waits for its question"])
      await assert.rejects(async () => source.find(key), DatabaseUnavailableError);
    open();
    assert.equal(await source.find("the next"), undefined);
  });
});
