import { modelMappingSchema } from "@one-api/contract/channel";

/** The stored mapping: the model that a caller names to the one that the provider is asked for. Empty for an empty text. */
export function readModelMapping(text: string): ReadonlyMap<string, string> {
  return text === "" ? new Map() : new Map(Object.entries(modelMappingSchema.parse(JSON.parse(text))));
}
