import * as calls from "@one-api/contract/model";
import type { CallRegistry } from "../../core/call-registry.ts";
import { listAllModels } from "./list-all-models.ts";
import { listModelsOfTypes } from "./list-models-of-types.ts";
import type { ModelCatalogue } from "./model-catalogue.ts";

/** Hands in the calls that list models. */
export function registerModelCalls(registry: CallRegistry, catalogue: ModelCatalogue): void {
  registry.register(calls.listModelsOfTypes, async ({ context }) => listModelsOfTypes(context.database.db, catalogue));
  registry.register(calls.listAllModels, async ({ context }) => listAllModels(context.database.db, catalogue));
}
