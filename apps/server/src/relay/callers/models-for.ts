import {
  type AliasConditions,
  type AliasEntry,
  entriesOfAlias,
  type ModelAlias,
} from "@one-api/contract/channels/model-aliases";
import type { ModelAliases } from "../../features/model-aliases/index.ts";
import { RelayError } from "../errors/index.ts";
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

interface RequestFacts {
  /** Estimate. */
  readonly promptTokens: number;
  readonly hasTools: boolean;
  readonly hasImages: boolean;
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
): readonly string[] {
  if (fallbacks.models.length === 0) return modelsOfName(services, caller, model, facts);
  return [...new Set([model, ...fallbacks.models].flatMap((name) => modelsOfName(services, caller, name, facts)))];
}

function modelsOfName(
  { aliases, random }: ModelServices,
  caller: Pick<Caller, "models">,
  name: string,
  factsOf: () => RequestFacts,
): readonly string[] {
  const alias = aliases.find(name);
  if (alias !== undefined) return inOrder(fitting(allowedEntries(caller, name, alias), name, factsOf), random());
  checkModel(caller, name);
  return [name];
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

/** Returns the models whose conditions hold for the request. Throws a 400 RelayError without any. */
function fitting(entries: readonly AliasEntry[], alias: string, factsOf: () => RequestFacts): readonly AliasEntry[] {
  if (entries.every(({ when }) => Object.keys(when).length === 0)) return entries;
  const facts = factsOf();
  const left = entries.filter(({ when }) => holds(when, facts));
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

function holds(when: AliasConditions, { promptTokens, hasTools, hasImages }: RequestFacts): boolean {
  return (
    promptTokens >= (when.prompt_from ?? 0) &&
    promptTokens <= (when.prompt_to ?? Number.POSITIVE_INFINITY) &&
    (when.tools ?? hasTools) === hasTools &&
    (when.images ?? hasImages) === hasImages
  );
}

/** With weights, the first model is drawn and the others follow by weight; a model of weight 0 is only a fallback. */
function inOrder(entries: readonly AliasEntry[], random: number): readonly string[] {
  const weightOf = ({ weight = 0 }: AliasEntry) => weight;
  const byWeight = [...entries].sort((left, right) => weightOf(right) - weightOf(left));
  let left = random * byWeight.reduce((sum, entry) => sum + weightOf(entry), 0);
  const drawn = byWeight.find((entry) => {
    left -= weightOf(entry);
    return left < 0;
  });
  const first = drawn === undefined ? [] : [drawn];
  return [...first, ...byWeight.filter((entry) => entry !== drawn)].map(({ model }) => model);
}
