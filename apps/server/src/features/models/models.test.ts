import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createChannel } from "@one-api/contract/channel";
import { CHANNEL_TYPES } from "@one-api/contract/channel-types";
import { listAllModels, listModelsOfTypes } from "@one-api/contract/model";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { defaultPrice } from "@one-api/providers/prices/default-price";
import { PROVIDERS } from "@one-api/providers/registry";
import type { FastifyInstance } from "fastify";
import { buildApp } from "../../app.ts";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import type { TestRole } from "../../testing/create-test-user.ts";
import { createTestClient } from "../../testing/test-client.ts";
import { type ModelCatalogue, registerModelCalls } from "./index.ts";

const catalogue: ModelCatalogue = {
  modelsOfType: (type) => PROVIDERS[type].models,
  outputPrice: (model, type) => {
    const price = defaultPrice(model, type);
    return price === undefined ? undefined : Number(price.output);
  },
};

for (const kind of DATABASE_KINDS) {
  describe(`the models on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let app: FastifyInstance;
    before(async () => {
      testApp = await createTestApp({ kind });
      app = buildApp({ ...testApp.deps, registerCalls: (registry) => registerModelCalls(registry, catalogue) });
      await app.ready();
      const { client } = await testApp.logInAs("admin");
      const body = { type: 25, name: "moon", key: "sk-moon-secret", models: "kimi-latest,home-grown" };
      await client.data(createChannel, { body });
    });
    after(async () => {
      await app.close();
      await testApp.close();
    });

    async function clientAs(role: TestRole) {
      const sessionId = (await testApp.logInAs(role)).client.sessionId();
      return createTestClient(app, sessionId === undefined ? {} : { sessionId });
    }

    test("[CALL-12] every type has its list, with what stored channels of the type serve besides", async () => {
      const models = await (await clientAs("user")).data(listModelsOfTypes);
      assert.deepEqual(
        Object.keys(models).map(Number),
        CHANNEL_TYPES.map(({ type }) => type),
      );
      assert.ok(models["1"]?.includes("gpt-4o"));
      assert.ok(models["25"]?.includes("home-grown"));
      assert.ok(!models["1"]?.includes("home-grown"));
      for (const list of Object.values(models)) assert.equal(new Set(list).size, list.length);
      assert.equal((await createTestClient(app).send(listModelsOfTypes)).status, 401);
    });

    test("[CALL-57] [CHFORM-21] all models stand once, with owner and output price", async () => {
      const models = await (await clientAs("admin")).data(listAllModels);
      assert.equal(new Set(models.map(({ id }) => id)).size, models.length);
      const byId = new Map(models.map((model) => [model.id, model]));
      assert.equal(byId.get("gpt-4o")?.owned_by, "OpenAI");
      assert.equal(byId.get("gpt-4o")?.output_price, 10);
      assert.deepEqual([byId.get("home-grown")?.owned_by, byId.get("home-grown")?.output_price], ["custom", null]);
      assert.equal((await (await clientAs("user")).send(listAllModels)).status, 403);
    });
  });
}
