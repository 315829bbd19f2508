import type { RatioTable } from "../../core/option-store.ts";

/** An option's value as the program uses it. */
export type OptionValue = boolean | number | string | RatioTable;

/** An option's text, tidied for the database, and what it means. */
export interface ParsedOption {
  readonly text: string;
  readonly value: OptionValue;
}
