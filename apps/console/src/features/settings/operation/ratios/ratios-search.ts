import { textOf } from "../../../../lib/values/read-values.ts";

export interface RatiosSearch {
  /** Model whose prices are edited at first. */
  price?: string;
}

export function readRatiosSearch(search: Record<string, unknown>): RatiosSearch {
  const price = textOf(search["price"], { most: 300 });
  return price === undefined ? {} : { price };
}
