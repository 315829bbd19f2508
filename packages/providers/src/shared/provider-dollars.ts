import { isRecord, type JsonRecord } from "./json-fields.ts";

/** Ticks per dollar. Source: https://docs.x.ai/developers/cost-tracking */
const TICKS_PER_DOLLAR = 1e10;

/**
 * Returns the cost in a usage report, in dollars; 0 without one. Names:
 *
 * | Provider | Field |
 * |---|---|
 * | OpenRouter, Vercel | `cost`, and with the operator's own key at the upstream provider `cost_details.upstream_inference_cost` |
 * | Perplexity | `cost.total_cost`, or its components (`cost.request_cost` and so on) |
 * | xAI | `cost_in_usd_ticks` |
 * | DeepInfra | `estimated_cost` |
 *
 * Sources: https://openrouter.ai/docs/use-cases/usage-accounting, https://docs.perplexity.ai/docs/getting-started/pricing,
 * https://docs.x.ai/developers/cost-tracking
 */
export function readDollars(report: JsonRecord): number {
  const { cost, cost_in_usd_ticks: ticks, estimated_cost: estimated, total_cost: total } = report;
  if (cost === undefined && ticks === undefined && estimated === undefined && total === undefined) return 0;
  return Math.max(
    isRecord(cost) ? dollarsOfParts(cost) : amountOf(cost) + upstreamDollars(report),
    amountOf(ticks) / TICKS_PER_DOLLAR,
    amountOf(estimated),
    amountOf(total),
  );
}

/** Costs in another currency count as 0. */
function dollarsOfParts({ total_cost: total, currency = "USD", ...parts }: JsonRecord): number {
  if (currency !== "USD") return 0;
  const sum = Object.entries(parts).reduce((dollars, [name, part]) => dollars + (isCost(name) ? amountOf(part) : 0), 0);
  return Math.max(amountOf(total), sum);
}

function isCost(name: string): boolean {
  return name.endsWith("_cost");
}

/** With the operator's own key at the upstream provider, `cost` is OpenRouter's fee alone. */
function upstreamDollars({ is_byok: isOwnKey, cost_details: details }: JsonRecord): number {
  return isOwnKey === true && isRecord(details) ? amountOf(details.upstream_inference_cost) : 0;
}

function amountOf(value: unknown): number {
  const amount = typeof value === "string" && value.length <= 40 ? Number(value) : value;
  return typeof amount === "number" && Number.isFinite(amount) && amount > 0 ? amount : 0;
}
