import * as calls from "@one-api/contract/prices/model";
import type { CallRegistry } from "../../core/call-registry.ts";
import { listAllModels } from "./list-all-models.ts";
import { listModelsOfTypes, type ModelCatalogue } from "./list-models-of-types.ts";

export function registerModelCalls(registry: CallRegistry, catalogue: ModelCatalogue): void {
  registry.register(calls.listModelsOfTypes, ({ context }) => listModelsOfTypes(context, catalogue));
  registry.register(calls.listAllModels, ({ context }) => listAllModels(context.database.db, catalogue));
}
