import type { Queryable } from "../../core/transaction.ts";
import type { ModelCatalogue } from "./model-catalogue.ts";
import { modelsOfTypes } from "./models-of-types.ts";

/** Model names of every channel type, keyed by the type's number. */
export async function listModelsOfTypes(
  queryable: Queryable,
  catalogue: ModelCatalogue,
): Promise<Record<string, string[]>> {
  const ofTypes = await modelsOfTypes(queryable, catalogue);
  return Object.fromEntries([...ofTypes].map(([type, models]) => [String(type), [...models]]));
}
