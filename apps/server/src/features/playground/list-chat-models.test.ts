import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createChannel } from "@one-api/contract/channels/channel";
import { listChatModels } from "@one-api/contract/playground";
import { createToken } from "@one-api/contract/token";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";

describe("the models of the playground", () => {
  let testApp: TestApp;
  let mia: TestLogin;
  before(async () => {
    testApp = await createTestApp();
    const { client: root } = await testApp.logInAs("root");
    const channel = { type: 1, key: "sk-x", base_url: "http://127.0.0.1:9" };
    const models = "gpt-4o,gpt-5,text-embedding-3-small,house-model";
    await root.data(createChannel, { body: { ...channel, name: "ours", models } });
    await root.data(createChannel, { body: { ...channel, name: "theirs", models: "gpt-4.1", group: "vip" } });
    await root.data(createChannel, { body: { ...channel, name: "off", models: "o3", status: 2 } });
    mia = await testApp.logInAs("user");
  });
  after(() => testApp.close());

  const modelsOf = async (body: object) => {
    const { id } = await mia.client.data(createToken, { body: { name: "t", ...body } });
    return mia.client.data(listChatModels, { query: { token: id } });
  };

  test("are the chat models of the user's group, with their parameters", async () => {
    const models = await modelsOf({});
    assert.deepEqual(
      models.map(({ model }) => model),
      ["gpt-4o", "gpt-5", "house-model"],
    );
    const [gpt4o, gpt5, house] = models;
    assert.deepEqual([gpt4o?.max_output_tokens, house?.max_output_tokens], [16_384, null]);
    assert.equal(gpt4o?.parameters.includes("temperature"), true);
    assert.equal(gpt5?.parameters.includes("temperature"), false);
    assert.equal(gpt5?.parameters.includes("reasoning_effort"), true);
  });

  test("are limited to the token's models", async () => {
    const models = await modelsOf({ models: "gpt-5,gpt-4.1" });
    assert.deepEqual(
      models.map(({ model }) => model),
      ["gpt-5"],
    );
  });

  test("are not listed for another user's token", async () => {
    const { id } = await mia.client.data(createToken, { body: { name: "mine" } });
    const { client: root } = await testApp.logInAs("root");
    await assert.rejects(root.data(listChatModels, { query: { token: id } }), /no such token/);
  });
});
