import type { ChannelType } from "@one-api/contract/channel-types";
import { fallbackPrice } from "./fallback-price.ts";
import { priceByName, priceOfProvider } from "./genai-price.ts";
import type { ModelPrice } from "./model-price.ts";

/** Callers choose the names, so there is an end to what is remembered of them. */
const MAX_REMEMBERED = 10_000;

const remembered = new Map<string, ModelPrice | undefined>();
let rememberedOn = 0;

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * What a model costs at a provider unless an administrator says otherwise; undefined for an unknown model. Asked in this order:
 * the price list of the channel's own provider, One API's table for that very channel type, the lists of all providers by name
 * (makers of models first), One API's table by name. The suffix `-internet` of Qwen and Command models does not count.
 *
 * Answers are remembered until the day changes, so that dated price changes take effect by themselves.
 */
export function defaultPrice(model: string, type?: ChannelType, now: Date = new Date()): ModelPrice | undefined {
  const today = Math.floor(now.getTime() / DAY_MS);
  if (today !== rememberedOn || remembered.size >= MAX_REMEMBERED) {
    remembered.clear();
    rememberedOn = today;
  }
  const key = `${type ?? ""} ${model}`;
  if (!remembered.has(key)) {
    remembered.set(key, lookUp(model.replace(/^((?:qwen|command)-.*)-internet$/, "$1"), type, now));
  }
  return remembered.get(key);
}

function lookUp(model: string, type: ChannelType | undefined, now: Date): ModelPrice | undefined {
  const ownPrice = type === undefined ? undefined : (priceOfProvider(model, type, now) ?? fallbackPrice(model, type));
  return ownPrice ?? priceByName(model, now) ?? fallbackPrice(model);
}
