import assert from "node:assert/strict";
import { it } from "node:test";
import { openAiChat } from "@one-api/providers/formats/openai-chat/openai-chat";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import { createTestApp } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";
import { createRoutePlans } from "./route-plans.ts";

const MODEL = "gpt-4o";

const channel: ChannelForRelay = {
  id: 1,
  priority: 0,
  weight: 1,
  type: 1,
  name: "one",
  status: 1,
  systemPrompt: "",
  calcPrompt: true,
  models: new Set([MODEL]),
  groups: ["default"],
  modelMapping: new Map(),
  costs: {},
  softLimitUsd: 0,
  usedQuota: 0,
  awakeTime: 0,
  hinted: false,
  connection: { baseUrl: "", key: "sk-x", organization: "", other: "", config: {} },
};

it("keeps a plan until options change, also where the channels are not read again", async (context) => {
  const testApp = await createTestApp();
  context.after(() => testApp.close());
  const snapshot = {
    serves: () => true,
    servingOthers: () => [],
    channelsOf: () => [channel],
    serving: () => [channel],
    modelsOf: () => [MODEL],
  };
  const plans = createRoutePlans({
    channels: { snapshot: () => snapshot },
    loadChannel: async () => channel,
    options: testApp.deps.options,
    database: testApp.database.db,
  });
  const ask = { model: MODEL, endpoint: "chat-completions", needsOwnFormat: false, format: openAiChat() } as const;
  const plan = async () => plans.find(["default"], ask);
  const first = await plan();
  assert.equal(await plan(), first);
  await setOptions(testApp, { ModelRatio: JSON.stringify({ [MODEL]: 7 }) });
  const second = await plan();
  assert.deepEqual([first.routes[0]?.price.modelRatio, second.routes[0]?.price.modelRatio], [1.25, 7]);
});
