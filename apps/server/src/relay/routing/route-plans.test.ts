import assert from "node:assert/strict";
import { it } from "node:test";
import { openAiChat } from "@one-api/providers/protocols/openai-chat/openai-chat";
import { createTestApp } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";
import { TEST_MODEL, testChannel } from "../../testing/test-channel.ts";
import { createRoutePlans } from "./route-plans.ts";

const channel = testChannel(1);

it("keeps a plan until options change, also where the channels are not read again", async (context) => {
  const testApp = await createTestApp();
  context.after(() => testApp.close());
  const snapshot = {
    serves: () => true,
    servingOthers: () => [],
    channelsOf: () => [channel],
    serving: () => [channel],
    modelsOf: () => [TEST_MODEL],
  };
  const plans = createRoutePlans({
    channels: { snapshot: () => snapshot },
    loadChannel: async () => channel,
    options: testApp.deps.options,
    providerSwitches: () => ({ geminiNative: true, geminiUpload: true }),
    clock: testApp.clock,
    database: testApp.database.db,
  });
  const ask = {
    model: TEST_MODEL,
    endpoint: "chat-completions",
    needsOwnFormat: false,
    toolReasoning: "none",
    format: openAiChat(),
    priceFactorOf: () => 1,
    tier: undefined,
  } as const;
  const plan = async () => plans.find({ groups: ["default"], groupFailover: false }, ask);
  const first = await plan();
  assert.equal(await plan(), first);
  await setOptions(testApp, { ModelRatio: JSON.stringify({ [TEST_MODEL]: 7 }) });
  const second = await plan();
  assert.deepEqual([first.routes[0]?.price.modelRatio, second.routes[0]?.price.modelRatio], [1.25, 7]);
});
