export { createModelAliases, type ModelAliases, modelsOf, withAliases } from "./model-aliases.ts";
