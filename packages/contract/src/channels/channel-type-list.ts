import { AWS_KEY, type KeyForm, olderKey, VERTEX_KEY } from "./channel-key.ts";

/** All facts about a channel type. Server, console and providers derive the rest from it. */
export interface ChannelTypeInfo {
  /** One API's number. */
  readonly type: number;
  /** Name in code. */
  readonly name: string;
  readonly label: string;
  /** Chinese name, if it differs. */
  readonly labelZh?: string;
  /** A palette colour of the console. */
  readonly colour: string;
  /** Logo among the static icons; empty for none. */
  readonly logo: string;
  /** Default address of requests; empty if the channel must name one, or if a region decides. */
  readonly baseUrl: string;
  /** Address for keys of several parts, at providers whose older API takes these. */
  readonly olderBaseUrl?: string;
  readonly needsBaseUrl?: true;
  /** Passthrough of any path: a channel needs no models. */
  readonly needsNoModels?: true;
  /** Models are deployments at the address, named like the models. */
  readonly deployments?: true;
  /** Required besides key and address, in the order in which errors name them. */
  readonly needs?: readonly ("account-id" | "project" | "region" | "known-region" | "knowledge-base")[];
  /** Form of the provider's regions; absent where it has none. */
  readonly regions?: RegExp;
  /** Every path names the region, also at a channel's own address. */
  readonly regionInPath?: true;
  /** Absent if the key is one plain secret. */
  readonly key?: KeyForm;
  /** Meaning of the field `other`; absent if it has none. */
  readonly other?: "api-version" | "model-version" | "plugin" | "knowledge-base";
  /** Value of an empty `other`. */
  readonly otherDefault?: string;
  /** Meaning of `config.user_id`. */
  readonly userId?: "account" | "user";
  /** A note in the form of a new channel. */
  readonly hint?: "coze" | "deepl" | "palm";
  /** Unit of the balance that the provider reports; absent if it reports none. */
  readonly balance?: "dollar" | "yuan" | "ten-thousandth" | "quota";
  /** Resells other providers' models through OpenAI's format. */
  readonly reseller?: true;
}

export const CHANNEL_TYPE_LIST = [
  {
    type: 1,
    name: "openai",
    label: "OpenAI",
    colour: "green",
    logo: "openai",
    baseUrl: "https://api.openai.com",
    balance: "dollar",
  },
  { type: 2, name: "api2d", label: "API2D", colour: "cyan", logo: "", baseUrl: "https://oa.api2d.net", reseller: true },
  {
    type: 3,
    name: "azure",
    label: "Azure OpenAI",
    colour: "blue",
    logo: "azure-color",
    baseUrl: "",
    other: "api-version",
    needsBaseUrl: true,
    deployments: true,
    otherDefault: "2024-03-01-preview",
  },
  {
    type: 4,
    name: "closeai",
    label: "CloseAI",
    colour: "grape",
    logo: "",
    baseUrl: "https://api.closeai-proxy.xyz",
    balance: "yuan",
    reseller: true,
  },
  {
    type: 5,
    name: "openai-sb",
    label: "OpenAI-SB",
    colour: "pink",
    logo: "",
    baseUrl: "https://api.openai-sb.com",
    balance: "ten-thousandth",
    reseller: true,
  },
  {
    type: 6,
    name: "openai-max",
    label: "OpenAI Max",
    colour: "violet",
    logo: "",
    baseUrl: "https://api.openaimax.com",
    reseller: true,
  },
  {
    type: 7,
    name: "ohmygpt",
    label: "OhMyGPT",
    colour: "violet",
    logo: "",
    baseUrl: "https://api.ohmygpt.com",
    reseller: true,
  },
  {
    type: 8,
    name: "custom",
    label: "Custom",
    labelZh: "自定义渠道",
    colour: "gray",
    logo: "",
    baseUrl: "",
    balance: "dollar",
    needsBaseUrl: true,
  },
  {
    type: 9,
    name: "ai-ls",
    label: "AI.LS",
    colour: "yellow",
    logo: "",
    baseUrl: "https://api.caipacity.com",
    reseller: true,
  },
  {
    type: 10,
    name: "ai-proxy",
    label: "AI Proxy",
    colour: "indigo",
    logo: "",
    baseUrl: "https://api.aiproxy.io",
    balance: "quota",
    reseller: true,
  },
  {
    type: 11,
    name: "palm",
    label: "Google PaLM2",
    colour: "orange",
    logo: "palm-color",
    baseUrl: "https://generativelanguage.googleapis.com",
    hint: "palm",
  },
  {
    type: 12,
    name: "api2gpt",
    label: "API2GPT",
    colour: "blue",
    logo: "",
    baseUrl: "https://api.api2gpt.com",
    balance: "yuan",
    reseller: true,
  },
  {
    type: 13,
    name: "aigc2d",
    label: "AIGC2D",
    colour: "grape",
    logo: "",
    baseUrl: "https://api.aigc2d.com",
    balance: "quota",
    reseller: true,
  },
  {
    type: 14,
    name: "anthropic",
    label: "Anthropic Claude",
    colour: "orange",
    logo: "claude-color",
    baseUrl: "https://api.anthropic.com",
  },
  {
    type: 15,
    name: "baidu",
    label: "Baidu",
    labelZh: "百度文心千帆",
    colour: "blue",
    logo: "wenxin-color",
    baseUrl: "https://qianfan.baidubce.com",
    olderBaseUrl: "https://aip.baidubce.com",
    key: olderKey("APIKey", "SecretKey"),
  },
  {
    type: 16,
    name: "zhipu",
    label: "Zhipu ChatGLM",
    labelZh: "智谱 ChatGLM",
    colour: "violet",
    logo: "zhipu-color",
    baseUrl: "https://open.bigmodel.cn",
  },
  {
    type: 17,
    name: "qwen",
    label: "Alibaba Qwen",
    labelZh: "阿里通义千问",
    colour: "orange",
    logo: "qwen-color",
    baseUrl: "https://dashscope.aliyuncs.com",
    other: "plugin",
  },
  {
    type: 18,
    name: "spark",
    label: "iFlytek Spark",
    labelZh: "讯飞星火",
    colour: "blue",
    logo: "spark-color",
    baseUrl: "https://spark-api-open.xf-yun.com",
    other: "model-version",
    key: olderKey("APPID", "APISecret", "APIKey"),
  },
  {
    type: 19,
    name: "ai360",
    label: "360",
    labelZh: "360 智脑",
    colour: "green",
    logo: "ai360-color",
    baseUrl: "https://ai.360.cn",
  },
  {
    type: 20,
    name: "openrouter",
    label: "OpenRouter",
    colour: "indigo",
    logo: "openrouter",
    baseUrl: "https://openrouter.ai/api",
  },
  {
    type: 21,
    name: "ai-proxy-library",
    label: "AI Proxy (knowledge base)",
    labelZh: "AI Proxy（知识库）",
    colour: "indigo",
    logo: "",
    baseUrl: "https://api.aiproxy.io",
    other: "knowledge-base",
    needs: ["knowledge-base"],
  },
  {
    type: 22,
    name: "fastgpt",
    label: "FastGPT (knowledge base)",
    labelZh: "FastGPT（知识库）",
    colour: "cyan",
    logo: "fastgpt-color",
    baseUrl: "https://fastgpt.run/api/openapi",
    key: { separator: "-", parts: [{ label: "APIKey" }, { label: "AppId" }], isLoose: true },
  },
  {
    type: 23,
    name: "hunyuan",
    label: "Tencent Hunyuan",
    labelZh: "腾讯混元",
    colour: "teal",
    logo: "hunyuan-color",
    baseUrl: "https://api.hunyuan.cloud.tencent.com",
    olderBaseUrl: "https://hunyuan.tencentcloudapi.com",
    key: olderKey("AppId", "SecretId", "SecretKey"),
  },
  {
    type: 24,
    name: "gemini",
    label: "Google Gemini",
    colour: "blue",
    logo: "gemini-color",
    baseUrl: "https://generativelanguage.googleapis.com",
  },
  {
    type: 25,
    name: "moonshot",
    label: "Moonshot",
    labelZh: "月之暗面 Moonshot",
    colour: "gray",
    logo: "moonshot",
    baseUrl: "https://api.moonshot.cn",
    balance: "yuan",
  },
  {
    type: 26,
    name: "baichuan",
    label: "Baichuan",
    labelZh: "百川大模型",
    colour: "orange",
    logo: "baichuan-color",
    baseUrl: "https://api.baichuan-ai.com",
  },
  {
    type: 27,
    name: "minimax",
    label: "MiniMax",
    colour: "red",
    logo: "minimax-color",
    baseUrl: "https://api.minimaxi.com",
  },
  {
    type: 28,
    name: "mistral",
    label: "Mistral",
    colour: "orange",
    logo: "mistral-color",
    baseUrl: "https://api.mistral.ai",
  },
  { type: 29, name: "groq", label: "Groq", colour: "red", logo: "groq", baseUrl: "https://api.groq.com/openai" },
  {
    type: 30,
    name: "ollama",
    label: "Ollama",
    colour: "gray",
    logo: "ollama",
    baseUrl: "http://localhost:11434",
  },
  {
    type: 31,
    name: "yi",
    label: "01.AI",
    labelZh: "零一万物",
    colour: "green",
    logo: "yi",
    baseUrl: "https://api.lingyiwanwu.com",
  },
  {
    type: 32,
    name: "stepfun",
    label: "StepFun",
    labelZh: "阶跃星辰 StepFun",
    colour: "blue",
    logo: "stepfun-color",
    baseUrl: "https://api.stepfun.com",
  },
  {
    type: 33,
    name: "aws",
    label: "AWS",
    colour: "yellow",
    logo: "aws",
    baseUrl: "",
    key: AWS_KEY,
    needs: ["region", "known-region"],
    regions: /^[a-z]{2}(?:-[a-z]+)+-\d{1,2}$/,
  },
  {
    type: 34,
    name: "coze",
    label: "Coze",
    colour: "indigo",
    logo: "coze",
    baseUrl: "https://api.coze.com",
    userId: "user",
    hint: "coze",
  },
  {
    type: 35,
    name: "cohere",
    label: "Cohere",
    colour: "teal",
    logo: "cohere-color",
    baseUrl: "https://api.cohere.com",
  },
  {
    type: 36,
    name: "deepseek",
    label: "DeepSeek",
    labelZh: "深度求索 DeepSeek",
    colour: "indigo",
    logo: "deepseek-color",
    baseUrl: "https://api.deepseek.com",
    balance: "yuan",
  },
  {
    type: 37,
    name: "cloudflare",
    label: "Cloudflare",
    colour: "orange",
    logo: "cloudflare-color",
    baseUrl: "https://api.cloudflare.com",
    userId: "account",
    needs: ["account-id"],
  },
  {
    type: 38,
    name: "deepl",
    label: "DeepL",
    colour: "blue",
    logo: "deepl",
    baseUrl: "https://api-free.deepl.com",
    hint: "deepl",
  },
  {
    type: 39,
    name: "together",
    label: "together.ai",
    colour: "grape",
    logo: "together-color",
    baseUrl: "https://api.together.ai",
  },
  {
    type: 40,
    name: "doubao",
    label: "ByteDance Doubao",
    labelZh: "字节跳动豆包",
    colour: "cyan",
    logo: "doubao-color",
    baseUrl: "https://ark.cn-beijing.volces.com",
  },
  {
    type: 41,
    name: "novita",
    label: "Novita",
    colour: "green",
    logo: "novita-color",
    baseUrl: "https://api.novita.ai/openai",
    balance: "dollar",
  },
  {
    type: 42,
    name: "vertex",
    label: "VertexAI",
    colour: "blue",
    logo: "vertexai-color",
    baseUrl: "",
    key: VERTEX_KEY,
    needs: ["project", "region", "known-region"],
    // Source: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations
    regions: /^[a-z]+(?:-[a-z]+\d+)?$/,
    regionInPath: true,
  },
  {
    type: 43,
    name: "proxy",
    label: "Proxy",
    labelZh: "代理",
    colour: "gray",
    logo: "",
    baseUrl: "",
    needsBaseUrl: true,
    needsNoModels: true,
  },
  {
    type: 44,
    name: "siliconflow",
    label: "SiliconFlow",
    labelZh: "硅基流动 SiliconFlow",
    colour: "grape",
    logo: "siliconcloud-color",
    baseUrl: "https://api.siliconflow.cn",
    balance: "yuan",
  },
  { type: 45, name: "xai", label: "xAI", colour: "gray", logo: "xai", baseUrl: "https://api.x.ai" },
  {
    type: 46,
    name: "replicate",
    label: "Replicate",
    colour: "red",
    logo: "replicate",
    baseUrl: "https://api.replicate.com",
  },
] as const satisfies readonly ChannelTypeInfo[];
