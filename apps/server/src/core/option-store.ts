import type { PriceTable } from "@one-api/contract/prices/model-prices";
import type { OPTION_DEFINITIONS, OptionKey } from "@one-api/contract/options/option-definitions";

type KeysOfKind<Kind extends string> = {
  [Key in OptionKey]: (typeof OPTION_DEFINITIONS)[Key] extends { kind: Kind } ? Key : never;
}[OptionKey];

export type RatioTable = ReadonlyMap<string, number>;

export type OptionTexts = Pick<OptionStore, "flag" | "text">;

export interface OptionStore {
  flag(key: KeysOfKind<"flag">): boolean;
  number(key: KeysOfKind<"integer" | "number">): number;
  text(key: KeysOfKind<"text" | "address" | "link" | "choice">): string;
  ratios(key: KeysOfKind<"ratios">): RatioTable;
  prices(key: KeysOfKind<"prices">): PriceTable;
  /** A secret in clear, only for sending it to its server. */
  secret(key: KeysOfKind<"secret">): string;
  generation(): number;
}
