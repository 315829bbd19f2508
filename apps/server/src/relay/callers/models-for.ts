import { type AliasEntry, entriesOfAlias, type ModelAlias } from "@one-api/contract/channels/model-aliases";
import { type RequestFacts, takesRequest } from "@one-api/contract/logs/alias-facts";
import { type ModelAliases, modelsOf } from "../../features/model-aliases/index.ts";
import type { PriceCeiling } from "../pricing/index.ts";
import { RelayError } from "../errors/index.ts";
import type { Caller } from "./caller-source.ts";
import { checkModel } from "./check-model.ts";

interface ModelServices {
  readonly aliases: ModelAliases;
  readonly random: () => number;
}

interface NamedModels {
  readonly model: string;
  readonly fallbacks: { readonly models: readonly string[] };
}

export interface NamedModel {
  readonly model: string;
  readonly ceiling?: PriceCeiling;
  /** Wait for the first token of a stream after which the next model is tried, in ms; absent without. */
  readonly firstTokenMs?: number;
}

/**
 * Returns the models that may answer a request, in the order in which they are tried: several for an alias and for a
 * request with fallbacks. `facts` is called for conditions only. Throws a RelayError where the token does not allow a name
 * (403), or no model of an alias takes the request (400).
 */
export function modelsFor(
  services: ModelServices,
  caller: Pick<Caller, "models">,
  { model, fallbacks }: NamedModels,
  facts: () => RequestFacts,
): readonly NamedModel[] {
  if (fallbacks.models.length === 0) return modelsOfName(services, caller, model, facts);
  const all = [model, ...fallbacks.models].flatMap((name) => modelsOfName(services, caller, name, facts));
  return all.filter((named, index) => all.findIndex((other) => other.model === named.model) === index);
}

/** Returns the requested name if it is an alias, else an empty text. */
export function aliasOf({ aliases }: Pick<ModelServices, "aliases">, { model }: Pick<NamedModels, "model">): string {
  return aliases.find(model) === undefined ? "" : model;
}

/** True if the caller may call one of the models, by its own name or by that of an alias. */
export function mayCallAny(
  { aliases }: Pick<ModelServices, "aliases">,
  { models: allowed }: Pick<Caller, "models">,
  models: ReadonlySet<string>,
): boolean {
  if (allowed === undefined) return true;
  const isServed = (name: string) =>
    models.has(name) || modelsOf(aliases.find(name) ?? []).some((model) => models.has(model));
  return [...allowed].some(isServed);
}

function modelsOfName(
  { aliases, random }: ModelServices,
  caller: Pick<Caller, "models">,
  name: string,
  factsOf: () => RequestFacts,
): readonly NamedModel[] {
  const alias = aliases.find(name);
  if (alias !== undefined) {
    const entries = inOrder(fitting(allowedEntries(caller, name, alias), name, factsOf), random());
    return entries.map((entry) => toNamed(entry, factsOf));
  }
  checkModel(caller, name);
  return [{ model: name }];
}

function toNamed({ model, when, firstTokenMs }: AliasEntry, factsOf: () => RequestFacts): NamedModel {
  const { input_price_to: inputTo, output_price_to: outputTo } = when;
  const hasCeiling = inputTo !== undefined || outputTo !== undefined;
  return {
    model,
    ...(hasCeiling && { ceiling: { inputTo, outputTo, promptTokens: factsOf().promptTokens } }),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
  };
}

/** All models where the token names the alias itself. */
function allowedEntries(
  { models: allowed }: Pick<Caller, "models">,
  name: string,
  alias: ModelAlias,
): readonly AliasEntry[] {
  const entries = entriesOfAlias(alias);
  if (allowed === undefined || allowed.has(name)) return entries;
  const left = entries.filter(({ model }) => allowed.has(model));
  if (left.length === 0) checkModel({ models: allowed }, name);
  return left;
}

function fitting(entries: readonly AliasEntry[], alias: string, factsOf: () => RequestFacts): readonly AliasEntry[] {
  if (entries.every(({ when }) => Object.keys(when).length === 0)) return entries;
  const facts = factsOf();
  const left = entries.filter(({ when }) => takesRequest(when, facts));
  if (left.length > 0) return left;
  const { promptTokens, hasTools, hasImages } = facts;
  const parts = [
    `about ${promptTokens} prompt tokens`,
    hasTools ? "tools" : "no tools",
    hasImages ? "images" : "no images",
  ];
  throw new RelayError({
    status: 400,
    type: "invalid_request_error",
    code: "alias_conditions",
    param: "model",
    message: `No model of ${alias} takes this request: it has ${parts.join(", ")}. Name a model instead.`,
  });
}

/** With weights, the first model is drawn and the others follow by weight; a model of weight 0 is only a fallback. */
function inOrder(entries: readonly AliasEntry[], random: number): readonly AliasEntry[] {
  const weightOf = ({ weight = 0 }: AliasEntry) => weight;
  const byWeight = [...entries].sort((left, right) => weightOf(right) - weightOf(left));
  let left = random * byWeight.reduce((sum, entry) => sum + weightOf(entry), 0);
  const drawn = byWeight.find((entry) => {
    left -= weightOf(entry);
    return left < 0;
  });
  const first = drawn === undefined ? [] : [drawn];
  return [...first, ...byWeight.filter((entry) => entry !== drawn)];
}
