import { findProvider, type MatchLogic, type ModelInfo, type Provider } from "@pydantic/genai-prices";
import type { PriceTable } from "@one-api/contract/prices/model-prices";
import { modelSources } from "../models/model-sources.ts";
import { compilePattern } from "./name-pattern.ts";

export interface ListedModel {
  readonly provider: string;
  readonly model: Pick<ModelInfo, "id" | "context_window" | "prices">;
}

export type ListedProvider = Pick<Provider, "id" | "fallback_model_providers"> & {
  readonly models: readonly (ListedModel["model"] & Pick<ModelInfo, "match">)[];
};

export interface PriceList {
  readonly modelCount: number;
  /** Prices that win over the rest of the list. */
  readonly names: PriceTable;
  readonly startDays: readonly string[];
  /** Returns the model in a provider's list, or in the lists that the provider follows; undefined without. */
  find(provider: string, model: string): ListedModel | undefined;
}

type Matches = (name: string) => boolean;

interface CompiledProvider {
  readonly follows: readonly string[];
  find(name: string): ListedModel | undefined;
}

/** Compiles the lists once for fast lookups. Rules: https://github.com/pydantic/genai-prices */
export function createPriceList(providers: readonly ListedProvider[]): PriceList {
  const byId = new Map<string, CompiledProvider>(providers.map((provider) => [provider.id, compileProvider(provider)]));
  const findIn = (id: string, name: string): ListedModel | undefined => {
    const provider = byId.get(id);
    const own = provider?.find(name);
    if (own !== undefined) return own;
    for (const followed of provider?.follows ?? []) {
      const found = byId.get(followed)?.find(name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    names: new Map(),
    startDays: startDaysOf(providers),
    modelCount: providers.reduce((count, { models }) => count + models.length, 0),
    find(provider, model) {
      const name = model.toLowerCase().trim();
      const dated = withDashedDate(name);
      return findIn(provider, name) ?? (dated === name ? undefined : findIn(provider, dated));
    },
  };
}

function startDaysOf(providers: readonly ListedProvider[]): readonly string[] {
  const days = new Set<string>();
  for (const { prices } of providers.flatMap(({ models }) => models))
    for (const { constraint } of Array.isArray(prices) ? prices : [])
      if (constraint?.type === "start_date") days.add(constraint.start_date);
  return [...days];
}

function compileProvider({ id, models, fallback_model_providers: follows = [] }: ListedProvider): CompiledProvider {
  const compiled = models.map((model) => ({ listed: { provider: id, model }, matches: compileMatch(model.match) }));
  return { follows, find: (name) => compiled.find(({ matches }) => matches(name))?.listed };
}

function compileMatch(match: MatchLogic): Matches {
  if ("or" in match) {
    const any = match.or.map(compileMatch);
    return (name) => any.some((matches) => matches(name));
  }
  if ("and" in match) {
    const all = match.and.map(compileMatch);
    return (name) => all.every((matches) => matches(name));
  }
  if ("regex" in match) {
    const pattern = compilePattern(match.regex);
    return (name) => pattern.test(name);
  }
  if ("equals" in match) return textMatch(match.equals, (name, text) => name === text);
  if ("starts_with" in match) return textMatch(match.starts_with, (name, text) => name.startsWith(text));
  if ("ends_with" in match) return textMatch(match.ends_with, (name, text) => name.endsWith(text));
  return textMatch(match.contains, (name, text) => name.includes(text));
}

function textMatch(text: string, fits: (name: string, text: string) => boolean): Matches {
  const lower = text.toLowerCase();
  return (name) => fits(name, lower);
}

/** Returns the name with its date as `2025-08-07` instead of `20250807`; lists have either. */
function withDashedDate(name: string): string {
  return name.replaceAll(/-(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)/g, "-$1-$2-$3");
}

/**
 * Lists for models that the channel's own list lacks: makers, hosts with a maker's prices, other hosts. Subscriptions (GitHub Copilot, Cursor)
 * are no prices per token.
 */
export const LISTS_BY_PREFERENCE = [
  "openai",
  "anthropic",
  "google",
  "x-ai",
  "mistral",
  "deepseek",
  "moonshotai",
  "minimax",
  "zhipuai",
  "zai",
  "cohere",
  "perplexity",
  "voyageai",
  "arcee",
  "azure",
  "aws",
  "openrouter",
  "groq",
  "cerebras",
  "fireworks",
  "together",
  "novita",
  "cloudflare",
  "baseten",
  "ovhcloud",
];

/** Providers whose lists are read; the lists that they follow are included. */
export const ASKED_LISTS: ReadonlySet<string> = new Set([
  ...LISTS_BY_PREFERENCE,
  ...Object.values(modelSources).flatMap(({ priceList = [] }) => priceList),
]);

export const BUILT_IN_PRICE_LIST: PriceList = createPriceList(
  withFollowed([...ASKED_LISTS], (id) => findProvider({ providerId: id })),
);

/** Returns a list with further prices by name, which win. */
export function withNames(list: PriceList, names: PriceTable): PriceList {
  return { ...list, names, modelCount: list.modelCount - list.names.size + names.size };
}

export function withFollowed<Listed extends { id: string; fallback_model_providers?: readonly string[] | undefined }>(
  ids: readonly string[],
  find: (id: string) => Listed | undefined,
): Listed[] {
  const found = new Map<string, Listed>();
  for (const id of ids) {
    for (const wanted of [id, ...(find(id)?.fallback_model_providers ?? [])]) {
      const provider = find(wanted);
      if (provider !== undefined) found.set(provider.id, provider);
    }
  }
  return [...found.values()];
}

let inUse = BUILT_IN_PRICE_LIST;

/** Returns the current list. Caches are valid for one list only. */
export function priceListInUse(): PriceList {
  return inUse;
}

export function usePriceList(list: PriceList): void {
  inUse = list;
}
