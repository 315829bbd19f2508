/** What the console and the server both need to know about a kind of channel. */
export interface ChannelTypeInfo {
  readonly type: number;
  readonly label: string;
  /** Name of a palette colour of the console. */
  readonly colour: string;
  /** Name of the provider's logo among the static icons; empty for none. */
  readonly logo: string;
  /** Where requests go unless the channel names another address; empty when it must. */
  readonly baseUrl: string;
  /** Form of the key, where it is not one plain secret. */
  readonly keyHint?: string;
  /** The form asks for these parts of `config` and assembles the key from them. */
  readonly keyParts?: readonly ("ak" | "sk" | "region" | "vertex_ai_project_id" | "vertex_ai_adc")[];
  /** What the field `other` means for this type; absent where it means nothing. */
  readonly other?: "api-version" | "plugin" | "knowledge-base";
  /** What `config.user_id` means for this type. */
  readonly userId?: "account" | "user";
  /** Unit of the balance that the provider reports; absent where it reports none. */
  readonly balance?: "dollar" | "yuan" | "ten-thousandth" | "quota";
  /** Resells other providers' models through OpenAI's format. */
  readonly reseller?: true;
}

const list = [
  { type: 1, label: "OpenAI", colour: "green", logo: "openai", baseUrl: "https://api.openai.com", balance: "dollar" },
  { type: 2, label: "API2D", colour: "cyan", logo: "", baseUrl: "https://oa.api2d.net", reseller: true },
  { type: 3, label: "Azure OpenAI", colour: "blue", logo: "azure-color", baseUrl: "", other: "api-version" },
  {
    type: 4,
    label: "CloseAI",
    colour: "grape",
    logo: "",
    baseUrl: "https://api.closeai-proxy.xyz",
    balance: "yuan",
    reseller: true,
  },
  {
    type: 5,
    label: "OpenAI-SB",
    colour: "pink",
    logo: "",
    baseUrl: "https://api.openai-sb.com",
    balance: "ten-thousandth",
    reseller: true,
  },
  { type: 6, label: "OpenAI Max", colour: "violet", logo: "", baseUrl: "https://api.openaimax.com", reseller: true },
  { type: 7, label: "OhMyGPT", colour: "violet", logo: "", baseUrl: "https://api.ohmygpt.com", reseller: true },
  { type: 8, label: "Custom", colour: "gray", logo: "", baseUrl: "", balance: "dollar" },
  { type: 9, label: "AI.LS", colour: "yellow", logo: "", baseUrl: "https://api.caipacity.com", reseller: true },
  {
    type: 10,
    label: "AI Proxy",
    colour: "indigo",
    logo: "",
    baseUrl: "https://api.aiproxy.io",
    balance: "quota",
    reseller: true,
  },
  {
    type: 11,
    label: "Google PaLM2",
    colour: "orange",
    logo: "palm-color",
    baseUrl: "https://generativelanguage.googleapis.com",
  },
  {
    type: 12,
    label: "API2GPT",
    colour: "blue",
    logo: "",
    baseUrl: "https://api.api2gpt.com",
    balance: "yuan",
    reseller: true,
  },
  {
    type: 13,
    label: "AIGC2D",
    colour: "grape",
    logo: "",
    baseUrl: "https://api.aigc2d.com",
    balance: "quota",
    reseller: true,
  },
  { type: 14, label: "Anthropic Claude", colour: "orange", logo: "claude-color", baseUrl: "https://api.anthropic.com" },
  {
    type: 15,
    label: "Baidu",
    colour: "blue",
    logo: "wenxin-color",
    baseUrl: "https://aip.baidubce.com",
    keyHint: "APIKey|SecretKey",
  },
  { type: 16, label: "Zhipu ChatGLM", colour: "violet", logo: "zhipu-color", baseUrl: "https://open.bigmodel.cn" },
  {
    type: 17,
    label: "Alibaba Qwen",
    colour: "orange",
    logo: "qwen-color",
    baseUrl: "https://dashscope.aliyuncs.com",
    other: "plugin",
  },
  {
    type: 18,
    label: "iFlytek Spark",
    colour: "blue",
    logo: "spark-color",
    baseUrl: "https://spark-api.xf-yun.com",
    keyHint: "APPID|APISecret|APIKey",
    other: "api-version",
  },
  { type: 19, label: "360", colour: "green", logo: "ai360-color", baseUrl: "https://ai.360.cn" },
  { type: 20, label: "OpenRouter", colour: "indigo", logo: "openrouter", baseUrl: "https://openrouter.ai/api" },
  {
    type: 21,
    label: "AI Proxy (knowledge base)",
    colour: "indigo",
    logo: "",
    baseUrl: "https://api.aiproxy.io",
    other: "knowledge-base",
  },
  {
    type: 22,
    label: "FastGPT (knowledge base)",
    colour: "cyan",
    logo: "fastgpt-color",
    baseUrl: "https://fastgpt.run/api/openapi",
    keyHint: "APIKey-AppId",
  },
  {
    type: 23,
    label: "Tencent Hunyuan",
    colour: "teal",
    logo: "hunyuan-color",
    baseUrl: "https://hunyuan.tencentcloudapi.com",
    keyHint: "AppId|SecretId|SecretKey",
  },
  {
    type: 24,
    label: "Google Gemini",
    colour: "blue",
    logo: "gemini-color",
    baseUrl: "https://generativelanguage.googleapis.com",
  },
  { type: 25, label: "Moonshot", colour: "gray", logo: "moonshot", baseUrl: "https://api.moonshot.cn" },
  { type: 26, label: "Baichuan", colour: "orange", logo: "baichuan-color", baseUrl: "https://api.baichuan-ai.com" },
  { type: 27, label: "MiniMax", colour: "red", logo: "minimax-color", baseUrl: "https://api.minimax.chat" },
  { type: 28, label: "Mistral", colour: "orange", logo: "mistral-color", baseUrl: "https://api.mistral.ai" },
  { type: 29, label: "Groq", colour: "red", logo: "groq", baseUrl: "https://api.groq.com/openai" },
  { type: 30, label: "Ollama", colour: "gray", logo: "ollama", baseUrl: "http://localhost:11434" },
  { type: 31, label: "01.AI", colour: "green", logo: "yi-color", baseUrl: "https://api.lingyiwanwu.com" },
  { type: 32, label: "StepFun", colour: "blue", logo: "stepfun-color", baseUrl: "https://api.stepfun.com" },
  {
    type: 33,
    label: "AWS",
    colour: "yellow",
    logo: "aws-color",
    baseUrl: "",
    keyHint: "ak|sk|region",
    keyParts: ["region", "ak", "sk"],
  },
  { type: 34, label: "Coze", colour: "indigo", logo: "coze", baseUrl: "https://api.coze.com", userId: "user" },
  { type: 35, label: "Cohere", colour: "teal", logo: "cohere-color", baseUrl: "https://api.cohere.ai" },
  {
    type: 36,
    label: "DeepSeek",
    colour: "indigo",
    logo: "deepseek-color",
    baseUrl: "https://api.deepseek.com",
    balance: "yuan",
  },
  {
    type: 37,
    label: "Cloudflare",
    colour: "orange",
    logo: "cloudflare-color",
    baseUrl: "https://api.cloudflare.com",
    userId: "account",
  },
  { type: 38, label: "DeepL", colour: "blue", logo: "deepl-color", baseUrl: "https://api-free.deepl.com" },
  { type: 39, label: "together.ai", colour: "grape", logo: "together-color", baseUrl: "https://api.together.xyz" },
  {
    type: 40,
    label: "ByteDance Doubao",
    colour: "cyan",
    logo: "doubao-color",
    baseUrl: "https://ark.cn-beijing.volces.com",
  },
  { type: 41, label: "Novita", colour: "green", logo: "novita-color", baseUrl: "https://api.novita.ai/v3/openai" },
  {
    type: 42,
    label: "VertexAI",
    colour: "blue",
    logo: "vertexai-color",
    baseUrl: "",
    keyHint: "region|project id|credentials",
    keyParts: ["region", "vertex_ai_project_id", "vertex_ai_adc"],
  },
  { type: 43, label: "Proxy", colour: "gray", logo: "", baseUrl: "" },
  {
    type: 44,
    label: "SiliconFlow",
    colour: "grape",
    logo: "siliconcloud-color",
    baseUrl: "https://api.siliconflow.cn",
    balance: "yuan",
  },
  { type: 45, label: "xAI", colour: "gray", logo: "xai", baseUrl: "https://api.x.ai" },
  { type: 46, label: "Replicate", colour: "red", logo: "replicate", baseUrl: "https://api.replicate.com" },
] as const satisfies readonly ChannelTypeInfo[];

/** Number of a known kind of channel. */
export type ChannelType = (typeof list)[number]["type"];

/** Every kind of channel, by number. */
export const CHANNEL_TYPES: readonly ChannelTypeInfo[] = list;

/** Type 3: needs an endpoint, and the deployment must be named like the model. */
export const AZURE_TYPE = 3 satisfies ChannelType;

/** Type 43: passes any path on and needs no models. */
export const PROXY_TYPE = 43 satisfies ChannelType;

const typeNumbers: ReadonlySet<number> = new Set(list.map((info) => info.type));

/** True when the number is a known kind of channel. */
export function isChannelType(type: number): type is ChannelType {
  return typeNumbers.has(type);
}

const infoOfType = new Map<number, ChannelTypeInfo>(list.map((info) => [info.type, info]));

/** The facts about a kind of channel; undefined for an unknown number. */
export function channelTypeInfo(type: number): ChannelTypeInfo | undefined {
  return infoOfType.get(type);
}
