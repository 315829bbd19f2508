import type { CreateChannelInput } from "@one-api/contract/channels/channel-input";

/** Channels of the demo. `upstreams` are addresses of stub servers, whose paths begin with the vendor. */
export function sampleChannels(upstreams: readonly string[]): CreateChannelInput[] {
  const [first = "", second = first, third = first] = upstreams;
  return [
    {
      type: 1,
      name: "OpenAI main",
      key: "sk-demo-1",
      base_url: `${first}/openai`,
      models: "gpt-4o-mini,gpt-4o,gpt-4.1-mini,text-embedding-3-small",
      group: "default,vip",
      priority: 10,
      weight: 3,
    },
    {
      type: 1,
      name: "OpenAI spare",
      key: "sk-demo-2",
      base_url: `${second}/openai`,
      models: "gpt-4o-mini,gpt-4o,text-embedding-3-small",
      costs: '{"*": {"factor": 0.7}}',
      group: "default,vip",
      priority: 10,
      weight: 1,
    },
    {
      type: 36,
      name: "DeepSeek",
      key: "sk-demo-3",
      base_url: `${third}/deepseek`,
      models: "deepseek-chat,deepseek-reasoner",
      group: "default,vip",
      priority: 5,
    },
    {
      type: 28,
      name: "Mistral",
      key: "sk-demo-4",
      base_url: `${third}/mistral`,
      models: "mistral-small-latest,mistral-large-latest",
      group: "vip",
    },
    {
      type: 29,
      name: "Groq in reserve",
      key: "sk-demo-5",
      base_url: `${second}/groq`,
      models: "llama-3.1-8b-instant",
      group: "default",
      status: 5,
    },
  ];
}
