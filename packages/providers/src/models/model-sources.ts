import type { ChannelTypeName } from "@one-api/contract/channel-types";

/** Which models of a price list are offered, and under which names. */
export interface OfferedModels {
  /** Names that are no models of the endpoints here (images, speech, live), that are retired, or that only a reseller uses. */
  readonly exclude: RegExp;
  /** Families in the order in which they are offered; inside one the newest first. Everything else comes last. */
  readonly families: readonly RegExp[];
  /** Ids of the list that are no names of the provider, with the names. */
  readonly rename?: Readonly<Record<string, string>>;
  /** The provider's names are lower-case where the list's ids are not. */
  readonly lowerCase?: true;
}

/** Where a kind of channel has its models and their prices from. */
export interface ModelSource {
  /** The price list of the type's own provider among genai-prices' data, by its id there. */
  readonly priceList?: string;
  /** What of that price list a new channel is offered; absent: nothing. */
  readonly offered?: OfferedModels;
  /** Names kept by hand: dated and older ones that callers still use, and providers that no price list covers. */
  readonly kept?: readonly string[];
  /** Serves another type's models under their names. Resellers serve OpenAI's without saying so here. */
  readonly sameModelsAs?: ChannelTypeName;
}

const notText = /image|tts|transcri|realtime|whisper|voice|ocr|lyria|-live-|omni-flash|sonic|voxtral-mini|rerank/;

/** By kind of channel. After a change run `node packages/providers/scripts/generate-models.ts`. */
export const modelSources: Readonly<Partial<Record<ChannelTypeName, ModelSource>>> = {
  openai: {
    priceList: "openai",
    offered: {
      exclude: either(
        notText,
        /^ft:|\.ft-|:extended$|^gpt-oss|^computer-use|^moderation$|^gpt-chat/,
        /^(?:ada|babbage|curie|davinci|text-davinci)|^gpt-4-(?:32k|vision)|^gpt-4\.5|^o1-(?:mini|preview)|^gpt-3\.5-(?:0301|turbo-(?:0613|16k))|^codex-mini/,
      ),
      families: [/^gpt-[5-9]/, /^o\d/, /^gpt-4\.1/, /^gpt-4o/, /^chatgpt/, /^gpt-audio/, /^gpt/],
      rename: { "gpt-5.3": "gpt-5.3-chat-latest" },
    },
    kept: [
      "gpt-4o-2024-11-20",
      "gpt-4o-2024-08-06",
      "gpt-4o-mini-2024-07-18",
      "gpt-4-turbo-2024-04-09",
      "gpt-4-0613",
      "gpt-3.5-turbo-0125",
      "o3-mini-2025-01-31",
      "o1-2024-12-17",
      "omni-moderation-latest",
      "text-moderation-latest",
      "text-moderation-stable",
      "gpt-image-2",
      "gpt-image-1.5",
      "gpt-image-1-mini",
      "gpt-4o-transcribe",
      "gpt-4o-mini-transcribe",
      "whisper-1",
      "gpt-realtime-2.1",
      "gpt-realtime-2.1-mini",
      "gpt-realtime-1.5",
      "gpt-realtime",
      "gpt-realtime-mini",
      "gpt-4o-mini-tts",
      "tts-1-hd",
      "tts-1",
    ],
  },
  azure: { priceList: "azure", sameModelsAs: "openai" },
  custom: { sameModelsAs: "openai" },
  palm: { priceList: "google", sameModelsAs: "gemini" },
  anthropic: {
    priceList: "anthropic",
    offered: { exclude: /^claude-(?:2|v1|3-)/, families: [/fable/, /opus/, /sonnet/, /haiku/] },
  },
  baidu: {
    kept: [
      "ernie-5.1",
      "ernie-5.0-thinking-latest",
      "ernie-4.5-turbo-128k",
      "ernie-4.5-turbo-32k",
      "ernie-4.5-turbo-vl",
      "ernie-x1.1-preview",
      "ernie-x1-turbo-32k",
      "ERNIE-4.0-8K",
      "ERNIE-3.5-8K",
      "ERNIE-Speed-8K",
      "ERNIE-Speed-128K",
      "ERNIE-Lite-8K-0922",
      "ERNIE-Lite-8K-0308",
      "ERNIE-Tiny-8K",
      "Embedding-V1",
      "bge-large-zh",
      "bge-large-en",
      "tao-8k",
    ],
  },
  zhipu: {
    priceList: "zhipuai",
    offered: { exclude: notText, families: [/^glm-5/, /^glm-4\./], lowerCase: true },
    kept: [
      "glm-4-flash",
      "glm-4v-flash",
      "glm-4v-plus",
      "codegeex-4",
      "embedding-3",
      "embedding-2",
      "cogview-4",
      "cogview-3-flash",
    ],
  },
  qwen: {
    kept: [
      "qwen3-max",
      "qwen3.7-max",
      "qwen3.7-plus",
      "qwen3.6-flash",
      "qwen3-coder-plus",
      "qwen3-coder-flash",
      "qwen-max",
      "qwen-max-latest",
      "qwen-plus",
      "qwen-plus-latest",
      "qwen-turbo",
      "qwen-turbo-latest",
      "qwen-vl-max",
      "qwen-vl-plus",
      "qwen-vl-ocr",
      "qwq-32b-preview",
      "deepseek-v3",
      "deepseek-r1",
      "text-embedding-v3",
      "text-embedding-v2",
      "text-embedding-v1",
      "qwen-image",
      "qwen-image-edit-plus",
      "wan2.6-t2i",
      "wan2.5-t2i-preview",
      "wan2.2-t2i-flash",
    ],
  },
  spark: {
    kept: ["spark-x", "Spark-4.0-Ultra", "Spark-Max-32K", "Spark-Max", "Spark-Pro-128K", "Spark-Pro", "Spark-Lite"],
  },
  ai360: { kept: ["360GPT_S2_V9", "embedding-bert-512-v1", "embedding_s1_v1", "semantic_similarity_s1_v1"] },
  openrouter: {
    priceList: "openrouter",
    offered: {
      exclude: either(/^[^/]*$|^~|:batch$/, notText),
      families: [
        /^openai\/gpt-[5-9]/,
        /^anthropic\/claude-(?:\w+-)?[4-9]/,
        /^google\/gemini-[3-9]/,
        /^x-ai\/grok-4/,
        /^deepseek\/deepseek-v4/,
        /^(?:qwen\/qwen3|moonshotai|z-ai|minimax)/,
      ],
    },
    kept: ["openrouter/auto"],
  },
  "ai-proxy-library": { sameModelsAs: "openai" },
  fastgpt: { sameModelsAs: "openai" },
  hunyuan: {
    kept: [
      "hunyuan-2.0-instruct-20251111",
      "hunyuan-2.0-thinking-20251109",
      "hunyuan-turbos-latest",
      "hunyuan-t1-latest",
      "hunyuan-turbo",
      "hunyuan-large",
      "hunyuan-large-longcontext",
      "hunyuan-standard",
      "hunyuan-standard-256K",
      "hunyuan-pro",
      "hunyuan-lite",
      "hunyuan-role",
      "hunyuan-functioncall",
      "hunyuan-code",
      "hunyuan-vision",
      "hunyuan-turbo-vision",
      "hunyuan-embedding",
    ],
  },
  gemini: {
    priceList: "google",
    offered: {
      exclude: either(notText, /^claude|^gemini-(?:1|2\.0|pro|flash)|^gemma-[23]|maas$|native-audio|gemini-live/),
      families: [/^gemini-[3-9]/, /^gemini-2/, /^gemini-embedding/],
    },
    kept: ["gemini-2.5-flash-image", "imagen-4.0-generate-001"],
  },
  moonshot: { priceList: "moonshotai", offered: { exclude: /^$/, families: [/^kimi/] } },
  baichuan: { kept: ["Baichuan2-Turbo", "Baichuan2-Turbo-192k", "Baichuan-Text-Embedding"] },
  minimax: {
    priceList: "minimax",
    offered: {
      exclude: /^minimax-01$|^minimax-m1$/,
      families: [/^MiniMax-M/i],
      rename: { "minimax-m3": "MiniMax-M3" },
    },
    kept: ["MiniMax-Text-01", "MiniMax-VL-01", "abab6.5s-chat", "abab6.5-chat", "abab5.5-chat"],
  },
  mistral: {
    priceList: "mistral",
    offered: {
      exclude: either(
        notText,
        /:free$|24b-instruct|^mistral-(?:7b|tiny|nemo|saba|medium-2312)|^mixtral|^pixtral|^ministral-[38]b$/,
      ),
      families: [
        /^mistral-large/,
        /^mistral-medium/,
        /^mistral-small/,
        /^magistral/,
        /^devstral/,
        /^codestral/,
        /^ministral/,
      ],
      rename: {
        codestral: "codestral-latest",
        "magistral-medium": "magistral-medium-latest",
        "magistral-small": "magistral-small-latest",
        "mistral-large": "mistral-large-latest",
        "mistral-medium-3-1": "mistral-medium-2508",
        "mistral-medium-3-5": "mistral-medium-3.5",
        "voxtral-small-24b-2507": "voxtral-small-2507",
      },
    },
    kept: ["open-mistral-nemo", "codestral-embed"],
  },
  groq: {
    priceList: "groq",
    offered: {
      exclude: either(
        notText,
        /preview$|specdec$|^gemma|^llama-?[23]-|^llama2|^llama3-|-3\.1-(?:70b|405b)|^mixtral|^mistral-saba|^deepseek-r1|guard-3/,
      ),
      families: [/^openai/, /^meta-llama/, /^llama/, /^moonshotai/, /^qwen/],
    },
    kept: ["whisper-large-v3", "whisper-large-v3-turbo"],
  },
  ollama: {
    kept: [
      "gpt-oss:20b",
      "qwen3:8b",
      "gemma3:12b",
      "deepseek-r1:8b",
      "llama3.3:latest",
      "llama3:latest",
      "phi3:latest",
      "nomic-embed-text:latest",
    ],
  },
  yi: { kept: ["yi-large", "yi-34b-chat-0205", "yi-34b-chat-200k", "yi-vl-plus"] },
  stepfun: {
    kept: [
      "step-3.7-flash",
      "step-3.5-flash",
      "step-2-16k",
      "step-1-256k",
      "step-1-128k",
      "step-1-32k",
      "step-1-8k",
      "step-1-flash",
      "step-1v-32k",
      "step-1v-8k",
    ],
  },
  aws: {
    priceList: "aws",
    kept: [
      "claude-fable-5-1",
      "claude-opus-5-5",
      "claude-opus-5",
      "claude-sonnet-5",
      "claude-sonnet-4-6",
      "claude-sonnet-4-5",
      "claude-haiku-4-5",
      "global.amazon.nova-2-lite-v1:0",
      "amazon.nova-pro-v1:0",
      "amazon.nova-lite-v1:0",
      "amazon.nova-micro-v1:0",
      "openai.gpt-oss-120b-1:0",
      "openai.gpt-oss-20b-1:0",
      "qwen.qwen3-32b-v1:0",
      "qwen.qwen3-coder-30b-a3b-v1:0",
      "mistral.mistral-large-3-675b-instruct",
      "mistral.ministral-3-14b-instruct",
      "us.deepseek.r1-v1:0",
      "us.meta.llama4-maverick-17b-instruct-v1:0",
      "us.meta.llama3-3-70b-instruct-v1:0",
      "llama3-70b-8192",
      "llama3-8b-8192",
      "amazon.titan-embed-text-v2:0",
      "cohere.embed-v4:0",
      "cohere.embed-multilingual-v3",
    ],
  },
  cohere: {
    priceList: "cohere",
    kept: [
      "command-a-plus-05-2026",
      "command-a-03-2025",
      "command-a-reasoning-08-2025",
      "command-a-vision-07-2025",
      "command-a-translate-08-2025",
      "command-r7b-12-2024",
      "command-r-plus-08-2024",
      "command-r-08-2024",
      "embed-v5.0-pro",
      "embed-v5.0-fast",
      "embed-v4.0",
      "embed-english-v3.0",
      "embed-multilingual-v3.0",
    ],
  },
  deepseek: {
    priceList: "deepseek",
    offered: { exclude: /^deepseek-v3/, families: [/^deepseek-v[4-9]/, /^deepseek-chat/, /^deepseek-reasoner/] },
  },
  cloudflare: {
    priceList: "cloudflare",
    offered: {
      exclude: either(notText, /indictrans|distilbert|m2m100/),
      families: [/openai/, /zai-org/, /moonshotai/, /deepseek/, /qwen3/, /llama-4/],
    },
  },
  deepl: { kept: ["deepl-zh", "deepl-en", "deepl-ja"] },
  together: {
    priceList: "together",
    kept: [
      "deepseek-ai/DeepSeek-V4-Pro",
      "deepseek-ai/DeepSeek-V4-Flash-0731",
      "moonshotai/Kimi-K2.5",
      "MiniMaxAI/MiniMax-M2.5",
      "meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8",
      "meta-llama/Llama-4-Scout-17B-16E-Instruct",
      "meta-llama/Llama-3.3-70B-Instruct-Turbo",
      "mistralai/Mixtral-8x22B-Instruct-v0.1",
      "meta-llama/Llama-3-70b-chat-hf",
    ],
  },
  doubao: {
    kept: [
      "doubao-seed-2-0-pro-260215",
      "Doubao-pro-128k",
      "Doubao-pro-32k",
      "Doubao-pro-4k",
      "Doubao-lite-128k",
      "Doubao-lite-32k",
      "Doubao-lite-4k",
      "Doubao-embedding",
      "doubao-seedream-4-5-251128",
      "doubao-seedream-4-0-250828",
    ],
  },
  novita: {
    priceList: "novita",
    kept: [
      "zai-org/glm-5.3-flash",
      "zai-org/glm-5",
      "moonshotai/kimi-k2.5",
      "minimax/minimax-m2.5",
      "deepseek/deepseek-v3-0324",
      "meta-llama/llama-3.3-70b-instruct",
      "meta-llama/llama-3.1-8b-instruct",
      "meta-llama/llama-3-70b-instruct",
      "meta-llama/llama-3-8b-instruct",
      "gryphe/mythomax-l2-13b",
      "sao10k/l3-70b-euryale-v2.1",
      "qwen/qwen3-embedding-0.6b",
    ],
  },
  vertex: {
    priceList: "google",
    kept: [
      "gemini-3.8-flash",
      "gemini-3.5-flash",
      "gemini-3.5-flash-lite",
      "gemini-3.1-pro-preview",
      "gemini-2.5-pro",
      "gemini-2.5-flash",
      "gemini-2.5-flash-lite",
      "claude-fable-5-1",
      "claude-opus-5-5",
      "claude-opus-5",
      "claude-sonnet-5",
      "claude-sonnet-4-6",
      "claude-haiku-4-5",
      "gemini-embedding-001",
      "gemini-2.5-flash-image",
      "imagen-4.0-generate-001",
    ],
  },
  siliconflow: {
    kept: [
      "deepseek-ai/DeepSeek-V3.2",
      "deepseek-ai/DeepSeek-V3.1",
      "deepseek-ai/DeepSeek-V3",
      "deepseek-ai/DeepSeek-R1",
      "Qwen/Qwen3-235B-A22B",
      "Qwen/Qwen3-32B",
      "ByteDance-Seed/Seed-OSS-36B-Instruct",
      "baidu/ERNIE-4.5-300B-A47B",
      "THUDM/glm-4-9b-chat",
      "internlm/internlm2_5-7b-chat",
      "BAAI/bge-large-zh-v1.5",
      "BAAI/bge-large-en-v1.5",
      "Kwai-Kolors/Kolors",
      "Pro/THUDM/glm-4-9b-chat",
      "Pro/Qwen/Qwen2-7B-Instruct",
    ],
  },
  xai: {
    priceList: "x-ai",
    offered: { exclude: either(notText, /^grok-2/), families: [/^grok-4\.[3-9]/, /^grok-[4-9]/, /^grok-3/] },
  },
  replicate: {
    kept: [
      "meta/meta-llama-3.1-405b-instruct",
      "meta/meta-llama-3-70b-instruct",
      "meta/meta-llama-3-8b-instruct",
      "mistralai/mixtral-8x7b-instruct-v0.1",
      "mistralai/mistral-7b-instruct-v0.2",
      "ibm-granite/granite-3.0-8b-instruct",
      "black-forest-labs/flux-schnell",
      "black-forest-labs/flux-dev",
      "black-forest-labs/flux-1.1-pro",
      "black-forest-labs/flux-1.1-pro-ultra",
      "ideogram-ai/ideogram-v2-turbo",
      "recraft-ai/recraft-v3",
      "stability-ai/stable-diffusion-3.5-large",
    ],
  },
};

function either(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map((pattern) => pattern.source).join("|"), "i");
}
