import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { DEAREST_TIER_FACTOR } from "../../shared/tiers.ts";
import { TOOL_FEES } from "../../shared/tool-fees.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";

/**
 * Reads the usage of an answer or event; undefined without one. Stream reports are cumulative. The prompt includes
 * cached tokens, but not tool input; the answer excludes thoughts.
 * Source: https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function readUsage(answer: unknown): Usage | undefined {
  const reported = recordOf(recordOf(answer).usageMetadata);
  const toolFees = feesOfGrounding(answer);
  const prompt = countOf(reported.promptTokenCount);
  const written = countOf(reported.candidatesTokenCount) ?? countOf(reported.responseTokenCount);
  const total = countOf(reported.totalTokenCount);
  if (prompt === undefined && written === undefined && total === undefined)
    return toolFees === 0 ? undefined : { ...NO_USAGE, toolFees };
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
    toolFees,
    ...readTier(reported),
  };
}

/**
 * Half for flexible processing, up to twice for priority. Prepaid capacity has the usual price. Source:
 * https://ai.google.dev/gemini-api/docs/optimization
 */
const TIER_FACTORS: ReadonlyMap<string, number> = new Map([
  ["standard", 1],
  ["unspecified", 1],
  ["service_tier_standard", 1],
  ["service_tier_unspecified", 1],
  ["on_demand", 1],
  ["traffic_type_unspecified", 1],
  ["provisioned_throughput", 1],
  ["flex", 0.5],
  ["deferred", 0.5],
  ["service_tier_flex", 0.5],
  ["on_demand_flex", 0.5],
  ["on_demand_offpeak", 0.5],
  ["priority", 2],
  ["service_tier_priority", 2],
  ["on_demand_priority", 2],
]);

/** Names under which a model's own prices have the tiers, which end with them here. */
const OWN_NAMES = ["flex", "priority"] as const;

type NamedTier = Pick<Usage, "priceFactor" | "namesTier" | "tier">;

/** Price factor of a tier. Unknown tiers are charged at the highest factor. */
export function factorOfTier(tier: string): number {
  return TIER_FACTORS.get(tier.toLowerCase()) ?? DEAREST_TIER_FACTOR;
}

function readTier({ serviceTier, trafficType }: JsonRecord): Partial<NamedTier> {
  const tier = textOf(serviceTier) || textOf(trafficType);
  if (tier === "") return {};
  const ownName = OWN_NAMES.find((name) => tier.toLowerCase().endsWith(name));
  return { priceFactor: factorOfTier(tier), namesTier: true, ...(ownName && { tier: ownName }) };
}

function countOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 0 && Number.isSafeInteger(Math.ceil(number)) ? Math.ceil(number) : undefined;
}

function tokensOf(details: unknown, modality: string): number {
  return listOf(details)
    .map(recordOf)
    .filter((detail) => textOf(detail.modality) === modality)
    .reduce((sum, { tokenCount }) => sum + (countOf(tokenCount) ?? 0), 0);
}

/**
 * Fees of web, picture and map searches. Older models bill per grounded prompt, newer ones per distinct query. Empty
 * queries are free. Source: https://ai.google.dev/gemini-api/docs/google-search
 */
function feesOfGrounding(answer: unknown): number {
  const { candidates, modelVersion } = recordOf(answer);
  const queries = new Set<string>();
  let [isGrounded, hasMaps, hasData] = [false, false, false];
  for (const candidate of listOf(candidates).map(recordOf)) {
    const grounding = recordOf(candidate.groundingMetadata);
    for (const [kind, name] of QUERY_FIELDS) {
      for (const query of listOf(grounding[name])) if (textOf(query) !== "") queries.add(`${kind} ${textOf(query)}`);
    }
    const chunks = listOf(grounding.groundingChunks).map(recordOf);
    hasMaps ||= chunks.some((chunk) => isRecord(chunk.maps)) || textOf(grounding.googleMapsWidgetContextToken) !== "";
    hasData ||= chunks.some(isOfData);
    isGrounded ||= chunks.some((chunk) => !isRecord(chunk.retrievedContext) && !isRecord(chunk.maps));
  }
  const ofData = hasData ? TOOL_FEES.vertexData : 0;
  if (queries.size === 0 && !isGrounded && !hasMaps) return ofData;
  if (/gemini-[12](?:\.|-|$)/.test(textOf(modelVersion))) {
    const searched = queries.size > 0 || isGrounded ? TOOL_FEES.geminiGroundedPrompt : 0;
    // If a prompt is grounded in Maps only, its queries are Maps' own.
    return ofData + (hasMaps ? TOOL_FEES.geminiMapsPrompt + (isGrounded ? searched : 0) : searched);
  }
  return ofData + Math.max(1, queries.size) * TOOL_FEES.geminiQuery;
}

/** A source in the caller's data at Vertex. Searches of Gemini's file stores only cost tokens. */
function isOfData({ retrievedContext: source }: JsonRecord): boolean {
  return isRecord(source) && source.fileSearchStore === undefined;
}

const QUERY_FIELDS = [
  ["web", "webSearchQueries"],
  ["image", "imageSearchQueries"],
] as const;

/** Thoughts are separate from the answer's tokens. */
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
