import { isRecord, listOf, recordOf, type JsonRecord } from "../../shared/json-fields.ts";
import { readDollars } from "../../shared/provider-dollars.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { feesNamed, namesBilling } from "./fees-named.ts";

/**
 * Reads the usage of an answer or chunk with its fees and cost; undefined without any. Details never exceed their
 * totals.
 *
 * | total | counted as |
 * |---|---|
 * | the only count | prompt up to `promptEstimate` (a local count), the rest completion; without an estimate all prompt |
 * | above prompt + completion | the rest is hidden reasoning, so completion, as xAI reports it |
 */
export function readUsage(answer: unknown, promptEstimate?: number): Usage | undefined {
  const record = recordOf(answer);
  const reported = findReport(record);
  const usage = reported === undefined ? undefined : toUsage(reported, record, promptEstimate);
  const { usage: report } = record;
  // Most reports have few numbers, and each further read adds cost.
  if (!namesBilling(record)) return usage;
  const toolFees = feesNamed(record);
  const providerDollars = isRecord(report) ? readDollars(report) : 0;
  if (toolFees === 0 && providerDollars === 0) return usage;
  return { ...(usage ?? NO_USAGE), toolFees, providerDollars };
}

/** Groq repeats `usage` in `x_groq`; Moonshot puts it into the last choice of a stream. */
function findReport(answer: JsonRecord): JsonRecord | undefined {
  if (isReport(answer.usage)) return answer.usage;
  const ofGroq = recordOf(answer.x_groq).usage;
  if (isReport(ofGroq)) return ofGroq;
  for (const choice of listOf(answer.choices)) {
    const { usage } = recordOf(choice);
    if (isReport(usage)) return usage;
  }
  return undefined;
}

/** True for an object with a total or with counts. Otherwise a single invalid number would make its tokens free. */
function isReport(place: unknown): place is JsonRecord {
  if (!isRecord(place)) return false;
  if (countOf(place.total_tokens) !== undefined) return true;
  const parts = partNames.map((name) => place[name]).filter((part) => part !== undefined && part !== null);
  return parts.length > 0 && parts.every((part) => countOf(part) !== undefined);
}

const partNames = ["prompt_tokens", "input_tokens", "completion_tokens", "output_tokens"];

function toUsage(reported: JsonRecord, answer: JsonRecord, promptEstimate: number | undefined): Usage {
  const promptDetails = detailsOf(reported.prompt_tokens_details, reported.input_tokens_details);
  const completionDetails = detailsOf(reported.completion_tokens_details, reported.output_tokens_details);
  const cached = firstCount(
    promptDetails.cached_tokens,
    reported.prompt_cache_hit_tokens,
    reported.cached_tokens,
    reported.cache_read_input_tokens,
  );
  const cacheWrite = firstCount(
    promptDetails.cache_write_tokens,
    promptDetails.cache_creation_tokens,
    reported.cache_creation_input_tokens,
    sumOfLifetimes(promptDetails.cache_write_tokens_details),
  );
  const totals = readTotals(reported, cached + cacheWrite, promptEstimate);

  const audio = firstCount(promptDetails.audio_tokens);
  const image = firstCount(promptDetails.image_tokens);
  const answerAudio = firstCount(completionDetails.audio_tokens);
  const answerImage = firstCount(completionDetails.image_tokens);
  const reasoning = firstCount(completionDetails.reasoning_tokens, reported.reasoning_tokens);
  const usage = { ...NO_USAGE, promptTokens: totals.prompt, completionTokens: totals.completion };
  // Most answers have no details, and spreading another object doubles the time.
  if (cached + cacheWrite + audio + image + answerAudio + answerImage + reasoning === 0) return usage;
  const cachedAudio = countOf(recordOf(promptDetails.cached_tokens_details).audio_tokens);
  return {
    ...usage,
    ...promptParts(totals.prompt, {
      cached,
      cacheWrite,
      audio,
      image,
      cachedAudio,
      ...lifetimesOf(promptDetails, answer),
    }),
    ...completionParts(totals.completion, answerAudio, answerImage, reasoning),
  };
}

function completionParts(completion: number, audio: number, image: number, reasoning: number) {
  const [audioCompletionTokens = 0, imageCompletionTokens = 0, reasoningTokens = 0] = shareOut(completion, [
    audio,
    image,
    reasoning,
  ]);
  return { audioCompletionTokens, imageCompletionTokens, reasoningTokens };
}

/** Sum of the cache writes by lifetime, if the total is missing. */
function sumOfLifetimes(details: unknown): number | undefined {
  if (!isRecord(details)) return undefined;
  return (countOf(details.ttl_12h_tokens) ?? 0) + (countOf(details.ttl_30m_tokens) ?? 0);
}

function detailsOf(details: unknown, older: unknown): JsonRecord {
  if (!isRecord(older)) return recordOf(details);
  return isRecord(details) ? { ...older, ...details } : older;
}

interface ReportedParts {
  readonly cached: number;
  readonly cacheWrite: number;
  readonly audio: number;
  readonly image: number;
  readonly cachedAudio: number | undefined;
  readonly longCacheWrite: number;
}

/**
 * OpenAI reports cache writes for twelve hours separately, or else the longest requested lifetime. Source:
 * https://developers.openai.com/api/docs/guides/prompt-caching
 */
function lifetimesOf({ cache_write_tokens_details: details }: JsonRecord, answer: JsonRecord) {
  const long = countOf(recordOf(details).ttl_12h_tokens);
  const isLong = recordOf(answer.prompt_cache_options).ttl === "12h";
  return { longCacheWrite: long ?? (isLong ? Number.MAX_SAFE_INTEGER : 0) };
}

/**
 * Separates overlapping counts: cached tokens may be audio. Without a reported overlap it is `sum of details -
 * prompt`, so that audio is never charged as cheaper text.
 */
function promptParts(prompt: number, parts: ReportedParts) {
  const surplus = Math.max(0, parts.cached + parts.cacheWrite + parts.audio + parts.image - prompt);
  const both = Math.min(parts.cachedAudio ?? surplus, parts.cached, parts.audio);
  const [cachedAudio = 0, audio = 0, image = 0, cached = 0, cacheWrite = 0] = shareOut(prompt, [
    both,
    parts.audio - both,
    parts.image,
    parts.cached - both,
    parts.cacheWrite,
  ]);
  const longCacheWriteTokens = Math.min(parts.longCacheWrite, cacheWrite);
  return {
    cachedTokens: cached,
    cachedAudioTokens: cachedAudio,
    cacheWriteTokens: cacheWrite - longCacheWriteTokens,
    longCacheWriteTokens,
    audioPromptTokens: audio,
    imagePromptTokens: image,
  };
}

interface Totals {
  readonly prompt: number;
  readonly completion: number;
}

function readTotals(reported: JsonRecord, cacheTokens: number, promptEstimate: number | undefined): Totals {
  const prompt = countOf(reported.prompt_tokens) ?? countOf(reported.input_tokens);
  const completion = countOf(reported.completion_tokens) ?? countOf(reported.output_tokens);
  const total = countOf(reported.total_tokens) ?? 0;
  if ((prompt ?? 0) === 0 && (completion ?? 0) === 0) {
    const promptPart = Math.min(total, promptEstimate ?? total);
    return { prompt: promptPart, completion: total - promptPart };
  }
  const surplus = Math.max(0, total - (prompt ?? 0) - (completion ?? 0));
  const surplusIsPrompt = prompt === undefined || (surplus > 0 && surplus === cacheTokens);
  return {
    prompt: (prompt ?? 0) + (surplusIsPrompt ? surplus : 0),
    completion: (completion ?? 0) + (surplusIsPrompt ? 0 : surplus),
  };
}

/** Truncates the details, in order, so that their sum is at most the total. */
function shareOut(total: number, parts: readonly number[]): readonly number[] {
  let rest = total;
  return parts.map((part) => {
    const share = Math.min(part, rest);
    rest -= share;
    return share;
  });
}

function firstCount(...values: readonly unknown[]): number {
  for (const value of values) {
    const count = countOf(value);
    if (count !== undefined) return count;
  }
  return 0;
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(Math.ceil(value)) && value >= 0
    ? Math.ceil(value)
    : undefined;
}
