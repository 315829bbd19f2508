export type { ModelCatalogue } from "./model-catalogue.ts";
export { registerModelCalls } from "./model.routes.ts";
