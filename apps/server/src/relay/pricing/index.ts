export { clampUsage } from "./clamp-usage.ts";
export { FEE_QUOTA } from "./charge-terms.ts";
export { affordableCompletion, chargeUpperBound, type UsageUpperBound } from "./charge-upper-bound.ts";
export { ChargeTotal } from "./charge-total.ts";
export { computeCharge, computeCost, toUsageCharge } from "./compute-charge.ts";
export { isAboveCeiling, type PriceCeiling } from "./price-ceiling.ts";
export {
  costOfModel,
  type Price,
  priceModel,
  type PriceOptions,
  pricesHoldUntil,
  type PriceStep,
  refusesUnpriced,
} from "./price-model.ts";
