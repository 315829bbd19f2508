export { registerConfigurationCalls } from "./configuration.routes.ts";
