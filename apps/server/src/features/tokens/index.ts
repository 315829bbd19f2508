export { mailTokenAlerts } from "./alerts/mail-token-alerts.ts";
export { createDefaultToken } from "./create-token.ts";
export { findOwnToken, listTokensForOthers } from "./list-tokens.ts";
export {
  addFlaggedPrompts,
  isTokenInForce,
  prepareFindTokensForRelay,
  type TokenForRelay,
} from "./token-for-relay.repository.ts";
export { readSubnet } from "./read-subnet.ts";
export { insertToken, listTokenLimits } from "./token.repository.ts";
export { registerTokenCalls } from "./token.routes.ts";
