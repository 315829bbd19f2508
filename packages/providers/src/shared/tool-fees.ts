/** Fees for a use of a tool that the provider runs; one is $0.0005 (see the contract's `FEES_PER_DOLLAR`). */
export const TOOL_FEES = {
  /** $10 for a thousand. Source: https://developers.openai.com/api/docs/pricing */
  openAiSearch: 20,
  /** $25 for a thousand: the older tool with models without reasoning, and models with built-in search. Source: the same */
  openAiSearchPreview: 50,
  /** $2.50 for a thousand. Source: the same */
  openAiFileSearch: 5,
  /** $10 for a thousand. Source: https://docs.anthropic.com/en/docs/about-claude/pricing */
  claudeSearch: 20,
  /** Five minutes of a container, the least that is billed: $0.05 an hour. Source: the same */
  claudeCode: 9,
  /** Prompt grounded in searches by Gemini 2 or older: $35 for a thousand. Source: https://ai.google.dev/gemini-api/docs/pricing */
  geminiGroundedPrompt: 70,
  /** A query of a newer Gemini: $14 for a thousand. Source: the same */
  geminiQuery: 28,
  /** Prompt grounded in Google Maps by Gemini 2 or older: $25 for a thousand. Source: the same */
  geminiMapsPrompt: 50,
  /** Prompt grounded in the caller's own data by Vertex: $2.50 for a thousand. Source: https://cloud.google.com/vertex-ai/generative-ai/pricing */
  vertexData: 5,
  /** A query of Perplexity's deep research: $5 for a thousand. Source: https://docs.perplexity.ai/docs/getting-started/pricing */
  perplexityQuery: 10,
  /** A search of X by xAI: $5 for a thousand. Source: https://docs.x.ai/developers/pricing */
  xSearch: 10,
  /** Source used by xAI's live search: $25 for a thousand. Source: https://docs.x.ai/docs/guides/live-search */
  xAiSource: 50,
  /** Tool run by Groq's compound models: $8 for a thousand of the dearest search. Source: https://groq.com/pricing */
  groqTool: 16,
  /** Search at a provider without a published price: $10 for a thousand, the highest usual price. */
  unknownUse: 20,
} as const;

/**
 * Fees of a code interpreter container at OpenAI for twenty minutes, by memory: $0.03 to $1.92. Source:
 * https://developers.openai.com/api/docs/pricing
 */
const CONTAINER_FEES: ReadonlyMap<unknown, number> = new Map([
  ["4g", 240],
  ["16g", 960],
  ["64g", 3_840],
]);
const SMALLEST_CONTAINER_FEES = 60;

export function containerFees(memory: unknown): number {
  return CONTAINER_FEES.get(memory) ?? SMALLEST_CONTAINER_FEES;
}
