import { TOKENS_OF_UNIT } from "@one-api/contract/prices/price-unit";
import { splitList } from "@one-api/contract/texts";
import type { ForeignRow } from "@one-api/database/foreign/foreign-database";
import type { GatewayPrice, GatewayRules, SetPrices } from "../gateway-rules.ts";
import { type OldCharge, readOldCharge } from "./old-charge.ts";
import type { OldPrices } from "./old-prices.ts";
import type { ImportPlan } from "../plan-import.ts";
import { ANY_TYPE } from "../plan-kind-prices.ts";

/** Charges of one model that differ for one reason. Amounts in quota. */
interface ChargeDifference {
  readonly model: string;
  readonly reason: string;
  entries: number;
  there: number;
  here: number;
}

export interface ComparedCharges {
  equal: number;
  /** Entries that differ by one quota: new-api rounds to the nearest, this product rounds up. */
  rounded: number;
  /** Entries without a model, tokens or imported user. */
  skipped: number;
  /** Entries whose charge in the log differs from that of the present old settings. */
  repriced: number;
  readonly differences: readonly ChargeDifference[];
}

interface Comparison {
  readonly plan: Pick<ImportPlan, "product" | "users" | "channels">;
  readonly prices: OldPrices;
  readonly ratios: SetPrices;
  readonly rules: Pick<GatewayRules, "priceOf">;
}

/** Computes charges of the old log by the old formula and by the gateway's. */
export function compareCharges(rows: readonly ForeignRow[], comparison: Comparison): ComparedCharges {
  const { plan, prices, ratios, rules } = comparison;
  const types = new Map(plan.channels.map(({ id, fields }) => [id, fields.type]));
  const differences = new Map<string, ChargeDifference>();
  const compared = { equal: 0, rounded: 0, skipped: 0, repriced: 0 };
  for (const row of rows) {
    const user = plan.users.get(Number(row["user_id"]));
    if (user === undefined) {
      compared.skipped += 1;
      continue;
    }
    const [group = "default"] = splitList(user.group);
    const type = types.get(Number(row["channel_id"])) ?? ANY_TYPE;
    const old = readOldCharge(row, { product: plan.product, prices, group, type });
    const price = rules.priceOf(ratios, { model: old.upstreamModel, type, group });
    const amounts = amountsOf(old, price, prices);
    const isByTokens = amounts !== undefined && price.unit === "token" && old.besides.length === 0;
    if (isByTokens && old.computed !== undefined && Math.abs(old.computed - old.logged) > 1) compared.repriced += 1;
    if (amounts === undefined) compared.skipped += 1;
    else if (amounts.there === amounts.here) compared.equal += 1;
    else if (Math.abs(amounts.there - amounts.here) <= 1) compared.rounded += 1;
    else addDifference(differences, old.model, reasonOf(old, price), amounts);
  }
  return { ...compared, differences: [...differences.values()].toSorted(bySize) };
}

interface Amounts {
  readonly there: number;
  readonly here: number;
}

/** Charges of an entry. A model that is priced by other units than tokens is compared by one unit, since the log lacks their number. */
function amountsOf(old: OldCharge, price: GatewayPrice, { quotaPerDollar }: OldPrices): Amounts | undefined {
  if (old.model === "") return undefined;
  if (price.unit !== "token") {
    const there = ofOneUnit(old, price, quotaPerDollar);
    return there === undefined ? undefined : { there: Math.ceil(there), here: price.charge(old.tokens) };
  }
  if (old.tokens.promptTokens + old.tokens.completionTokens === 0) return undefined;
  const explained = old.computed !== undefined && old.besides.length === 0;
  return { there: explained ? (old.computed ?? old.logged) : old.logged, here: price.charge(old.tokens) };
}

/** Undefined if the price is unknown. */
function ofOneUnit({ ratios }: OldCharge, { unit }: GatewayPrice, quotaPerDollar: number): number | undefined {
  if (ratios.price !== undefined) return Number((ratios.price * quotaPerDollar * ratios.group).toPrecision(12));
  const { tokens, per } = TOKENS_OF_UNIT[unit];
  return ratios.model === undefined
    ? undefined
    : Number(((ratios.model * ratios.group * tokens) / per).toPrecision(12));
}

function reasonOf(old: OldCharge, price: GatewayPrice): string {
  const { ratios, tokens } = old;
  const reasons = old.besides.map((what) => `${what} there, which is not compared`);
  const differ = (what: string, there: number | undefined, here: number) => {
    if (there === undefined) reasons.push(`${what}: unknown there, ${shortened(here)} here`);
    else if (shortened(there) !== shortened(here))
      reasons.push(`${what}: ${shortened(there)} there, ${shortened(here)} here`);
  };
  differ("group ratio", ratios.group, price.groupRatio);
  if (ratios.price !== undefined)
    return [...reasons, `$${ratios.price} for a request there, a price by ${price.unit} here`].join("; ");
  const by = price.source === "option" ? "" : price.source === "list" ? " (maintained list)" : " (unknown model)";
  differ(`model ratio${by}`, ratios.model, price.modelRatio);
  if (tokens.completionTokens > 0) differ("completion ratio", ratios.completion, price.completionRatio);
  if (tokens.cachedTokens > 0) differ("ratio of cached tokens", ratios.cached, price.cachedRatio);
  if (tokens.cacheWriteTokens + tokens.longCacheWriteTokens > 0)
    differ("ratio of cache writes", ratios.cacheWrite, price.cacheWriteRatio);
  if (old.upstreamModel !== old.model) reasons.push(`priced as ${old.upstreamModel} here, the provider's model`);
  return reasons.length === 0 ? "the list has other prices for long prompts or other tokens" : reasons.join("; ");
}

function shortened(ratio: number): string {
  return String(Number(ratio.toPrecision(6)));
}

function addDifference(
  differences: Map<string, ChargeDifference>,
  model: string,
  reason: string,
  { there, here }: Amounts,
): void {
  const key = `${model}\n${reason}`;
  const difference = differences.get(key) ?? { model, reason, entries: 0, there: 0, here: 0 };
  difference.entries += 1;
  difference.there += there;
  difference.here += here;
  differences.set(key, difference);
}

function bySize(left: ChargeDifference, right: ChargeDifference): number {
  return Math.abs(right.there - right.here) - Math.abs(left.there - left.here);
}
