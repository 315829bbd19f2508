import { type JsonRecord, isRecord, recordOf } from "../../shared/json-fields.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";

/**
 * What an answer or an event of Anthropic's format reports as consumed, undefined when it reports nothing. `input_tokens` is what neither came
 * from the cache nor was written to it; the prompt is the sum of the three. Later reports of a stream are cumulative and leave out what has not
 * changed, so that they are read on top of the earlier one. Source: https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
 */
export function readUsage(reported: unknown, earlier: Usage = NO_USAGE): Usage | undefined {
  if (!isRecord(reported)) return undefined;
  const plain = countOf(reported.input_tokens);
  const cached = countOf(reported.cache_read_input_tokens);
  const written = readCacheWrites(reported);
  const output = countOf(reported.output_tokens);
  if (plain === undefined && output === undefined) return undefined;
  const earlierPlain = earlier.promptTokens - earlier.cachedTokens - earlier.cacheWriteTokens;
  const cachedTokens = cached ?? earlier.cachedTokens;
  const cacheWriteTokens = written ?? earlier.cacheWriteTokens;
  const completionTokens = output ?? earlier.completionTokens;
  const thought = countOf(recordOf(reported.output_tokens_details).thinking_tokens) ?? earlier.reasoningTokens;
  return {
    ...NO_USAGE,
    promptTokens: (plain ?? earlierPlain) + cachedTokens + cacheWriteTokens,
    cachedTokens,
    cacheWriteTokens,
    completionTokens,
    reasoningTokens: Math.min(thought, completionTokens),
  };
}

function readCacheWrites(reported: JsonRecord): number | undefined {
  const byLifetime = recordOf(reported.cache_creation);
  const five = countOf(byLifetime.ephemeral_5m_input_tokens);
  const hour = countOf(byLifetime.ephemeral_1h_input_tokens);
  const total = countOf(reported.cache_creation_input_tokens);
  if (five === undefined && hour === undefined) return total;
  return Math.max(total ?? 0, (five ?? 0) + (hour ?? 0));
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && Number.isSafeInteger(Math.ceil(value))
    ? Math.ceil(value)
    : undefined;
}

/** Writes usage as the version of the format has it; what only Anthropic knows is null in the newer one and absent in the older. */
export function writeUsage(usage: Usage, version: string): JsonRecord {
  const { promptTokens, cachedTokens, cachedAudioTokens, cacheWriteTokens } = usage;
  const read = cachedTokens + cachedAudioTokens;
  return {
    input_tokens: promptTokens - read - cacheWriteTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: read,
    output_tokens: usage.completionTokens,
    ...(version === NEWER_VERSION && {
      cache_creation: null,
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
