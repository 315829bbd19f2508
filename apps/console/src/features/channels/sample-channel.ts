import type { Channel } from "@one-api/contract/channels/channel";

export function sampleChannel(changes: Partial<Channel> = {}): Channel {
  return {
    id: 7,
    type: 1,
    name: "Main",
    key: "",
    status: 1,
    base_url: "",
    other: "",
    models: "gpt-4o,gpt-4o-mini",
    group: "default",
    model_mapping: "",
    costs: "",
    system_prompt: "",
    organization: "",
    soft_limit_usd: 0,
    calc_prompt: true,
    config: "",
    priority: 3,
    weight: 0,
    tags: "",
    created_time: 1_700_000_000,
    test_time: 0,
    response_time: 0,
    balance: 12.5,
    balance_updated_time: 0,
    awake_time: 0,
    used_quota: 0,
    sleeping_models: [],
    ...changes,
  };
}
