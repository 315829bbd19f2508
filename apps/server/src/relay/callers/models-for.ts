import type { ModelAlias } from "@one-api/contract/channels/model-aliases";
import { type ModelAliases, modelsOf } from "../../features/model-aliases/index.ts";
import type { Caller } from "./caller-source.ts";
import { checkModel } from "./check-model.ts";

interface ModelServices {
  readonly aliases: ModelAliases;
  /** Returns a number from 0 up to but not 1. */
  readonly random: () => number;
}

interface NamedModels {
  readonly model: string;
  readonly fallbacks: { readonly models: readonly string[] };
}

/**
 * Returns the models that may answer a request, in the order in which they are tried: several for an alias and for a
 * request with fallbacks. Throws a 403 RelayError where the token does not allow a name.
 */
export function modelsFor(
  services: ModelServices,
  caller: Pick<Caller, "models">,
  { model, fallbacks }: NamedModels,
): readonly string[] {
  if (fallbacks.models.length === 0) return modelsOfName(services, caller, model);
  return [...new Set([model, ...fallbacks.models].flatMap((name) => modelsOfName(services, caller, name)))];
}

function modelsOfName(
  { aliases, random }: ModelServices,
  caller: Pick<Caller, "models">,
  name: string,
): readonly string[] {
  const alias = aliases.find(name);
  if (alias !== undefined) return inOrder(alias, allowedModels(caller, name, alias), random());
  checkModel(caller, name);
  return [name];
}

/** All models where the token names the alias itself. */
function allowedModels(
  { models: allowed }: Pick<Caller, "models">,
  name: string,
  alias: ModelAlias,
): readonly string[] {
  const models = modelsOf(alias);
  if (allowed === undefined || allowed.has(name)) return models;
  const left = models.filter((model) => allowed.has(model));
  if (left.length === 0) checkModel({ models: allowed }, name);
  return left;
}

/** With weights, the first model is drawn and the others follow by weight; a model of weight 0 is only a fallback. */
function inOrder(alias: ModelAlias, models: readonly string[], random: number): readonly string[] {
  if (Array.isArray(alias)) return models;
  const weightOf = (model: string) => alias[model] ?? 0;
  const byWeight = [...models].sort((left, right) => weightOf(right) - weightOf(left));
  let left = random * byWeight.reduce((sum, model) => sum + weightOf(model), 0);
  const drawn = byWeight.find((model) => {
    left -= weightOf(model);
    return left < 0;
  });
  return drawn === undefined ? byWeight : [drawn, ...byWeight.filter((model) => model !== drawn)];
}
