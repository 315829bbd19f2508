import type { ChannelType } from "@one-api/contract/channel-types";
import { calcPrice } from "@pydantic/genai-prices";
import type { ModelPrice } from "./model-price.ts";
import { priceInForce } from "./price-in-force.ts";

/** Channel types whose own price list is among genai-prices' data, with its id there. */
const listOfType: Readonly<Partial<Record<ChannelType, string>>> = {
  1: "openai",
  3: "azure",
  14: "anthropic",
  16: "zhipuai",
  20: "openrouter",
  24: "google",
  25: "moonshotai",
  27: "minimax",
  28: "mistral",
  29: "groq",
  33: "aws",
  35: "cohere",
  36: "deepseek",
  37: "cloudflare",
  39: "together",
  41: "novita",
  42: "google",
  45: "x-ai",
};

/**
 * Lists that are asked for a name when the channel's own list does not know it: the makers of models first, then hosts that
 * follow a maker's price, then those with prices of their own. Subscriptions (GitHub Copilot, Cursor) are no prices per token.
 */
const listsByPreference = [
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

/** The price in the price list of the channel's own provider; undefined without such a list or model. */
export function priceOfProvider(model: string, type: ChannelType, now: Date): ModelPrice | undefined {
  const list = listOfType[type];
  return list === undefined ? undefined : priceInList(model, list, now);
}

/**
 * The price in the first list that knows the model. A list in which the model is free counts only where freedom is part of the
 * name, since it is an offer of that one provider.
 */
export function priceByName(model: string, now: Date): ModelPrice | undefined {
  for (const list of listsByPreference) {
    const price = priceInList(model, list, now);
    if (price !== undefined && (price.input !== "0" || price.output !== "0" || isFreeByName(model))) {
      return price;
    }
  }
  return undefined;
}

function isFreeByName(model: string): boolean {
  return model.endsWith(":free") || /^(?:omni|text)-moderation-/.test(model);
}

function priceInList(model: string, list: string, now: Date): ModelPrice | undefined {
  const found = calcPrice({}, model, { providerId: list, timestamp: now });
  return found === null
    ? undefined
    : priceInForce(found.model, `genai-prices ${found.provider.id}/${found.model.id}`, now);
}
