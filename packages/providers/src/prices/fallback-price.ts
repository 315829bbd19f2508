import type { ChannelType } from "@one-api/contract/channel-types";
import { decimalOf, divideDecimals, type Decimal } from "../shared/decimal.ts";
import fallbackPrices from "./fallback-prices.json" with { type: "json" };
import type { ModelPrice } from "./model-price.ts";

/** The table counts seven yuan to the dollar, exactly. */
const YUAN_PER_DOLLAR = "7";

const prices = new Map<string, ModelPrice>([
  ...Object.entries(fallbackPrices.dollarsPerMillion).flatMap(([text, models]) => {
    const [input = "0", output = input] = text.split("/");
    return entriesOf(models, input, output);
  }),
  ...Object.entries(fallbackPrices.yuanPerThousand).flatMap(([text, models]) => {
    const [input = "0", output = input] = text
      .split("/")
      .map((yuan) => divideDecimals(decimalOf(Number(yuan) * 1_000), YUAN_PER_DOLLAR));
    return entriesOf(models, input, output);
  }),
]);

function entriesOf(models: readonly string[], input: Decimal, output: Decimal): (readonly [string, ModelPrice])[] {
  const price: ModelPrice = { input, output, source: "One API's table", simplified: [] };
  return models.map((model) => [model.toLowerCase(), price]);
}

/**
 * The price in the table that One API servers share, which knows many Chinese and retired models that no kept list does;
 * undefined when it does not know the model. Names are compared without case. Entries such as `llama3-8b-8192(33)` hold for one
 * channel type alone.
 */
export function fallbackPrice(model: string, type?: ChannelType): ModelPrice | undefined {
  return prices.get((type === undefined ? model : `${model}(${type})`).toLowerCase());
}
