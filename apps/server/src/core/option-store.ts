import type { OPTION_DEFINITIONS, OptionKey } from "@one-api/contract/option";

/** The options of a kind. */
type KeysOfKind<Kind extends string> = {
  [Key in OptionKey]: (typeof OPTION_DEFINITIONS)[Key] extends { kind: Kind } ? Key : never;
}[OptionKey];

/** A table of ratios as set in an option: model or group name to ratio, with the decimal text kept exact. */
export type RatioTable = ReadonlyMap<string, number>;

/** The switches and texts among the options, as they are or as they would be after a change. */
export type OptionTexts = Pick<OptionStore, "flag" | "text">;

/** The options in force, readable at once: parsed when they change, never on the way of a request. */
export interface OptionStore {
  flag(key: KeysOfKind<"flag">): boolean;
  number(key: KeysOfKind<"integer" | "number">): number;
  text(key: KeysOfKind<"text" | "address" | "link" | "choice">): string;
  ratios(key: KeysOfKind<"ratios">): RatioTable;
  /** A secret option in clear, for the one place that sends it where it belongs. */
  secret(key: KeysOfKind<"secret">): string;
  /** Grows with every change: while it is the same, so is everything that was made of options. */
  generation(): number;
}
