import { OPTION_DEFINITIONS } from "@one-api/contract/option";
import { TOKENS_OF_UNIT } from "@one-api/contract/prices/price-unit";
import { formatRatios, OPTION_RATIOS, parseRatios, RATIO_KEYS, type RatioKey } from "@one-api/contract/prices/ratios";
import type { GatewayRules, SetRatios } from "./gateway-rules.ts";
import type { ImportFindings } from "./import-findings.ts";
import { type OldPrices, oldGroupRatio } from "./money/old-prices.ts";
import type { PlannedSettings } from "./plan-settings.ts";

const NOUN = "setting";
/** Type of a channel that takes prices from all lists. */
export const ANY_TYPE = 8;

/** Ratios of the new server after the import. */
export function ratiosOf(settings: PlannedSettings): SetRatios {
  const read = (key: RatioKey) =>
    parseRatios(settings.get(key) ?? OPTION_DEFINITIONS[key].default, OPTION_RATIOS).entries ?? new Map();
  const [ModelRatio, CompletionRatio, GroupRatio] = RATIO_KEYS.map(read);
  return {
    ModelRatio: ModelRatio ?? new Map(),
    CompletionRatio: CompletionRatio ?? new Map(),
    GroupRatio: GroupRatio ?? new Map(),
  };
}

/**
 * Adds the prices of new-api that ratios can express, and reports the others.
 *
 * - ModelPrice of models that are priced by pictures or searches, one of which is a request
 * - GroupGroupRatio of users whose tokens have their own group
 */
export function planPrices(
  settings: PlannedSettings,
  prices: OldPrices,
  rules: Pick<GatewayRules, "priceOf">,
  findings: ImportFindings,
): PlannedSettings {
  const ratios = ratiosOf(settings);
  const models = new Map(ratios.ModelRatio);
  for (const [model, dollars] of prices.modelPrices) {
    const { unit } = rules.priceOf(ratios, { model, type: ANY_TYPE, group: "default" });
    const ratio = (dollars * prices.quotaPerDollar) / TOKENS_OF_UNIT[unit].tokens;
    const perRequest = unit === "image" || unit === "search";
    if (perRequest && ratio <= OPTION_RATIOS.max) {
      models.set(model, Number(ratio.toPrecision(12)));
      findings.change(NOUN, `ModelPrice, ${model}`, `is the ModelRatio ${models.get(model)} here, for each ${unit}`);
    } else
      findings.leaveOut(NOUN, `ModelPrice, ${model}`, `$${dollars} for a request there; here requests have no price of their own`);
  } // prettier-ignore
  const groups = new Map(ratios.GroupRatio);
  for (const group of prices.specialGroupRatios.keys()) {
    const ratio = oldGroupRatio(prices, { ofUser: group, ofToken: group });
    if (ratio === (groups.get(group) ?? 1) || ratio > OPTION_RATIOS.max) continue;
    groups.set(group, ratio);
    findings.change(NOUN, `GroupRatio, ${group}`, `is ${ratio}, as GroupGroupRatio has it for users of this group`);
  }
  const changed = new Map(settings);
  if (models.size > 0) changed.set("ModelRatio", formatRatios(models));
  if (prices.specialGroupRatios.size > 0) changed.set("GroupRatio", formatRatios(groups));
  return changed;
}
