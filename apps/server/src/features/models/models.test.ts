import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createChannel } from "@one-api/contract/channels/channel";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import { listAllModels, listModelsOfTypes } from "@one-api/contract/prices/model";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import type { FastifyInstance } from "fastify";
import { buildApp } from "../../app.ts";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import type { TestRole } from "../../testing/create-test-user.ts";
import { modelCatalogue } from "../../provider-facts.ts";
import { createTestClient } from "../../testing/test-client.ts";
import { registerModelCalls } from "./index.ts";

for (const kind of DATABASE_KINDS) {
  describe(`the models on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let app: FastifyInstance;
    before(async () => {
      testApp = await createTestApp({ kind });
      app = buildApp({ ...testApp.deps, registerCalls: (registry) => registerModelCalls(registry, modelCatalogue) });
      await app.ready();
      const { client } = await testApp.logInAs("admin");
      const moon = { type: 25, name: "moon", key: "sk-moon-secret", models: "kimi-latest,home-grown" };
      await client.data(createChannel, { body: moon });
      await client.data(createChannel, { body: { ...moon, name: "vip", models: "kimi-for-vip", group: "vip" } });
      await client.data(createChannel, { body: { ...moon, name: "off", models: "kimi-off", status: 2 } });
      await client.data(createChannel, { body: { ...moon, type: 1, name: "open", models: "home-grown,gpt-4o" } });
    });
    after(async () => {
      await app.close();
      await testApp.close();
    });

    async function clientAs(role: TestRole) {
      const sessionId = (await testApp.logInAs(role)).client.sessionId();
      return createTestClient(app, sessionId === undefined ? {} : { sessionId });
    }

    test("[CALL-12] [CHFORM-19] administrators get each type's own list", async () => {
      const models = await (await clientAs("admin")).data(listModelsOfTypes);
      assert.deepEqual(
        Object.keys(models).map(Number),
        CHANNEL_TYPES.map(({ type }) => type),
      );
      assert.ok(models["1"]?.includes("gpt-4o"));
      for (const [type, list] of Object.entries(models)) {
        assert.equal(new Set(list).size, list.length);
        assert.ok(!list.includes("home-grown"), `type ${type} offers what another channel serves`);
      }
    });

    test("[CALL-12] users get what the enabled channels of each type serve to their groups", async () => {
      const models = await (await clientAs("user")).data(listModelsOfTypes);
      assert.deepEqual(models, { 1: ["gpt-4o", "home-grown"], 25: ["home-grown", "kimi-latest"] });
      assert.equal((await createTestClient(app).send(listModelsOfTypes)).status, 401);
    });

    test("[CALL-57] [CHFORM-21] lists all models once, with owner, list prices and enabled channels", async () => {
      const models = await (await clientAs("admin")).data(listAllModels);
      assert.equal(new Set(models.map(({ id }) => id)).size, models.length);
      const byId = new Map(models.map((model) => [model.id, model]));
      assert.equal(byId.get("gpt-4o")?.owned_by, "OpenAI");
      assert.deepEqual([byId.get("gpt-4o")?.input_price, byId.get("gpt-4o")?.output_price], [2.5, 10]);
      assert.deepEqual([byId.get("home-grown")?.channels, byId.get("kimi-off")?.channels], [2, 0]);
      assert.deepEqual([byId.get("home-grown")?.owned_by, byId.get("home-grown")?.output_price], ["custom", null]);
      assert.equal((await (await clientAs("user")).send(listAllModels)).status, 403);
    });
  });
}
