import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { TOOL_FEES } from "../../shared/tool-fees.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";

/**
 * What an answer or an event of Gemini's format reports as consumed; undefined when it reports nothing. Reports of a stream are cumulative. What
 * came from a cache is a part of the prompt; thoughts, and what the model's own tools read, stand beside the numbers of answer and prompt.
 * Source: https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function readUsage(answer: unknown): Usage | undefined {
  const reported = recordOf(answer).usageMetadata;
  if (!isRecord(reported)) return undefined;
  const prompt = countOf(reported.promptTokenCount);
  const written = countOf(reported.candidatesTokenCount) ?? countOf(reported.responseTokenCount);
  const total = countOf(reported.totalTokenCount);
  if (prompt === undefined && written === undefined && total === undefined) return undefined;
  const toolPrompt = countOf(reported.toolUsePromptTokenCount) ?? 0;
  const thoughts = countOf(reported.thoughtsTokenCount) ?? 0;
  const promptTokens = (prompt ?? 0) + toolPrompt;
  const named = promptTokens + (written ?? 0) + thoughts;
  const completionTokens = (written ?? 0) + thoughts + Math.max(0, (total ?? 0) - named);
  const cached = Math.min(countOf(reported.cachedContentTokenCount) ?? 0, promptTokens);
  const cachedAudioTokens = Math.min(tokensOf(reported.cacheTokensDetails, "AUDIO"), cached);
  const heard =
    tokensOf(reported.promptTokensDetails, "AUDIO") + tokensOf(reported.toolUsePromptTokensDetails, "AUDIO");
  const details = reported.candidatesTokensDetails ?? reported.responseTokensDetails;
  const audioCompletionTokens = Math.min(tokensOf(details, "AUDIO"), completionTokens);
  const drawn = tokensOf(details, "IMAGE");
  const imageCompletionTokens = Math.min(drawn, completionTokens - audioCompletionTokens);
  return {
    ...NO_USAGE,
    promptTokens,
    completionTokens,
    cachedTokens: cached - cachedAudioTokens,
    cachedAudioTokens,
    audioPromptTokens: Math.max(0, Math.min(heard - cachedAudioTokens, promptTokens - cached)),
    reasoningTokens: Math.min(thoughts, completionTokens - audioCompletionTokens - imageCompletionTokens),
    audioCompletionTokens,
    imageCompletionTokens,
    toolFees: feesOfSearches(answer),
    priceFactor: factorOfTier(reported),
  };
}

/** Half for what may wait, and up to twice for what may not. Source: https://ai.google.dev/gemini-api/docs/optimization */
const TIER_FACTORS: ReadonlyMap<string, number> = new Map([
  ["flex", 0.5],
  ["on_demand_flex", 0.5],
  ["priority", 2],
  ["on_demand_priority", 2],
]);

/** What the tier in which the request was really served multiplies prices by: 1 where the report does not tell it. */
function factorOfTier({ serviceTier, trafficType }: JsonRecord): number {
  return TIER_FACTORS.get((textOf(serviceTier) || textOf(trafficType)).toLowerCase()) ?? 1;
}

function countOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 0 && Number.isSafeInteger(Math.ceil(number)) ? Math.ceil(number) : undefined;
}

/** Tokens of one kind of medium among the details of a count. */
function tokensOf(details: unknown, modality: string): number {
  return listOf(details)
    .map(recordOf)
    .filter((detail) => textOf(detail.modality) === modality)
    .reduce((sum, { tokenCount }) => sum + (countOf(tokenCount) ?? 0), 0);
}

/** What searches cost: older models are billed by the prompt that was grounded in them, newer by the query. */
function feesOfSearches(answer: unknown): number {
  const { candidates, modelVersion } = recordOf(answer);
  let queries = 0;
  for (const candidate of listOf(candidates).map(recordOf)) {
    queries += listOf(recordOf(candidate.groundingMetadata).webSearchQueries).length;
  }
  if (queries === 0) return 0;
  const isByPrompt = /gemini-[12](?:\.|-|$)/.test(textOf(modelVersion));
  return isByPrompt ? TOOL_FEES.geminiGroundedPrompt : queries * TOOL_FEES.geminiQuery;
}

/** Writes usage as Gemini does: thoughts beside the rest of the answer. */
export function writeUsage(usage: Usage): JsonRecord {
  const cached = usage.cachedTokens + usage.cachedAudioTokens;
  const audio = usage.audioPromptTokens + usage.cachedAudioTokens;
  const details = [
    { modality: "TEXT", tokenCount: usage.promptTokens - audio - usage.imagePromptTokens },
    { modality: "AUDIO", tokenCount: audio },
    { modality: "IMAGE", tokenCount: usage.imagePromptTokens },
  ].filter(({ modality, tokenCount }) => modality === "TEXT" || tokenCount > 0);
  return {
    promptTokenCount: usage.promptTokens,
    candidatesTokenCount: usage.completionTokens - usage.reasoningTokens,
    totalTokenCount: usage.promptTokens + usage.completionTokens,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    promptTokensDetails: details,
    ...(usage.reasoningTokens > 0 && { thoughtsTokenCount: usage.reasoningTokens }),
  };
}
