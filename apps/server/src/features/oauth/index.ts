export { registerOAuthCalls } from "./oauth.routes.ts";
