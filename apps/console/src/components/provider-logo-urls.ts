// Only the files that the channel types name are built into the console.
const files = import.meta.glob<string>(
  "../../../../node_modules/@lobehub/icons-static-svg/icons/{ai360-color,aws-color,azure-color,baichuan-color,claude-color,cloudflare-color,cohere-color,coze,deepl-color,deepseek-color,doubao-color,fastgpt-color,gemini-color,groq,hunyuan-color,minimax-color,mistral-color,moonshot,novita-color,ollama,openai,openrouter,palm-color,qwen-color,replicate,siliconcloud-color,spark-color,stepfun-color,together-color,vertexai-color,wenxin-color,xai,yi-color,zhipu-color}.svg",
  { query: "?url", import: "default", eager: true },
);

/** Addresses of the logos by the name of ChannelTypeInfo.logo. */
export const providerLogoUrls: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf("/") + 1, -".svg".length), url]),
);
