export { keepPriceList, type PriceListKeeper, type PriceListReader, type ReadableList } from "./keep-price-list.ts";
export { type FindUnpriced, type ListPrices, registerPricingCalls } from "./pricing.routes.ts";
