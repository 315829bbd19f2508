import { BUDGET_PERIODS, type BudgetPeriod, periodEnd, periodStart } from "@one-api/contract/budget";

/** What a user or a token may spend in each period, and what of it is spent. */
export interface LedgerBudget {
  readonly userId: number;
  /** 0 for the user's own, which counts all tokens. */
  readonly tokenId: number;
  readonly amount: number;
  readonly period: BudgetPeriod;
  /** When it was set, in Unix seconds: requests that began before do not count. */
  readonly since: number;
  /** The start of the period that `spent` is about, in Unix seconds. */
  readonly windowStart: number;
  /** Charges of requests that began in the period, and what is set aside for others where that is in rows. */
  readonly spent: number;
}

/** In which period of which budget a request counts. */
export interface BudgetMark {
  readonly tokenId: number;
  readonly since: number;
  readonly windowStart: number;
}

/** Why a budget lets nothing more through. */
export interface BudgetRefusal {
  readonly refusal: "user-budget" | "token-budget";
  readonly budget: {
    readonly amount: number;
    readonly period: BudgetPeriod;
    readonly left: number;
    /** Unix seconds. */
    readonly renewsAt: number;
  };
}

/** The budget as it is at the time, in Unix seconds: a new period begins with nothing spent. A clock that was set back begins none again. */
export function budgetAt(budget: LedgerBudget, time: number): LedgerBudget {
  return inWindow(budget, periodStart(budget.period, time));
}

/** The budget in the period that begins then, or in its own where that is later. */
export function inWindow(budget: LedgerBudget, windowStart: number): LedgerBudget {
  return windowStart > budget.windowStart ? { ...budget, windowStart, spent: 0 } : budget;
}

/** What may still be spent in the budget's period beside what is held. */
export function leftOf({ amount, spent }: LedgerBudget, held = 0): number {
  return Math.max(0, amount - spent - held);
}

/** The refusal of a budget that has so much left. */
export function budgetRefusal(budget: LedgerBudget, left: number): BudgetRefusal {
  const { amount, period, windowStart, tokenId } = budget;
  return {
    refusal: tokenId === 0 ? "user-budget" : "token-budget",
    budget: { amount, period, left, renewsAt: periodEnd(period, windowStart) },
  };
}

/** Reads a row of `budgets`. */
export function readBudget(row: Readonly<Record<string, unknown>>): LedgerBudget {
  const period = BUDGET_PERIODS.find((known) => known === row["period"]);
  if (period === undefined) throw new Error(`A budget has the unknown period ${String(row["period"])}.`);
  return {
    userId: Number(row["user_id"]),
    tokenId: Number(row["token_id"]),
    amount: Number(row["amount"]),
    period,
    since: Number(row["since"]),
    windowStart: Number(row["window_start"]),
    spent: Number(row["spent"]),
  };
}
