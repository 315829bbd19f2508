export { insertRedemptions } from "./redemption.repository.ts";
export { registerRedemptionCalls } from "./redemption.routes.ts";
