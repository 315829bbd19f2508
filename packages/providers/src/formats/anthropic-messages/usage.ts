import { type JsonRecord, isRecord, listOf, recordOf } from "../../shared/json-fields.ts";
import { TOOL_FEES } from "../../shared/tool-fees.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";

/**
 * What an answer or an event of Anthropic's format reports as consumed, undefined when it reports nothing. `input_tokens` is what neither came
 * from the cache nor was written to it; the prompt is the sum of the three. Later reports of a stream are cumulative and leave out what has not
 * changed, so that they are read on top of the earlier one. A report that knows of no prompt is none: relays in front of other models write such
 * ones. `model` is the one that answered, whose speed has its own price.
 * Source: https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
 */
export function readUsage(reported: unknown, model: string, earlier: Usage = NO_USAGE): Usage | undefined {
  if (!isRecord(reported)) return undefined;
  const plain = countOf(reported.input_tokens);
  const output = countOf(reported.output_tokens);
  if (plain === undefined && output === undefined) return undefined;
  const cachedTokens = countOf(reported.cache_read_input_tokens) ?? earlier.cachedTokens;
  const { cacheWriteTokens, longCacheWriteTokens } = readCacheWrites(reported, earlier);
  const earlierPlain =
    earlier.promptTokens - earlier.cachedTokens - earlier.cacheWriteTokens - earlier.longCacheWriteTokens;
  const promptTokens = (plain ?? earlierPlain) + cachedTokens + cacheWriteTokens + longCacheWriteTokens;
  if (promptTokens === 0) return undefined;
  const searches = countOf(recordOf(reported.server_tool_use).web_search_requests);
  const completionTokens = output ?? earlier.completionTokens;
  const thought = countOf(recordOf(reported.output_tokens_details).thinking_tokens) ?? earlier.reasoningTokens;
  return {
    ...NO_USAGE,
    promptTokens,
    cachedTokens,
    cacheWriteTokens,
    longCacheWriteTokens,
    completionTokens,
    reasoningTokens: Math.min(thought, completionTokens),
    toolFees: searches === undefined ? earlier.toolFees : searches * TOOL_FEES.claudeSearch,
    priceFactor: Math.max(earlier.priceFactor, readPriceFactor(reported, model)),
  };
}

/**
 * The same with the summaries of the conversation that were made on the way: the report has them beside its totals.
 * Source: https://platform.claude.com/docs/en/build-with-claude/compaction
 */
export function withSummaries(usage: Usage, reported: unknown): Usage {
  let sum = usage;
  for (const each of listOf(recordOf(reported).iterations).map(recordOf)) {
    const made = each.type === "compaction" ? readUsage(each, "") : undefined;
    if (made === undefined) continue;
    sum = {
      ...sum,
      promptTokens: sum.promptTokens + made.promptTokens,
      cachedTokens: sum.cachedTokens + made.cachedTokens,
      cacheWriteTokens: sum.cacheWriteTokens + made.cacheWriteTokens,
      longCacheWriteTokens: sum.longCacheWriteTokens + made.longCacheWriteTokens,
      completionTokens: sum.completionTokens + made.completionTokens,
    };
  }
  return sum;
}

/** What a whole answer reports, summaries included; undefined as in `readUsage`. */
export function readWholeUsage(reported: unknown, model: string): Usage | undefined {
  const usage = readUsage(reported, model);
  return usage && withSummaries(usage, reported);
}

type CacheWrites = Pick<Usage, "cacheWriteTokens" | "longCacheWriteTokens">;

/** Reports at the end of a stream name the sum alone, which the earlier one has split by lifetime. */
function readCacheWrites(reported: JsonRecord, earlier: CacheWrites): CacheWrites {
  const byLifetime = recordOf(reported.cache_creation);
  const hour = countOf(byLifetime.ephemeral_1h_input_tokens) ?? earlier.longCacheWriteTokens;
  const five = countOf(byLifetime.ephemeral_5m_input_tokens);
  const total = countOf(reported.cache_creation_input_tokens);
  const cacheWriteTokens = Math.max(five ?? 0, (total ?? earlier.cacheWriteTokens + hour) - hour);
  return { cacheWriteTokens, longCacheWriteTokens: hour };
}

/** Opus costs twice as much when it is fast from 4.8 on, and cost six times before; what else is fast is taken at the dearest. */
const FAST_FACTORS: readonly (readonly [RegExp, number])[] = [[/claude-opus-(?:4-8|5|5-5)(?:-\d{8})?$/, 2]];
const DEAREST_FAST_FACTOR = 6;
/** Answers that must be made in the United States. */
const PLACE_FACTOR = 1.1;

/** Sources: https://docs.anthropic.com/en/docs/about-claude/pricing, https://platform.claude.com/docs/en/build-with-claude/fast-mode */
function readPriceFactor({ speed, inference_geo: place }: JsonRecord, model: string): number {
  const fast = FAST_FACTORS.find(([family]) => family.test(model))?.[1] ?? DEAREST_FAST_FACTOR;
  return (speed === "fast" ? fast : 1) * (place === "us" ? PLACE_FACTOR : 1);
}

/** The most that a request's wishes can multiply the price of its tokens by. */
export function mostPriceFactor({ speed, inference_geo: place }: JsonRecord): number {
  const fast = speed === undefined || speed === null || speed === "standard" ? 1 : DEAREST_FAST_FACTOR;
  return fast * (place === undefined || place === null || place === "global" ? 1 : PLACE_FACTOR);
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && Number.isSafeInteger(Math.ceil(value))
    ? Math.ceil(value)
    : undefined;
}

/** What a block of content tells of what a tool cost, in fees. A search that has failed has an error in the place of what it found, and costs nothing. */
export function feesOfBlock({ type, content }: JsonRecord): number {
  return type === "web_search_tool_result" && Array.isArray(content) ? TOOL_FEES.claudeSearch : 0;
}

/** Writes usage as the version of the format has it; what only Anthropic knows is null in the newer one and absent in the older. */
export function writeUsage(usage: Usage, version: string): JsonRecord {
  const { promptTokens, cacheWriteTokens: five, longCacheWriteTokens: hour } = usage;
  const read = usage.cachedTokens + usage.cachedAudioTokens;
  return {
    input_tokens: promptTokens - read - five - hour,
    cache_creation_input_tokens: five + hour,
    cache_read_input_tokens: read,
    output_tokens: usage.completionTokens,
    ...(version === NEWER_VERSION && {
      cache_creation: { ephemeral_5m_input_tokens: five, ephemeral_1h_input_tokens: hour },
      output_tokens_details: { thinking_tokens: usage.reasoningTokens },
      server_tool_use: null,
      service_tier: null,
      speed: null,
      inference_geo: null,
    }),
  };
}

/** The versions of the format: https://docs.anthropic.com/en/api/versioning */
export const OLDER_VERSION = "2023-06-01";
export const NEWER_VERSION = "2026-10-21";
