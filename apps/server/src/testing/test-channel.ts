import type { ChannelForRelay } from "../features/channels/index.ts";

export const TEST_MODEL = "gpt-4o";

export function testChannel(id: number, priority = 0, weight = 1): ChannelForRelay {
  return {
    id,
    priority,
    weight,
    type: 1,
    name: `channel ${id}`,
    status: 1,
    systemPrompt: "",
    calcPrompt: true,
    testModel: "",
    models: new Set([TEST_MODEL]),
    groups: ["default"],
    modelMapping: new Map(),
    costs: {},
    softLimitUsd: 0,
    usedQuota: 0,
    dormantUntil: 0,
    hinted: false,
    proxy: "",
    overrides: undefined,
    dialectUrls: undefined,
    keys: undefined,
    keyInUse: undefined,
    deadlines: undefined,
    connection: { baseUrl: "", key: "sk-x", organization: "", other: "", config: {} },
  };
}
