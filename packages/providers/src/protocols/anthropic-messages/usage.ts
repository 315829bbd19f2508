import { type JsonRecord, isRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { readDollars } from "../../shared/provider-dollars.ts";
import { DEAREST_TIER_FACTOR } from "../../shared/tiers.ts";
import { TOOL_FEES } from "../../shared/tool-fees.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";

/**
 * Reads the usage of an answer or event; undefined without one.
 *
 * `promptTokens = input_tokens + cache_read_input_tokens + cache_creation_input_tokens`
 *
 * Stream reports are cumulative but omit unchanged counts, and relays report zeros for unknown ones: `earlier` fills
 * both. The answering `model` decides the price of its speed.
 * Source: https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
 */
export function readUsage(reported: unknown, model: string, earlier: Usage = NO_USAGE): Usage | undefined {
  if (!isRecord(reported)) return undefined;
  const plain = countOf(reported.input_tokens);
  const output = countOf(reported.output_tokens);
  if (plain === undefined && output === undefined) return undefined;
  const searches = countOf(recordOf(reported.server_tool_use).web_search_requests) ?? 0;
  const completionTokens = output || earlier.completionTokens;
  const thought = countOf(recordOf(reported.output_tokens_details).thinking_tokens) ?? earlier.reasoningTokens;
  return {
    ...NO_USAGE,
    ...readPrompt(reported, plain, earlier),
    completionTokens,
    reasoningTokens: Math.min(thought, completionTokens),
    toolFees: Math.max(searches * TOOL_FEES.claudeSearch, earlier.toolFees),
    priceFactor: Math.max(earlier.priceFactor, priceFactorOf(reported, model)),
    namesTier: earlier.namesTier || (reported.speed ?? undefined) !== undefined,
    providerDollars: Math.max(readDollars(reported), earlier.providerDollars),
  };
}

type PromptParts = Pick<Usage, "promptTokens" | "cachedTokens" | "cacheWriteTokens" | "longCacheWriteTokens">;

/** Reads the prompt counts. Retains the earlier ones if the sum shrinks because a count is now zero. */
function readPrompt(reported: JsonRecord, plain: number | undefined, earlier: Usage): PromptParts {
  const cachedTokens = countOf(reported.cache_read_input_tokens) ?? earlier.cachedTokens;
  const { cacheWriteTokens, longCacheWriteTokens } = readCacheWrites(reported, earlier);
  const earlierPlain = plainOf(earlier);
  const cached = cachedTokens + cacheWriteTokens + longCacheWriteTokens;
  const promptTokens = (plain ?? earlierPlain) + cached;
  const earlierWrites = earlier.cacheWriteTokens + earlier.longCacheWriteTokens;
  const hasNewZero =
    (plain === 0 && earlierPlain > 0) ||
    (cachedTokens === 0 && earlier.cachedTokens > 0) ||
    (cacheWriteTokens + longCacheWriteTokens === 0 && earlierWrites > 0);
  if (hasNewZero && promptTokens < earlier.promptTokens) return earlier;
  return { promptTokens, cachedTokens, cacheWriteTokens, longCacheWriteTokens };
}

function plainOf({ promptTokens, cachedTokens, cacheWriteTokens, longCacheWriteTokens }: PromptParts): number {
  return promptTokens - cachedTokens - cacheWriteTokens - longCacheWriteTokens;
}

/**
 * Adds the tokens of compaction summaries, which the totals exclude.
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

function readWholeUsage(reported: unknown, model: string): Usage | undefined {
  const usage = readUsage(reported, model);
  return usage && withSummaries(usage, reported);
}

type CacheWrites = Pick<Usage, "cacheWriteTokens" | "longCacheWriteTokens">;

/** The report at a stream's end has only the sum; the earlier one splits it by lifetime. */
function readCacheWrites(reported: JsonRecord, earlier: CacheWrites): CacheWrites {
  const byLifetime = recordOf(reported.cache_creation);
  const hour = countOf(byLifetime.ephemeral_1h_input_tokens) ?? earlier.longCacheWriteTokens;
  const five = countOf(byLifetime.ephemeral_5m_input_tokens);
  const total = countOf(reported.cache_creation_input_tokens);
  const cacheWriteTokens = Math.max(five ?? 0, (total ?? earlier.cacheWriteTokens + hour) - hour);
  return { cacheWriteTokens, longCacheWriteTokens: hour };
}

/**
 * Fast Opus costs twice as much from 4.8 on, and cost six times before. Other fast models are charged at the highest
 * factor.
 */
const FAST_FACTORS: readonly (readonly [RegExp, number])[] = [[/claude-opus-(?:4-8|5|5-5)(?:-\d{8})?$/, 2]];
/** For answers that must be generated in the United States. */
const PLACE_FACTOR = 1.1;
/** Regions and speeds without an extra price. Models without a choice of region report `not_available`. */
const USUAL_PLACES: ReadonlySet<unknown> = new Set([undefined, null, "", "global", "not_available"]);
const USUAL_SPEEDS: ReadonlySet<unknown> = new Set([undefined, null, "", "standard"]);
/**
 * The first three are for requests; `priority` is prepaid capacity; batches have their own price. Source:
 * https://docs.anthropic.com/en/api/service-tiers
 */
const SERVICE_TIERS: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  "auto",
  "standard_only",
  "standard",
  "priority",
  "batch",
]);

/**
 * Price factor of speed, region and tier, as requested or reported. Unknown values are charged at the highest factor.
 * Sources: https://docs.anthropic.com/en/docs/about-claude/pricing,
 * https://platform.claude.com/docs/en/build-with-claude/fast-mode
 */
export function priceFactorOf({ speed, inference_geo: place, service_tier: tier }: JsonRecord, model: string): number {
  const known = FAST_FACTORS.find(([family]) => speed === "fast" && family.test(model))?.[1];
  const fast = USUAL_SPEEDS.has(speed) ? 1 : (known ?? DEAREST_TIER_FACTOR);
  const dearest = SERVICE_TIERS.has(tier) ? fast : DEAREST_TIER_FACTOR;
  return dearest * (USUAL_PLACES.has(place) ? 1 : PLACE_FACTOR);
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && Number.isSafeInteger(Math.ceil(value))
    ? Math.ceil(value)
    : undefined;
}

export class ToolBlocks {
  #searches = 0;
  #hasRunCode = false;

  /** Counts a block. A failed search has an error instead of results, and is free. */
  note({ type, content }: JsonRecord): void {
    if (type === "web_search_tool_result" && Array.isArray(content)) this.#searches += 1;
    if (typeof type === "string" && type.endsWith("code_execution_tool_result")) this.#hasRunCode = true;
  }

  get fees(): number {
    return this.#searches * TOOL_FEES.claudeSearch + (this.#hasRunCode ? TOOL_FEES.claudeCode : 0);
  }
}

/** Usage of a whole answer. Fees of its blocks replace lower reported fees. Undefined if it has neither. */
export function readAnswerUsage(answer: unknown): Usage | undefined {
  const { usage: reported, model, content } = recordOf(answer);
  const usage = readWholeUsage(reported, textOf(model));
  const tools = new ToolBlocks();
  for (const block of listOf(content)) tools.note(recordOf(block));
  if (tools.fees <= (usage?.toolFees ?? 0)) return usage;
  return { ...(usage ?? NO_USAGE), toolFees: tools.fees };
}

/**
 * Writes usage in the version's form. Fields that only Anthropic knows are null in the newer version and absent in the
 * older.
 */
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

/** Source: https://docs.anthropic.com/en/api/versioning */
export const OLDER_VERSION = "2023-06-01";
export const NEWER_VERSION = "2026-10-21";
