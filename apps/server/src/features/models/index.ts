export type { ModelCatalogue } from "./list-models-of-types.ts";
export { registerModelCalls } from "./model.routes.ts";
