export { addFlaggedPrompts, findTokenForRelay, type TokenForRelay } from "./token-for-relay.repository.ts";
export { registerTokenCalls } from "./token.routes.ts";
