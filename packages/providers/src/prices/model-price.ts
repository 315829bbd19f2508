import type { Decimal } from "../shared/decimal.ts";

/** What a model costs at a provider: dollars per million tokens, as decimals. */
export interface ModelPrice {
  readonly input: Decimal;
  readonly output: Decimal;
  /** Of input tokens read from a cache; absent: as `input`. */
  readonly cachedInput?: Decimal;
  /** Of input tokens written to a cache; absent: as `input`. */
  readonly cacheWrite?: Decimal;
  readonly audioInput?: Decimal;
  readonly audioOutput?: Decimal;
  readonly imageInput?: Decimal;
  /** Where the price comes from, for administrators: `genai-prices openai/gpt-4o`. */
  readonly source: string;
  /**
   * What one price cannot say. `base-tier`: long prompts cost more at the provider; this is the price of short ones.
   * `dearest-hours`: the provider's price depends on the hour; this is the dearest one.
   */
  readonly simplified: readonly ("base-tier" | "dearest-hours")[];
}
