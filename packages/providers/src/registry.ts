import type { ChannelType } from "@one-api/contract/channel-types";
import { aiProxy } from "./ai-proxy/ai-proxy.ts";
import { aigc2d } from "./aigc2d/aigc2d.ts";
import { api2gpt } from "./api2gpt/api2gpt.ts";
import { azure } from "./azure/azure.ts";
import { closeai } from "./closeai/closeai.ts";
import { deepseek } from "./deepseek/deepseek.ts";
import { doubao } from "./doubao/doubao.ts";
import { openAiCompatible } from "./formats/openai/openai-compatible.ts";
import { minimax } from "./minimax/minimax.ts";
import { modelsOfType } from "./models/models-of-type.ts";
import { novita } from "./novita/novita.ts";
import { openAiBalance } from "./openai/openai-balance.ts";
import { openaiSb } from "./openai-sb/openai-sb.ts";
import { openrouter } from "./openrouter/openrouter.ts";
import type { PendingProvider, Provider } from "./provider.ts";
import { siliconflow } from "./siliconflow/siliconflow.ts";
import { zhipu } from "./zhipu/zhipu.ts";

/** The one list of providers, by channel type. */
export const PROVIDERS: Readonly<Record<ChannelType, Provider | PendingProvider>> = {
  1: openAiCompatible(1, { balance: openAiBalance(1) }),
  2: openAiCompatible(2),
  3: azure,
  4: closeai,
  5: openaiSb,
  6: openAiCompatible(6),
  7: openAiCompatible(7),
  8: openAiCompatible(8, { balance: openAiBalance(8) }),
  9: openAiCompatible(9),
  10: aiProxy,
  11: pending(11),
  12: api2gpt,
  13: aigc2d,
  14: pending(14),
  15: pending(15),
  16: zhipu,
  17: pending(17),
  18: pending(18),
  19: openAiCompatible(19, { endpoints: ["chat-completions", "embeddings"] }),
  20: openrouter,
  21: pending(21),
  22: openAiCompatible(22, { endpoints: ["chat-completions"] }),
  23: pending(23),
  24: pending(24),
  25: openAiCompatible(25, { endpoints: ["chat-completions"] }),
  26: openAiCompatible(26, { endpoints: ["chat-completions", "embeddings"] }),
  27: minimax,
  // Mistral refuses `stream_options.include_usage` and reports usage in every stream.
  28: openAiCompatible(28, { endpoints: ["chat-completions", "embeddings", "moderations"], streamUsage: "always" }),
  // Groq reports usage in every stream, in `x_groq` too.
  29: openAiCompatible(29, { endpoints: ["chat-completions"], streamUsage: "always" }),
  30: pending(30),
  31: openAiCompatible(31, { endpoints: ["chat-completions", "completions"] }),
  32: openAiCompatible(32, { endpoints: ["chat-completions"] }),
  33: pending(33),
  34: pending(34),
  35: pending(35),
  36: deepseek,
  37: pending(37),
  38: pending(38),
  39: openAiCompatible(39, { endpoints: ["chat-completions", "completions", "embeddings"] }),
  40: doubao,
  41: novita,
  42: pending(42),
  43: pending(43),
  44: siliconflow,
  45: openAiCompatible(45, { endpoints: ["chat-completions", "completions", "embeddings"] }),
  46: pending(46),
};

function pending(type: ChannelType): PendingProvider {
  return { type, format: "pending", models: modelsOfType(type) };
}

const byNumber = new Map<number, Provider | PendingProvider>(
  Object.values(PROVIDERS).map((provider) => [provider.type, provider]),
);

/** The provider behind a channel type; undefined for a number that is no channel type. */
export function providerOf(type: number): Provider | PendingProvider | undefined {
  return byNumber.get(type);
}
