export { clampUsage } from "./clamp-usage.ts";
export {
  affordableCompletion,
  ChargeTotal,
  chargeUpperBound,
  computeCharge,
  computeCost,
  FEE_QUOTA,
  toUsageCharge,
  type UsageUpperBound,
} from "./compute-charge.ts";
export {
  costOfModel,
  type Price,
  priceModel,
  type PriceOptions,
  pricesHoldUntil,
  type PriceStep,
} from "./price-model.ts";
