/** What a use of a tool costs that the provider runs by itself, in fees of $0.0005 (see the contract's `FEES_PER_DOLLAR`). */
export const TOOL_FEES = {
  /** $10 for a thousand. Source: https://developers.openai.com/api/docs/pricing */
  openAiSearch: 20,
  /** $25 for a thousand: the older tool with models that do not think, and the models that search by themselves. Source: the same */
  openAiSearchPreview: 50,
  /** $2.50 for a thousand. Source: the same */
  openAiFileSearch: 5,
  /** $10 for a thousand. Source: https://docs.anthropic.com/en/docs/about-claude/pricing */
  claudeSearch: 20,
  /** Five minutes of a container, the least that is billed: $0.05 an hour. Source: the same */
  claudeCode: 9,
  /** A prompt that Gemini 2 or older has grounded in searches: $35 for a thousand. Source: https://ai.google.dev/gemini-api/docs/pricing */
  geminiGroundedPrompt: 70,
  /** A query of a newer Gemini: $14 for a thousand. Source: the same */
  geminiQuery: 28,
  /** A prompt that Gemini 2 or older has grounded in Google Maps: $25 for a thousand. Source: the same */
  geminiMapsPrompt: 50,
  /** A prompt that Vertex has grounded in data of the caller's own: $2.50 for a thousand. Source: https://cloud.google.com/vertex-ai/generative-ai/pricing */
  vertexData: 5,
  /** A query of Perplexity's deep research: $5 for a thousand. Source: https://docs.perplexity.ai/docs/getting-started/pricing */
  perplexityQuery: 10,
  /** A search of X by xAI: $5 for a thousand. Source: https://docs.x.ai/developers/pricing */
  xSearch: 10,
  /** A source that xAI's live search has used: $25 for a thousand. Source: https://docs.x.ai/docs/guides/live-search */
  xAiSource: 50,
  /** A tool that Groq's compound models have run: $8 for a thousand of the dearest search. Source: https://groq.com/pricing */
  groqTool: 16,
  /** A search by a provider that names no price for it: $10 for a thousand, the dearest of the usual ones. */
  unknownUse: 20,
} as const;

/** What a container of OpenAI's code interpreter costs for its twenty minutes, by its memory: $0.03 to $1.92. Source: https://developers.openai.com/api/docs/pricing */
const CONTAINER_FEES: ReadonlyMap<unknown, number> = new Map([
  ["4g", 240],
  ["16g", 960],
  ["64g", 3_840],
]);
const SMALLEST_CONTAINER_FEES = 60;

/** The fees of a container with so much memory. */
export function containerFees(memory: unknown): number {
  return CONTAINER_FEES.get(memory) ?? SMALLEST_CONTAINER_FEES;
}
