export { type ListPrices, registerPricingCalls } from "./pricing.routes.ts";
