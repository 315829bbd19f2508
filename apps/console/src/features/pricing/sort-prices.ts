import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import type { Sort } from "../../lib/list/list-search.ts";
import { providersOf } from "./providers-of.ts";

/** Prices of the less common kinds of tokens and of web searches. */
export const MORE_PRICES = [
  "cached_input",
  "cache_write",
  "audio_input",
  "audio_output",
  "image_input",
  "image_output",
  "reasoning",
  "web_search",
] as const;

/** True for a model whose output has no price of its own. */
export const hasNoOutput = ({ unit_price: unitPrice, input_only: isInputOnly }: OfferedPrice) =>
  unitPrice !== undefined || isInputOnly === true;

/** Sorts models without a price per token last. */
function mainPrice(price: OfferedPrice, part: "input" | "output"): number {
  const isPerToken = price.unit_price === undefined && !(part === "output" && hasNoOutput(price));
  return isPerToken ? price[part] : Number.MAX_VALUE;
}

function sortValue(price: OfferedPrice, columnId: string, language: string): string | number {
  switch (columnId) {
    case "input":
    case "output":
      return mainPrice(price, columnId);
    case "provider":
      return providersOf(price, language).join(", ");
    case "context":
      return price.context_tokens ?? 0;
    case "longest":
      return price.max_output_tokens ?? 0;
    case "group":
      return price.group;
    case "long_prompt":
      return price.long_prompt?.input ?? Number.MAX_VALUE;
    default: {
      const part = MORE_PRICES.find((known) => known === columnId);
      return part === undefined ? price.model : (price[part] ?? Number.MAX_VALUE);
    }
  }
}

const byText = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function compare(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return byText.compare(String(left), String(right));
}

/** Returns the prices sorted by a column; equal ones keep their order. */
export function sortPrices(
  prices: readonly OfferedPrice[],
  { columnId, descending }: Sort,
  language: string,
): OfferedPrice[] {
  const sorted = prices
    .map((price) => ({ price, value: sortValue(price, columnId, language) }))
    .toSorted((left, right) => compare(left.value, right.value) * (descending ? -1 : 1));
  return sorted.map(({ price }) => price);
}
