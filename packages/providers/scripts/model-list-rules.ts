/** How the models of one price list become the names that a channel is offered. */
export interface ModelListRules {
  /** Id of the list in genai-prices. */
  readonly list: string;
  /** Names that are no models of the endpoints here (images, speech, live), that are retired, or that only a reseller uses. */
  readonly exclude: RegExp;
  /** Families in the order in which they are offered; inside one the newest first. Everything else comes last. */
  readonly families: readonly RegExp[];
  /** Ids of the list that are no names of the provider, with the names. */
  readonly rename?: Readonly<Record<string, string>>;
  /** The provider's names are lower-case where the list's ids are not. */
  readonly lowerCase?: true;
}

const notText = /image|tts|transcri|realtime|whisper|voice|ocr|lyria|-live-|omni-flash|sonic|voxtral-mini|rerank/;

/** By channel type. Types without rules have hand-kept names only. */
export const modelListRules: Readonly<Record<number, ModelListRules>> = {
  1: {
    list: "openai",
    exclude: either(
      notText,
      /^ft:|\.ft-|:extended$|^gpt-oss|^computer-use|^moderation$|^gpt-chat/,
      /^(?:ada|babbage|curie|davinci|text-davinci)|^gpt-4-(?:32k|vision)|^gpt-4\.5|^o1-(?:mini|preview)|^gpt-3\.5-(?:0301|turbo-(?:0613|16k))|^codex-mini/,
    ),
    families: [/^gpt-[5-9]/, /^o\d/, /^gpt-4\.1/, /^gpt-4o/, /^chatgpt/, /^gpt-audio/, /^gpt/],
    rename: { "gpt-5.3": "gpt-5.3-chat-latest" },
  },
  14: { list: "anthropic", exclude: /^claude-(?:2|v1|3-)/, families: [/fable/, /opus/, /sonnet/, /haiku/] },
  16: { list: "zhipuai", exclude: notText, families: [/^glm-5/, /^glm-4\./], lowerCase: true },
  20: {
    list: "openrouter",
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
  24: {
    list: "google",
    exclude: either(notText, /^claude|^gemini-(?:1|2\.0|pro|flash)|^gemma-[23]|maas$|native-audio|gemini-live/),
    families: [/^gemini-[3-9]/, /^gemini-2/, /^gemini-embedding/],
  },
  25: { list: "moonshotai", exclude: /^$/, families: [/^kimi/] },
  27: {
    list: "minimax",
    exclude: /^minimax-01$|^minimax-m1$/,
    families: [/^MiniMax-M/i],
    rename: { "minimax-m3": "MiniMax-M3" },
  },
  28: {
    list: "mistral",
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
  29: {
    list: "groq",
    exclude: either(
      notText,
      /preview$|specdec$|^gemma|^llama-?[23]-|^llama2|^llama3-|-3\.1-(?:70b|405b)|^mixtral|^mistral-saba|^deepseek-r1|guard-3/,
    ),
    families: [/^openai/, /^meta-llama/, /^llama/, /^moonshotai/, /^qwen/],
  },
  35: { list: "cohere", exclude: /^c4ai/, families: [/^command-a/, /^command-r/] },
  36: {
    list: "deepseek",
    exclude: /^deepseek-v3/,
    families: [/^deepseek-v[4-9]/, /^deepseek-chat/, /^deepseek-reasoner/],
  },
  37: {
    list: "cloudflare",
    exclude: either(notText, /indictrans|distilbert|m2m100/),
    families: [/openai/, /zai-org/, /moonshotai/, /deepseek/, /qwen3/, /llama-4/],
  },
  45: { list: "x-ai", exclude: either(notText, /^grok-2/), families: [/^grok-4\.[3-9]/, /^grok-[4-9]/, /^grok-3/] },
};

function either(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map((pattern) => pattern.source).join("|"), "i");
}
