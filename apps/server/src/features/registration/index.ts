export { type AccountDeps, createAccount } from "./create-account.ts";
export { recoverRoot } from "./recover-root.ts";
export { registerRegistrationCalls } from "./registration.routes.ts";
