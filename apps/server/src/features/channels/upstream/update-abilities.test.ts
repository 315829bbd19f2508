import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createChannel, updateAbilities, updateChannel } from "@one-api/contract/channel";
import { splitList } from "@one-api/contract/fields";
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

    test("[CALL-43] agrees with the channels though it is rebuilt while they are created and changed", async () => {
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
  });
}
