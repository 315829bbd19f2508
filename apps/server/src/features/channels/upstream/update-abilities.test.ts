import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createChannel, getChannel, updateAbilities, updateChannel } from "@one-api/contract/channels/channel";
import { splitList } from "@one-api/contract/texts";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { askChannelModels } from "@one-api/contract/channels/channel-models";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { inTransaction } from "../../../core/transaction.ts";
import type { TestClient } from "../../../testing/test-client.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { type ChannelTestApp, createChannelTestApp } from "../testing/create-channel-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`the model index on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    let admin: TestClient;
    before(async () => {
      app = await createChannelTestApp(kind);
      admin = await app.clientAs("admin");
    });
    after(() => app.close());

    async function indexRows(): Promise<string[]> {
      const { db } = app.testApp.database;
      const rows = await db.selectFrom("channel_models").select(["channel_id", "group", "model"]).execute();
      return rows.map((row) => `${row.channel_id} ${row.group} ${row.model}`).sort();
    }

    async function rowsOfChannels(): Promise<string[]> {
      const channels = await app.testApp.database.db.selectFrom("channels").select(["id", "group", "models"]).execute();
      const rowsOf = ({ id, group, models }: (typeof channels)[number]) =>
        splitList(group).flatMap((name) => splitList(models).map((model) => `${id} ${name} ${model}`));
      return channels.flatMap(rowsOf).sort();
    }

    test("[CALL-43] [OPER-52] matches the channels although it is rebuilt during changes", async () => {
      const id = await app.addChannel(admin);
      const body = { type: 1, name: "meanwhile", key: "sk-meanwhile-1", models: "m1,m2" };
      for (let round = 0; round < 10; round += 1) {
        const answers = await Promise.all([
          admin.send(updateAbilities),
          admin.send(updateChannel, { body: { id, models: `a${round},b,c`, group: "default,vip" } }),
          admin.send(createChannel, { body }),
          admin.send(updateChannel, { body: { id, models: `b,d${round}` } }),
          admin.send(updateAbilities),
        ]);
        for (const { envelope, text } of answers) assert.equal(envelope?.success, true, text);
        assert.deepEqual(await indexRows(), await rowsOfChannels());
      }
    });

    test(
      "takes the channels by their ids, so that it never waits for who waits for it",
      { skip: kind !== "postgres" },
      async () => {
        const { database } = app.testApp;
        const rows = sql<{ id: number }>`select id from channels order by ctid`;
        /** Two rows in reverse order, as after updates. */
        async function findPair(): Promise<readonly [lower: number, higher: number] | undefined> {
          const ids = (await rows.execute(database.db)).rows.map(({ id }) => id);
          return ids.flatMap((id, place) => ids.slice(place + 1).map((later) => [later, id] as const)).find(isByIds);
        }
        const isByIds = ([lower, higher]: readonly [number, number]) => lower < higher;
        const id = await app.addChannel(admin);
        await app.addChannel(admin);
        for (let change = 0; change < 100 && (await findPair()) === undefined; change += 1)
          await admin.data(updateChannel, { body: { id, models: `changed-${change}` } });
        const [lower, higher] = (await findPair()) ?? assert.fail("every channel lies where its id is");
        const waiting = sql<{ count: number }>`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        const rebuilt = await inTransaction(database, async (transaction) => {
          const take = (taken: number) =>
            transaction.updateTable("channels").set({ priority: 1 }).where("id", "=", taken).execute();
          await take(lower);
          const answer = admin.send(updateAbilities);
          await waitUntil(async () => (await waiting.execute(database.db)).rows[0]?.count === 1);
          await take(higher);
          return { answer };
        });
        const { envelope, text } = await rebuilt.answer;
        assert.equal(envelope?.success, true, text);
      },
    );

    test("[OPER-53] each provider's models are requested; missing ones are reported, nothing is changed", async () => {
      const told = await app.addChannel(admin, {
        type: 36,
        name: "told",
        key: "sk-told-key-1",
        models: "here,gone,alias",
        model_mapping: '{"alias":"gone-too"}',
      });
      const broken = await app.addChannel(admin, { type: 44, name: "broken", models: "m" });
      const empty = await app.addChannel(admin, { type: 40, name: "empty", models: "m" });
      const unasked = await admin.data(getChannel, { params: { id: told } });
      assert.equal(unasked.provider_models, undefined);
      app.around.modelLists.set(36, async ({ key }) => {
        assert.equal(key, "sk-told-key-1");
        return ["here", "new-model", "new-model"];
      });
      app.around.modelLists.set(44, async () => {
        throw new Error("sk-default-key-1 is no good");
      });
      app.around.modelLists.set(40, async () => []);
      const summary = await admin.data(updateAbilities);
      assert.deepEqual([summary.listed, summary.failed], [1, 2]);
      assert.deepEqual(summary.unlisted, [{ id: told, name: "told", models: ["gone", "gone-too"] }]);
      const asked = await admin.data(getChannel, { params: { id: told } });
      assert.deepEqual([asked.models, asked.provider_models], ["here,gone,alias", ["here", "new-model"]]);
      for (const id of [broken, empty]) {
        assert.equal((await admin.data(getChannel, { params: { id } })).provider_models, undefined);
      }
      const log = await app.testApp.database.db
        .selectFrom("logs")
        .select(["content", "type"])
        .orderBy("id", "desc")
        .executeTakeFirstOrThrow();
      assert.equal(log.type, LOG_TYPE.management);
      assert.match(
        log.content,
        /1 providers listed .* 2 did not answer\. The provider of told \(\d+\) does not list gone, gone-too\./,
      );
      assert.ok(!(await app.everythingStored()).includes("sk-default-key-1"));
      app.around.modelLists.set(36, async () => {
        throw new Error("away");
      });
      await admin.data(updateAbilities);
      const kept = await admin.data(getChannel, { params: { id: told } });
      assert.deepEqual(kept.provider_models, ["here", "new-model"], "what was known stays");
    });

    test("models are fetched at the address of a dialect where the main address has none", async () => {
      const asked: string[] = [];
      app.around.modelLists.set(36, async ({ baseUrl }) => {
        // Another channel of the type has no address of its own.
        if (baseUrl !== "") asked.push(baseUrl);
        throw new Error("no list here");
      });
      app.around.modelLists.set(14, async ({ baseUrl, key }) => {
        asked.push(`${key} ${baseUrl}`);
        return ["claude"];
      });
      const dialect_urls = '{"anthropic":"https://stored.example/anthropic"}';
      const stored = { type: 36, base_url: "https://stored.example", key: "sk-stored-key-2", dialect_urls };
      const id = await app.addChannel(admin, stored);
      await admin.data(updateAbilities);
      assert.deepEqual((await admin.data(getChannel, { params: { id } })).provider_models, ["claude"]);
      const expected = ["https://stored.example", "sk-stored-key-2 https://stored.example/anthropic"];
      assert.deepEqual(asked.splice(0), expected);
      const ask = (more: object) =>
        admin.send(askChannelModels, {
          body: { id, type: 36, base_url: "https://stored.example", dialect_urls, ...more },
        });
      assert.equal((await ask({})).status, 200);
      assert.deepEqual(asked.splice(0), expected);
      const evil = await ask({ dialect_urls: '{"anthropic":"https://evil.example"}' });
      assert.equal(evil.envelope?.code, "channel-key-for-new-address");
      const metadata = await ask({ dialect_urls: '{"anthropic":"http://169.254.169.254"}', key: "sk-1" });
      assert.equal(metadata.envelope?.code, "channel-base-url-metadata");
      app.around.modelLists.delete(14);
      assert.equal((await ask({})).envelope?.message, "no list here");
      assert.deepEqual(asked, ["https://stored.example"]);
    });

    test("a form gets its provider's models before it is saved; a stored key is sent nowhere else", async () => {
      const seen: { key: string; baseUrl: string; config: unknown }[] = [];
      app.around.modelLists.set(36, async ({ key, baseUrl, config }) => {
        seen.push({ key, baseUrl, config });
        return ["one", "two", "one"];
      });
      const ask = (body: Record<string, unknown>) => admin.send(askChannelModels, { body: { type: 36, ...body } });
      const typed = await admin.data(askChannelModels, {
        body: { type: 36, key: "sk-typed-key-1\nsk-second-line-1", base_url: "https://typed.example/" },
      });
      assert.deepEqual(typed.models, ["one", "two"]);
      assert.deepEqual(seen.pop(), { key: "sk-typed-key-1", baseUrl: "https://typed.example", config: {} });
      assert.equal((await ask({})).status, 400, "a new channel has no key to ask with");

      const stored = { type: 36, base_url: "https://stored.example", key: "sk-stored-key-1" };
      const id = await app.addChannel(admin, { ...stored, config: '{"my_token":"stored-token-1"}' });
      await ask({ id, base_url: "https://stored.example", config: '{"my_token":""}' });
      assert.deepEqual(seen.pop(), {
        key: "sk-stored-key-1",
        baseUrl: "https://stored.example",
        config: { my_token: "stored-token-1" },
      });
      const elsewhere = await ask({ id, base_url: "https://evil.example" });
      assert.equal(elsewhere.envelope?.code, "channel-key-for-new-address");
      await ask({ id, base_url: "https://evil.example", key: "sk-own-key-1" });
      assert.deepEqual(seen.pop(), { key: "sk-own-key-1", baseUrl: "https://evil.example", config: {} });
      app.around.modelLists.set(40, async () => ["one"]);
      const other = await ask({ id, type: 40, base_url: "https://stored.example" });
      assert.equal(other.envelope?.code, "channel-key-for-new-type");
      const metadata = await ask({ key: "sk-1", base_url: "http://169.254.169.254" });
      assert.equal(metadata.envelope?.code, "channel-base-url-metadata");
      assert.equal((await ask({ type: 8, key: "sk-1" })).envelope?.code, "channel-models-not-offered");
      assert.equal((await ask({ id: 999_999 })).envelope?.code, "channel-not-found");
      assert.deepEqual(seen, []);

      app.around.modelLists.set(36, async ({ key }) => {
        throw new Error(`${key} is no good`);
      });
      const failed = await ask({ key: "sk-typed-key-2" });
      assert.deepEqual([failed.envelope?.code, failed.envelope?.message], ["channel-models-failed", "*** is no good"]);
      assert.ok(!(await app.everythingStored()).includes("sk-typed-key"));
      assert.equal((await admin.data(getChannel, { params: { id } })).provider_models, undefined);
    });
  });
}
