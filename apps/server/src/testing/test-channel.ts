import type { ChannelForRelay } from "../features/channels/index.ts";

/** The model that a test channel serves. */
export const TEST_MODEL = "gpt-4o";

/** An enabled channel of type 1 as the relay sees it. */
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
    models: new Set([TEST_MODEL]),
    groups: ["default"],
    modelMapping: new Map(),
    costs: {},
    softLimitUsd: 0,
    usedQuota: 0,
    dormantUntil: 0,
    hinted: false,
    connection: { baseUrl: "", key: "sk-x", organization: "", other: "", config: {} },
  };
}
