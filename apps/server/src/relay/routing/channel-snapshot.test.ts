import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { createChannel } from "@one-api/contract/channels/channel";
import { updateOption } from "@one-api/contract/options/option";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { type ChangeFeed, createChangeFeed } from "../../core/change-feed.ts";
import type { KyselyPlugin } from "kysely";
import { createSecrets, type Secrets } from "../../core/secrets.ts";
import type { SharedCache } from "../../platform/shared-cache.ts";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";
import { type ChannelSource, createChannelSource } from "./channel-snapshot.ts";

const MODEL = "gpt-4o-mini";

/** A cache by the test's clock. */
class TestCache implements SharedCache {
  text = "";
  writes = 0;
  isDown = false;
  #untilMs = 0;
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async read() {
    const leftMs = this.#untilMs - this.#nowMs();
    return this.isDown || leftMs <= 0 ? undefined : { text: this.text, leftMs };
  }

  async write(_name: string, text: string, keepMs: number) {
    if (this.isDown) return;
    this.text = text;
    this.writes += 1;
    this.#untilMs = this.#nowMs() + keepMs;
  }

  close() {}
}

describe("channels that servers of one database share through Redis", () => {
  let testApp: TestApp | undefined;
  afterEach(() => testApp?.close());

  async function start() {
    const app = await createTestApp({ environment: { REDIS_URL: "redis://127.0.0.1:1" } });
    testApp = app;
    const { client: root } = await app.logInAs("root");
    const body = { type: 1, key: "sk-upstream", base_url: "https://provider.test", models: MODEL };
    await root.data(createChannel, { body: { ...body, name: "before", status: CHANNEL_STATUS.enabled } });
    await setOptions(app, { CacheChannelEnabled: "true" });
    const cache = new TestCache(() => app.clock.monotonicMs());
    const source = (changes: ChangeFeed = createChangeFeed(), secrets: Secrets = app.deps.secrets): ChannelSource =>
      createChannelSource({
        // What a server does that is not alone on its database.
        database: { ...app.database, kind: "postgres" },
        secrets,
        changes,
        clock: app.clock,
        options: app.deps.options,
        log: app.deps.log,
        cache,
      });
    const rename = (name: string) => app.database.db.updateTable("channels").set({ name }).execute();
    const namesOf = async (from: ChannelSource) =>
      (await from.snapshot()).serving("default", MODEL).map(({ name }) => name);
    return { app, root, cache, source, rename, namesOf };
  }

  it("[OPER-22] [OPER-23] are read from the database once a second, by one of them", async () => {
    const { app, cache, source, rename, namesOf } = await start();
    const [one, two] = [source(), source()];
    assert.deepEqual(await namesOf(one), ["before"]);
    await rename("after");
    app.clock.advanceSeconds(0.6);
    assert.deepEqual(await namesOf(two), ["before"], "what the first has read");
    app.clock.advanceSeconds(0.3);
    assert.deepEqual(await namesOf(two), ["before"]);
    app.clock.advanceSeconds(0.1);
    assert.deepEqual(await namesOf(two), ["after"], "it is no older than a second, whoever has read it");
    assert.deepEqual([await namesOf(one), cache.writes], [["after"], 2]);
  });

  it("show a change at once where it was made, whatever is in the cache", async () => {
    const { source, rename, namesOf } = await start();
    const changes = createChangeFeed();
    const [own, other] = [source(changes), source()];
    await namesOf(own);
    await rename("after");
    changes.announce("channels");
    assert.deepEqual(await namesOf(own), ["after"]);
    assert.deepEqual(await namesOf(other), ["after"], "and from then on to all");
  });

  it("are sealed: nobody learns of them there, and nobody else's are taken", async () => {
    const { app, cache, source, namesOf } = await start();
    await namesOf(source());
    assert.ok(cache.text.length > 100);
    for (const secret of ["sk-upstream", "provider.test", "before", MODEL]) assert.ok(!cache.text.includes(secret));

    const foreign = createSecrets("another master key of enough length");
    const [key] = await app.database.db.selectFrom("channels").select(["key_cipher", "name"]).execute();
    const rows = [{ ...key, name: "evil", base_url: "https://evil.test" }];
    for (const text of [
      foreign.seal("channel-snapshot", JSON.stringify({ writtenMs: app.clock.nowMs(), rows })),
      app.deps.secrets.seal("channel-key", JSON.stringify({ writtenMs: app.clock.nowMs(), rows })),
      app.deps.secrets.seal("channel-snapshot", JSON.stringify({ writtenMs: app.clock.nowMs(), rows })),
      "nonsense",
    ]) {
      cache.text = text;
      assert.deepEqual(await namesOf(source()), ["before"]);
    }
  });

  it("are not taken from somebody who puts an old reading back", async () => {
    const { app, cache, source, rename, namesOf } = await start();
    await namesOf(source());
    const { text } = cache;
    await rename("after");
    app.clock.advanceSeconds(61);
    await cache.write("", text, 1_000);
    assert.deepEqual(await namesOf(source()), ["after"]);
  });

  it("are read from the database where the cache is out of reach, or nobody has switched it on", async () => {
    const { app, cache, source, namesOf } = await start();
    cache.isDown = true;
    assert.deepEqual(await namesOf(source()), ["before"]);
    cache.isDown = false;
    await setOptions(app, { CacheChannelEnabled: "false" });
    assert.deepEqual([await namesOf(source()), cache.writes], [["before"], 0]);
  });
});

describe("the switch of that", () => {
  it("[OPER-22] [OPER-24] is turned where the environment names a server, and else says what to set", async () => {
    const body = { key: "CacheChannelEnabled", value: "true" };
    const without = await createTestApp();
    const refused = await (await without.logInAs("root")).client.send(updateOption, { body });
    assert.deepEqual([refused.envelope?.success, refused.envelope?.code], [false, "option-needs"]);
    assert.match(refused.envelope?.message ?? "", /REDIS_URL/);
    await without.close();

    const named = await createTestApp({ environment: { REDIS_URL: "redis://127.0.0.1:1" } });
    const { client } = await named.logInAs("root");
    assert.equal((await client.send(updateOption, { body })).envelope?.success, true);
    assert.equal(named.deps.options.flag("CacheChannelEnabled"), true);
    await named.close();
  });
});

it("channels are not waited for longer than a reservation where the database says nothing, and asked for again then", async (t) => {
  const app = await createTestApp();
  t.after(() => app.close());
  const answers = Promise.withResolvers<void>();
  const silent: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => answers.promise.then(() => result),
  };
  const { database, deps, clock } = app;
  const parts = { ...deps, clock, cache: undefined, changes: createChangeFeed() };
  const source = createChannelSource({ ...parts, database: { ...database, db: database.db.withPlugin(silent) } }, 50);
  await assert.rejects(async () => source.snapshot(), DatabaseUnavailableError);
  answers.resolve();
  assert.deepEqual((await source.snapshot()).modelsOf("default"), []);
});
