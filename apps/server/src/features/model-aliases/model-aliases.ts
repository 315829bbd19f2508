import { entriesOfAlias, type ModelAlias, modelAliasesSchema } from "@one-api/contract/channels/model-aliases";
import type { OptionStore } from "../../core/option-store.ts";

export interface ModelAliases {
  find(name: string): ModelAlias | undefined;
  names(): Iterable<string>;
}

/** Reads the option ModelAliases once after each change. */
export function createModelAliases(options: Pick<OptionStore, "text" | "generation">): ModelAliases {
  let [generation, byName] = [-1, new Map<string, ModelAlias>()];
  const aliases = () => {
    if (generation !== options.generation()) {
      generation = options.generation();
      const text = options.text("ModelAliases");
      byName = new Map(text === "" ? [] : Object.entries(modelAliasesSchema.parse(JSON.parse(text))));
    }
    return byName;
  };
  return { find: (name) => aliases().get(name), names: () => aliases().keys() };
}

/** Returns the models of an alias in the order in which they are listed. */
export function modelsOf(alias: ModelAlias): readonly string[] {
  return entriesOfAlias(alias).map(({ model }) => model);
}

/** Adds the aliases of at least one of these models. Returns all names once. */
export function withAliases(aliases: ModelAliases, models: readonly string[]): string[] {
  const served = new Set(models);
  const names = [...aliases.names()].filter((name) =>
    modelsOf(aliases.find(name) ?? []).some((model) => served.has(model)),
  );
  return [...new Set([...models, ...names])];
}
