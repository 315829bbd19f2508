import type { ModelInfo, ModelPrice as ListedPrice } from "@pydantic/genai-prices";
import { decimalOf, type Decimal } from "../shared/decimal.ts";
import type { ModelPrice } from "./model-price.ts";

/**
 * The price of a model of genai-prices on a day; undefined when tokens have no price there (audio by the hour, documents by the
 * page). A model without any price is free. Of prices by the hour the dearest is taken, of tiers the base one.
 */
export function priceInForce(model: ModelInfo, source: string, now: Date): ModelPrice | undefined {
  const { prices, dependsOnHour } = listedOn(model, now);
  if (Object.keys(prices).length > 0 && prices.input_mtok === undefined) {
    return undefined;
  }
  const isTiered = Object.values(prices).some((part) => typeof part === "object");
  const base = (name: string): Decimal | undefined => {
    const part = prices[name];
    return part === undefined ? undefined : decimalOf(typeof part === "number" ? part : part.base);
  };
  const optional = (field: keyof ModelPrice, name: string) => {
    const decimal = base(name);
    return decimal === undefined ? {} : { [field]: decimal };
  };
  return {
    input: base("input_mtok") ?? "0",
    output: base("output_mtok") ?? "0",
    ...optional("cachedInput", "cache_read_mtok"),
    ...optional("cacheWrite", "cache_write_mtok"),
    ...optional("audioInput", "input_audio_mtok"),
    ...optional("audioOutput", "output_audio_mtok"),
    ...optional("imageInput", "input_image_mtok"),
    source,
    simplified: [...(isTiered ? (["base-tier"] as const) : []), ...(dependsOnHour ? (["dearest-hours"] as const) : [])],
  };
}

/** The last price whose start date has come; prices by the hour that stand after it replace it when they are dearer. */
function listedOn(model: ModelInfo, now: Date): { prices: ListedPrice; dependsOnHour: boolean } {
  if (!Array.isArray(model.prices)) {
    return { prices: model.prices, dependsOnHour: false };
  }
  const today = now.toISOString().slice(0, 10);
  let prices: ListedPrice = {};
  let dependsOnHour = false;
  for (const { constraint, prices: candidate } of model.prices) {
    if (constraint?.type === "time_of_date") {
      dependsOnHour = true;
      prices = inputPrice(candidate) > inputPrice(prices) ? candidate : prices;
    } else if (constraint === undefined || constraint.start_date <= today) {
      prices = candidate;
      dependsOnHour = false;
    }
  }
  return { prices, dependsOnHour };
}

function inputPrice(prices: ListedPrice): number {
  const part = prices.input_mtok;
  return part === undefined ? 0 : typeof part === "number" ? part : part.base;
}
