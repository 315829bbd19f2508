import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import { findProvider } from "@pydantic/genai-prices";
import * as tokenizerModels from "gpt-tokenizer/models";
import { modelSources, type ModelSource, type OfferedModels } from "../models/model-sources.ts";
import { makersModels } from "./vendor-price.ts";

const servedEndpoints: ReadonlySet<string> = new Set(["chat_completions", "completions", "embeddings", "moderation"]);

const unserved: ReadonlySet<string> = new Set(
  Object.entries(tokenizerModels).flatMap(([name, spec]) => {
    const endpoints: readonly string[] = "supported_endpoints" in spec ? spec.supported_endpoints : [];
    return endpoints.length > 0 && !endpoints.some((endpoint) => servedEndpoints.has(endpoint)) ? [name] : [];
  }),
);

/**
 * Returns the models that a new channel of each type is offered, by the type's name: those of its price list and its maker's
 * prices that are neither deprecated nor excluded, then those maintained by hand.
 * It is slow, so models.json stores the result. Throws without a list.
 */
export function offeredModels(): Readonly<Record<string, readonly string[]>> {
  const lists = CHANNEL_TYPES.map(
    ({ name, type }) => [name, modelsOf(modelSources[name] ?? {}, makersModels(type))] as const,
  );
  return Object.fromEntries(lists.filter(([, models]) => models.length > 0));
}

function modelsOf({ priceList, offered, kept = [] }: ModelSource, made: readonly string[]): readonly string[] {
  return [...new Set([...(offered === undefined ? [] : listed(priceList ?? "", offered, made)), ...kept])];
}

function listed(
  list: string,
  { exclude, families, rename, lowerCase }: OfferedModels,
  made: readonly string[],
): readonly string[] {
  const provider = findProvider({ providerId: list });
  if (provider?.id !== list) throw new Error(`genai-prices has no list "${list}": correct model-sources.ts.`);
  const names = provider.models
    .filter((model) => model.deprecated !== true)
    .map((model) => rename?.[model.id] ?? (lowerCase === true ? model.id.toLowerCase() : model.id))
    .concat(made)
    .filter((name) => !exclude.test(name) && !(list === "openai" && unserved.has(name)));
  const family = (name: string): number => {
    const index = families.findIndex((pattern) => pattern.test(name));
    return index === -1 ? families.length : index;
  };
  const newestFirst = new Intl.Collator("en", { numeric: true });
  return [...new Set(names)].sort((a, b) => family(a) - family(b) || newestFirst.compare(b, a));
}
