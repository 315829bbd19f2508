import type { ForeignRow } from "@one-api/database/foreign/foreign-database";
import type { ChargedTokens } from "../gateway-rules.ts";
import { objectOf, quotaOf, textOf } from "../old-row.ts";
import { type OldPrices, oldGroupRatio, oldRatio } from "./old-prices.ts";
import type { OldProduct } from "../old-server.ts";

/** Ratios by which an old server charged; undefined for one that is neither in the entry nor in the settings. */
interface OldRatios {
  readonly model: number | undefined;
  readonly completion: number | undefined;
  readonly cached: number | undefined;
  readonly cacheWrite: number | undefined;
  readonly group: number;
  /** Dollars for a request; undefined for a price by tokens. */
  readonly price: number | undefined;
}

export interface OldCharge {
  readonly model: string;
  readonly upstreamModel: string;
  readonly tokens: ChargedTokens;
  readonly ratios: OldRatios;
  /** Charge in the log, in quota. */
  readonly logged: number;
  /** Charge by the formula, in quota; undefined if a ratio is unknown. */
  readonly computed: number | undefined;
  /** Kinds of charges that the formula lacks, in words. */
  readonly besides: readonly string[];
}

/** Fields of new-api's `other` that announce charges beside the formula. Source: its service/log_info_generate.go and service/text_quota.go. */
const BESIDES: readonly (readonly [string, string])[] = [
  ["billing_mode", "a price by an expression"],
  ["audio", "audio"],
  ["ws", "a realtime session"],
  ["image", "pictures in the prompt"],
  ["tool_surcharges", "fees of tools"],
  ["web_search", "fees of tools"],
  ["file_search", "fees of tools"],
  ["image_generation_call", "fees of tools"],
  ["audio_input_seperate_price", "audio"],
  ["task_id", "a task that ran longer"],
  ["is_task", "a task that ran longer"],
];

interface ChargeContext {
  readonly product: OldProduct;
  readonly prices: OldPrices;
  /** Group of the user now, since the log of One API names none. */
  readonly group: string;
  readonly type: number;
}

export function readOldCharge(row: ForeignRow, context: ChargeContext): OldCharge {
  const { product, prices } = context;
  const other = product === "new-api" ? objectOf(row, "other") : {};
  const model = textOf(row, "model_name");
  const recorded = recordedRatios(other, row, context);
  const ratios = product === "new-api" ? recorded : { ...recorded, cached: 1, cacheWrite: 1, price: undefined };
  const tokens = readTokens(row, other);
  const logged = quotaOf(row, "quota");
  const computed = product === "new-api" ? chargeOfNewApi(tokens, ratios, prices) : chargeOfOneApi(tokens, ratios);
  const isRecorded = typeof other["model_ratio"] === "number";
  const isUnexplained = isRecorded && computed !== undefined && Math.abs(computed - logged) > 1;
  return {
    model,
    upstreamModel: typeof other["upstream_model_name"] === "string" ? other["upstream_model_name"] : model,
    tokens,
    ratios,
    logged,
    computed,
    besides: besidesOf(other, isUnexplained),
  };
}

function besidesOf(other: Readonly<Record<string, unknown>>, isUnexplained: boolean): string[] {
  const named = [...new Set(BESIDES.flatMap(([field, text]) => (isSet(other[field]) ? [text] : [])))];
  return named.length === 0 && isUnexplained ? ["a charge that its ratios do not explain"] : named;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== "";
}

/** Ratios that the entry records win over settings: the program has defaults, and fixed ratios for some models. */
function recordedRatios(
  other: Readonly<Record<string, unknown>>,
  row: ForeignRow,
  { prices, group, type }: ChargeContext,
): OldRatios {
  const model = textOf(row, "model_name");
  const recorded = (name: string) => {
    const value = other[name];
    return typeof value === "number" && value >= 0 ? value : undefined;
  };
  const ofToken = textOf(row, "group") || group;
  const price = recorded("model_price");
  const isPriced = price !== undefined && (price > 0 || recorded("model_ratio") === 0);
  return {
    model: recorded("model_ratio") ?? oldRatio(prices.modelRatios, model, type),
    completion: recorded("completion_ratio") ?? oldRatio(prices.completionRatios, model, type) ?? completionInText(row),
    cached: recorded("cache_ratio") ?? prices.cacheRatios.get(model),
    cacheWrite: recorded("cache_creation_ratio") ?? prices.cacheWriteRatios.get(model),
    group: recorded("group_ratio") ?? oldGroupRatio(prices, { ofUser: group, ofToken }),
    price: isPriced ? price : other["model_price"] === undefined ? prices.modelPrices.get(model) : undefined,
  };
}

/** One API writes its ratios into the text, with two digits: `倍率：0.07 × 1.00 × 4.00`. The completion ratio is the last. */
function completionInText(row: ForeignRow): number | undefined {
  const found = /(?:×|补全倍率) ?(\d+\.\d\d)$/.exec(textOf(row, "content"))?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Claude's report counts cached tokens beside the prompt; all others count them in it. */
function readTokens(row: ForeignRow, other: Readonly<Record<string, unknown>>): ChargedTokens {
  const counted = (name: string) => {
    const value = other[name];
    return typeof value === "number" && value > 0 ? value : 0;
  };
  const cachedTokens = counted("cache_tokens");
  const longCacheWriteTokens = counted("cache_creation_tokens_1h");
  const written = Math.max(
    counted("cache_creation_tokens"),
    counted("cache_creation_tokens_5m") + longCacheWriteTokens,
  );
  const isBeside = other["claude"] === true || other["usage_semantic"] === "anthropic";
  const beside = isBeside ? cachedTokens + written : 0;
  return {
    promptTokens: quotaOf(row, "prompt_tokens") + beside,
    completionTokens: quotaOf(row, "completion_tokens"),
    cachedTokens,
    cacheWriteTokens: written - longCacheWriteTokens,
    longCacheWriteTokens,
  };
}

/** ceil((prompt + completion × completion ratio) × model ratio × group ratio), at least 1. */
function chargeOfOneApi(tokens: ChargedTokens, { model, completion, group }: OldRatios): number | undefined {
  const { promptTokens, completionTokens } = tokens;
  if (promptTokens + completionTokens === 0) return 0;
  if (model === undefined || (completion === undefined && completionTokens > 0)) return undefined;
  const charge = Math.ceil((promptTokens + completionTokens * (completion ?? 1)) * model * group);
  return model * group > 0 ? Math.max(1, charge) : charge;
}

/** Factor of cache writes for an hour over those for five minutes at Claude. */
const LONG_CACHE_FACTOR = 1.6;

/** Like One API, with ratios of cached tokens, prices of requests, and rounding to the nearest quota. */
function chargeOfNewApi(tokens: ChargedTokens, ratios: OldRatios, { quotaPerDollar }: OldPrices): number | undefined {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, longCacheWriteTokens } = tokens;
  if (promptTokens + completionTokens === 0) return 0;
  if (ratios.price !== undefined) return Math.round(ratios.price * quotaPerDollar * ratios.group);
  const written = cacheWriteTokens + longCacheWriteTokens;
  const { model, completion, group } = ratios;
  const [cached, cacheWrite] = [
    ratios.cached ?? (cachedTokens > 0 ? undefined : 1),
    ratios.cacheWrite ?? (written > 0 ? undefined : 1),
  ];
  if (model === undefined || cached === undefined || cacheWrite === undefined) return undefined;
  if (completion === undefined && completionTokens > 0) return undefined;
  const prompt =
    Math.max(0, promptTokens - cachedTokens - written) +
    cachedTokens * cached +
    (cacheWriteTokens + longCacheWriteTokens * LONG_CACHE_FACTOR) * cacheWrite;
  const charge = Math.round((prompt + completionTokens * (completion ?? 1)) * model * group);
  return model * group > 0 ? Math.max(1, charge) : charge;
}
