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
  /** A prompt that Gemini 2 or older has grounded in searches: $35 for a thousand. Source: https://ai.google.dev/gemini-api/docs/pricing */
  geminiGroundedPrompt: 70,
  /** A query of a newer Gemini: $14 for a thousand. Source: the same */
  geminiQuery: 28,
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
