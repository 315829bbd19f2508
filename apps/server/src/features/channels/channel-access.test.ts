import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as calls from "@one-api/contract/channels/channel";
import * as testCalls from "@one-api/contract/channels/channel-tests";
import * as bulk from "@one-api/contract/channels/channel-bulk";
import * as decisions from "@one-api/contract/channels/channel-decision";
import { updateChannelKeyBalance } from "@one-api/contract/channels/channel-keys";
import { askChannelModels } from "@one-api/contract/channels/channel-models";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import type { TestClient } from "../../testing/test-client.ts";
import { type ChannelTestApp, createChannelTestApp } from "./testing/create-channel-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`access to channels on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    before(async () => {
      app = await createChannelTestApp(kind);
    });
    after(() => app.close());

    async function storedRows() {
      const { db } = app.testApp.database;
      return [
        await db.selectFrom("channels").select(["id", "name", "status", "test_time", "balance_updated_time"]).execute(),
        await db.selectFrom("audit").select(["action", "object"]).execute(),
        await db.selectFrom("logs").select("id").execute(),
      ];
    }

    test("[ROLE-08] every changing call is refused to users and anonymous clients, and leaves no trace", async () => {
      const id = await app.addChannel(await app.clientAs("admin"));
      const body = { type: 1, name: "intruder", key: "sk-intruder-1", models: "m" };
      const changing: readonly ((client: TestClient) => Promise<{ readonly status: number }>)[] = [
        (client) => client.send(calls.createChannel, { body }),
        (client) => client.send(calls.updateChannel, { body: { id, status: 2 } }),
        (client) => client.send(calls.deleteChannel, { params: { id } }),
        (client) => client.send(calls.deleteDisabledChannels),
        (client) => client.send(testCalls.testChannel, { params: { id } }),
        (client) => client.send(testCalls.testChannels),
        (client) => client.send(testCalls.stopChannelTests),
        (client) => client.send(calls.updateChannelBalance, { params: { id } }),
        (client) => client.send(calls.updateChannelBalances),
        (client) => client.send(updateChannelKeyBalance, { params: { id, key: 1 } }),
        (client) => client.send(calls.updateAbilities),
        (client) => client.send(bulk.changeChannels, { body: { changes: [{ ids: [id], set: { status: 2 } }] } }),
        (client) => client.send(bulk.deleteChannels, { body: { ids: [id] } }),
        (client) => client.send(decisions.wakeChannel, { params: { id } }),
        (client) => client.send(decisions.undoChannelDecision, { params: { id, decision: 1 } }),
        (client) => client.send(askChannelModels, { body: { type: 1, key: "sk-1" } }),
        (client) => client.send(bulk.testSelectedChannels, { body: { ids: [id] } }),
        (client) => client.send(bulk.copyChannel, { params: { id } }),
      ];
      const [user, visitor] = [await app.clientAs("user"), app.testApp.client()];
      const stored = await storedRows();
      for (const call of changing) {
        assert.equal((await call(user)).status, 403);
        assert.equal((await call(visitor)).status, 401);
      }
      assert.deepEqual(await storedRows(), stored);
    });
  });
}
