export { followPriceList, type PriceListReader, type ReadableList } from "./follow-price-list.ts";
export { effectOn, type PriceOf } from "./estimate-price-effect.ts";
export { type KnownModel, listKnownModels } from "./list-listed-prices.ts";
export { alertRefusedModels } from "./alert-refused-models.ts";
export {
  type FindRefused,
  listRefusedModels,
  MODEL_WITHOUT_PRICE,
  type RefusedModelsDeps,
} from "./list-refused-models.ts";
export { followPublishedPrices } from "./follow-published-prices.ts";
export type { PriceListDependencies } from "./change-price-list.ts";
export { type FindUnpriced, type ListPrices, registerPricingCalls } from "./pricing.routes.ts";
