export { type AccountDeps, createAccount } from "./create-account.ts";
export { registerRegistrationCalls } from "./registration.routes.ts";
