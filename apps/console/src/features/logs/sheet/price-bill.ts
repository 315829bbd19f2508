import type { CHARGED_KINDS, LogDetail } from "@one-api/contract/logs/log-detail";
import { formatNumber } from "../../../lib/format.ts";

type Charge = NonNullable<LogDetail["charge"]>;
type ChargedKind = (typeof CHARGED_KINDS)[number];

/** Kinds with a price of their own for each piece, or for all; the others are tokens, with a price per million. */
const PIECES: ReadonlySet<ChargedKind> = new Set(["image", "character", "second", "search", "tool-fee"]);
const WHOLE: ReadonlySet<ChargedKind> = new Set(["provider-cost"]);

const TOKENS_OF_PRICE = 1_000_000;

interface BillLine {
  readonly kind: ChargedKind;
  readonly count: number;
  /** Dollars for a million tokens, or for one piece; undefined for a sum. */
  readonly price: { readonly dollars: number; readonly per: "million" | "piece" } | undefined;
  readonly dollars: number;
}

interface Bill {
  readonly lines: readonly BillLine[];
  /** Effect of the group's ratio on the sum of the lines; 0 for a ratio of 1. */
  readonly groupDollars: number;
}

const BILL_DECIMALS = 6;

/** Dollars of a bill: with up to six decimals, so that the lines can be added up, and at least `decimals`. */
export function formatBilled(dollars: number, decimals = 0): string {
  const text = formatNumber(Math.abs(dollars), "en-US", BILL_DECIMALS);
  const [whole = "", part = ""] = text.split(".");
  return `${dollars < 0 ? "-" : ""}$${decimals === 0 ? text : `${whole}.${part.padEnd(decimals, "0")}`}`;
}

/** The value of a factor as the formula writes it: "0.5" or "200/60". */
function factorOf(text: string): number {
  const [above = "", below = "1"] = text.split("/");
  return Number(above) / Number(below);
}

/** The charge as dollars before rounding to whole quota; undefined if the parts do not add up to the charge. */
export function billOf(charge: Charge, quotaPerUnit: number): Bill | undefined {
  const { formula_parts: parts, model_ratio: modelRatio, group_ratio: groupRatio } = charge;
  const lines = parts.terms.map(({ kind, count, factors }): BillLine => {
    const one = factors.reduce((product, factor) => product * factorOf(factor), modelRatio) / quotaPerUnit;
    const isPiece = PIECES.has(kind);
    const price = isPiece
      ? ({ dollars: one, per: "piece" } as const)
      : ({ dollars: one * TOKENS_OF_PRICE, per: "million" } as const);
    return { kind, count, price: WHOLE.has(kind) ? undefined : price, dollars: count * one };
  });
  const sum = lines.reduce((dollars, line) => dollars + line.dollars, 0);
  const addsUp = Math.abs(sum * groupRatio * quotaPerUnit - parts.quota) <= 1;
  return addsUp ? { lines, groupDollars: sum * (groupRatio - 1) } : undefined;
}
