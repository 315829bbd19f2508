import {
  CHANNEL_TYPES,
  type ChannelType,
  type ChannelTypeName,
  type KnownChannelType,
} from "@one-api/contract/channels/channel-types";
import type { Provider } from "./provider.ts";
import { aiLs } from "./vendors/ai-ls/vendor.ts";
import { aiProxyKnowledge } from "./vendors/ai-proxy-library/vendor.ts";
import { aiProxy } from "./vendors/ai-proxy/vendor.ts";
import { ai360 } from "./vendors/ai360/vendor.ts";
import { aigc2d } from "./vendors/aigc2d/vendor.ts";
import { anthropic } from "./vendors/anthropic/vendor.ts";
import { api2d } from "./vendors/api2d/vendor.ts";
import { api2Gpt } from "./vendors/api2gpt/vendor.ts";
import { bedrock } from "./vendors/aws/vendor.ts";
import { azure } from "./vendors/azure/vendor.ts";
import { baichuan } from "./vendors/baichuan/vendor.ts";
import { baidu } from "./vendors/baidu/vendor.ts";
import { closeAi } from "./vendors/closeai/vendor.ts";
import { cloudflare } from "./vendors/cloudflare/vendor.ts";
import { cohere } from "./vendors/cohere/vendor.ts";
import { coze } from "./vendors/coze/vendor.ts";
import { custom } from "./vendors/custom/vendor.ts";
import { deepL } from "./vendors/deepl/vendor.ts";
import { deepSeek } from "./vendors/deepseek/vendor.ts";
import { doubao } from "./vendors/doubao/vendor.ts";
import { fastGpt } from "./vendors/fastgpt/vendor.ts";
import { palm } from "./vendors/gemini/palm.ts";
import { gemini } from "./vendors/gemini/vendor.ts";
import { groq } from "./vendors/groq/vendor.ts";
import { hunyuan } from "./vendors/hunyuan/vendor.ts";
import { miniMax } from "./vendors/minimax/vendor.ts";
import { mistral } from "./vendors/mistral/vendor.ts";
import { moonshot } from "./vendors/moonshot/vendor.ts";
import { novita } from "./vendors/novita/vendor.ts";
import { ohMyGpt } from "./vendors/ohmygpt/vendor.ts";
import { ollama } from "./vendors/ollama/vendor.ts";
import { openAiMax } from "./vendors/openai-max/vendor.ts";
import { openAiSb } from "./vendors/openai-sb/vendor.ts";
import { openAi } from "./vendors/openai/vendor.ts";
import { openRouter } from "./vendors/openrouter/vendor.ts";
import { proxy } from "./vendors/proxy/vendor.ts";
import { qwen } from "./vendors/qwen/vendor.ts";
import { replicate } from "./vendors/replicate/vendor.ts";
import { siliconFlow } from "./vendors/siliconflow/vendor.ts";
import { spark } from "./vendors/spark/vendor.ts";
import { stepFun } from "./vendors/stepfun/vendor.ts";
import { together } from "./vendors/together/vendor.ts";
import { vertex } from "./vendors/vertex/vendor.ts";
import { xAi } from "./vendors/xai/vendor.ts";
import { yi } from "./vendors/yi/vendor.ts";
import { zhipu } from "./vendors/zhipu/vendor.ts";

const VENDORS: Readonly<Record<ChannelTypeName, (type: ChannelType) => Provider>> = {
  openai: openAi,
  api2d,
  azure,
  closeai: closeAi,
  "openai-sb": openAiSb,
  "openai-max": openAiMax,
  ohmygpt: ohMyGpt,
  custom,
  "ai-ls": aiLs,
  "ai-proxy": aiProxy,
  palm,
  api2gpt: api2Gpt,
  aigc2d,
  anthropic,
  baidu,
  zhipu,
  qwen,
  spark,
  ai360,
  openrouter: openRouter,
  "ai-proxy-library": aiProxyKnowledge,
  fastgpt: fastGpt,
  hunyuan,
  gemini,
  moonshot,
  baichuan,
  minimax: miniMax,
  mistral,
  groq,
  ollama,
  yi,
  stepfun: stepFun,
  aws: bedrock,
  coze,
  cohere,
  deepseek: deepSeek,
  cloudflare,
  deepl: deepL,
  together,
  doubao,
  novita,
  vertex,
  proxy,
  siliconflow: siliconFlow,
  xai: xAi,
  replicate,
};

function toProvider({ type, name }: KnownChannelType): Provider {
  return VENDORS[name](type);
}

export const PROVIDERS: ReadonlyMap<number, Provider> = new Map(
  CHANNEL_TYPES.map((info) => [info.type, toProvider(info)]),
);

export function providerOf(type: number): Provider | undefined {
  return PROVIDERS.get(type);
}

export function labelsOf(isSuch: (provider: Provider) => boolean): string {
  const labels = CHANNEL_TYPES.filter((info) => isSuch(toProvider(info))).map(({ label }) => label);
  return new Intl.ListFormat("en", { type: "disjunction" }).format(labels);
}
