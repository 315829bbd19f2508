import { OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";
import { type DatedPrice, formatPrices, isPriceInDollars, parsePrices } from "@one-api/contract/prices/model-prices";
import { formatRatios, OPTION_RATIOS, parseRatios, RATIO_KEYS, type RatioKey } from "@one-api/contract/prices/ratios";
import type { GatewayRules, SetPrices } from "./gateway-rules.ts";
import type { ImportFindings } from "./import-findings.ts";
import { type OldPrices, oldGroupRatio } from "./money/old-prices.ts";
import { ANY_TYPE, kindPrices } from "./plan-kind-prices.ts";
import type { PlannedSettings } from "./plan-settings.ts";

const NOUN = "setting";
/** Prices here are in dollars of this amount of quota, independent of the option QuotaPerUnit. */
const QUOTA_PER_DOLLAR = 500_000;

/** Ratios and prices of the new server after the import. */
export function setPricesOf(settings: PlannedSettings): SetPrices {
  const textOf = (key: RatioKey | "ModelPrices") => settings.get(key) ?? OPTION_DEFINITIONS[key].default;
  const read = (key: RatioKey) => parseRatios(textOf(key), OPTION_RATIOS).entries ?? new Map<string, number>();
  const [ModelRatio = new Map(), CompletionRatio = new Map(), GroupRatio = new Map()] = RATIO_KEYS.map(read);
  return {
    ModelRatio,
    CompletionRatio,
    GroupRatio,
    ModelPrices: parsePrices(textOf("ModelPrices")).prices ?? new Map(),
  };
}

/**
 * Adds the prices of new-api beside ratios of models, and reports the others.
 *
 * | there | here |
 * |---|---|
 * | ModelPrice | ModelPrices, for a request or an image |
 * | CacheRatio, CreateCacheRatio, ImageRatio, AudioRatio, AudioCompletionRatio | ModelPrices in dollars, with the ModelRatio there |
 * | GroupGroupRatio of users whose tokens have their own group | GroupRatio |
 */
export function planPrices(
  settings: PlannedSettings,
  prices: OldPrices,
  rules: Pick<GatewayRules, "priceOf">,
  findings: ImportFindings,
): PlannedSettings {
  const set = setPricesOf(settings);
  const models = new Map(set.ModelPrices);
  for (const [model, dollars] of prices.modelPrices) {
    const { unit } = rules.priceOf(set, { model, type: ANY_TYPE, group: "default" });
    const price = perUse(unit === "image" ? "per_image" : "per_request", (dollars * prices.quotaPerDollar) / QUOTA_PER_DOLLAR); // prettier-ignore
    if (isPriceInDollars(price)) models.set(model, [price]);
    else findings.leaveOut(NOUN, `ModelPrice, ${model}`, `$${dollars} is no price that a model can have here`);
  }
  for (const [model, price] of kindPrices(prices, set, rules, findings))
    if (!prices.modelPrices.has(model)) models.set(model, [price]);
  const changed = new Map(settings);
  if (models.size > 0) {
    changed.set("ModelPrices", formatPrices(models));
    findings.change(NOUN, "ModelPrices", `has ${models.size === 1 ? "1 price" : `${models.size} prices`}, from ModelPrice and the ratios of cache, images and audio`);
  } // prettier-ignore
  const groups = planGroupRatios(set, prices, findings);
  if (prices.specialGroupRatios.size > 0) changed.set("GroupRatio", formatRatios(groups));
  return changed;
}

const DIGITS = 12;

function perUse(name: "per_image" | "per_request", dollars: number): DatedPrice {
  return { [name]: Number(dollars.toPrecision(DIGITS)) };
}

function planGroupRatios(set: SetPrices, prices: OldPrices, findings: ImportFindings): ReadonlyMap<string, number> {
  const groups = new Map(set.GroupRatio);
  for (const group of prices.specialGroupRatios.keys()) {
    const ratio = oldGroupRatio(prices, { ofUser: group, ofToken: group });
    if (ratio === (groups.get(group) ?? 1) || ratio > OPTION_RATIOS.max) continue;
    groups.set(group, ratio);
    findings.change(NOUN, `GroupRatio, ${group}`, `is ${ratio}, as GroupGroupRatio has it for users of this group`);
  }
  return groups;
}
