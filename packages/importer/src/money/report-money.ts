import { UNPRINTABLE } from "@one-api/contract/unprintable";
import { type BalanceDifference, type Balances, compareBalances, totalBalances } from "./compare-balances.ts";
import { compareCharges, type ComparedCharges } from "./compare-charges.ts";
import { comparePrices, type PriceDifference } from "./compare-prices.ts";
import type { ForeignRow } from "@one-api/database/foreign/foreign-database";
import type { GatewayRules, SetPrices } from "../gateway-rules.ts";
import { readOldPrices } from "./old-prices.ts";
import type { OldServer } from "../old-server.ts";
import type { ImportPlan } from "../plan-import.ts";

/** Charges of the old log that are computed again. */
export const COMPARED_CHARGES = 1_000;
const MAX_LINES = 50;

interface Compared {
  readonly old: OldServer;
  readonly plan: ImportPlan;
  readonly charges: readonly ForeignRow[];
  readonly here: { readonly balances: Balances; readonly ratios: SetPrices };
  readonly rules: Pick<GatewayRules, "priceOf">;
}

export interface MoneyReport {
  readonly lines: readonly string[];
  /** True if all balances and all compared charges agree. */
  readonly agrees: boolean;
}

/** Compares balances, prices and charges of an old server with those of the new one. */
export function reportMoney({ old, plan, charges, here, rules }: Compared): MoneyReport {
  const comparison = { plan, prices: readOldPrices(old.options), ratios: here.ratios, rules };
  const balances = compareBalances(plan, here.balances);
  const compared = compareCharges(charges, comparison);
  const totals = totalBalances(old, plan, here.balances);
  const isExact = totals.there === totals.here + totals.notImported - totals.forgiven;
  const amount = (total: bigint) => total.toLocaleString("en-US").padStart(26);
  const lines = [
    "Quota left to users:",
    `  there                     ${amount(totals.there)}`,
    ...(totals.notImported === 0n ? [] : [`  of users left behind      ${amount(totals.notImported)}`]),
    ...(totals.debtors === 0
      ? []
      : [`  debts of ${totals.debtors} that became 0`.padEnd(28) + amount(totals.forgiven)]),
    `  here                      ${amount(totals.here)}${isExact ? "" : "  (differs)"}`,
    ...(totals.rewards === 0n
      ? []
      : [
          `  Rewards for invitations that users had not taken, ${totals.rewards.toLocaleString("en-US")} in all, stay behind (aff_quota).`,
        ]),
    ...limited("Balances that differ:", balances.map(describeBalance)),
    ...limited("Prices that differ, by the settings:", comparePrices(comparison).map(describePrices)),
    ...describeCharges(compared),
  ];
  // Callers of the old server chose the names of models in its log.
  const printable = lines.map((line) => line.replaceAll(UNPRINTABLE, " "));
  return { lines: printable, agrees: isExact && balances.length === 0 && compared.differences.length === 0 };
}

function limited(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MAX_LINES;
  return ["", title, ...lines.slice(0, MAX_LINES), ...(more > 0 ? [`  and ${more} more`] : [])];
}

function describeBalance({ noun, id, remaining, used, here }: BalanceDifference): string {
  const found = here === undefined ? "none here" : `${here.remaining} left and ${here.used} used here`;
  return `  ${noun} ${id}: ${remaining} left and ${used} used there, ${found}`;
}

function describePrices({ text, models }: PriceDifference): string {
  return `  ${models.join(", ")}: ${text}`;
}

function describeCharges({ equal, rounded, skipped, repriced, differences }: ComparedCharges): string[] {
  const differing = differences.reduce((count, { entries }) => count + entries, 0);
  const total = equal + rounded + skipped + differing;
  if (total === 0) return [];
  return [
    "",
    `The last ${total} charges of the log, by the old formula and by the one here:`,
    `  equal ${equal}, equal but for rounding ${rounded}, different ${differing}, not comparable ${skipped}`,
    ...(repriced === 0 ? [] : [`  Charged by other ratios than the settings have now: ${repriced}`]),
    ...limited(
      "Charges that differ, by model:",
      differences.map(
        ({ model, reason, entries, there, here }) =>
          `  ${model}, ${entries === 1 ? "1 charge" : `${entries} charges`}, ${there} quota there, ${here} here${percent(there, here)}: ${reason}`,
      ),
    ),
  ];
}

function percent(there: number, here: number): string {
  if (there === 0) return "";
  const change = Math.round((here / there - 1) * 100);
  return ` (${change < 0 ? "" : "+"}${change} %)`;
}
