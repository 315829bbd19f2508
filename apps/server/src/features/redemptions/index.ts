export { registerRedemptionCalls } from "./redemption.routes.ts";
