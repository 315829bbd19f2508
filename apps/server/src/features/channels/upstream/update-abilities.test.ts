import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createChannel, getChannel, updateAbilities, updateChannel } from "@one-api/contract/channel";
import { splitList } from "@one-api/contract/fields";
import { LOG_TYPE } from "@one-api/contract/log";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import type { TestClient } from "../../../testing/test-client.ts";
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

    test("[CALL-43] [OPER-52] agrees with the channels though it is rebuilt while they are created and changed", async () => {
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

    test("[OPER-53] each provider is asked for its models; what it does not list is told, nothing is changed", async () => {
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
  });
}
