import * as z from "zod/mini";
import { quotaSchema, unixSecondsSchema } from "./fields.ts";

/** After what time a budget is full again: each day, week or month of UTC. */
export const BUDGET_PERIODS = ["daily", "weekly", "monthly"] as const;

export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

const periodSchema = z.enum(BUDGET_PERIODS);

/** What may be spent in each period; null for no bound beside the quota. */
export const budgetInputSchema = z.nullable(
  z.object({ quota: /* @__PURE__ */ quotaSchema.check(z.minimum(1)), period: periodSchema }),
);

export type BudgetInput = z.infer<typeof budgetInputSchema>;

/** A budget as it stands. */
export const budgetSchema = z.object({
  quota: quotaSchema,
  period: periodSchema,
  /** What requests that began in this period have cost; above `quota` where that was lowered. */
  used: quotaSchema,
  /** When the period ends. */
  renews_at: unixSecondsSchema,
});

export type Budget = z.infer<typeof budgetSchema>;

const DAY_SECONDS = 24 * 3600;
/** The first Monday of Unix time, 1970-01-05. */
const FIRST_MONDAY = 4 * DAY_SECONDS;

/** When the period that holds the time began, in UTC; weeks begin on Monday. All in Unix seconds. */
export function periodStart(period: BudgetPeriod, time: number): number {
  if (period === "daily") return time - modulo(time, DAY_SECONDS);
  if (period === "weekly") return time - modulo(time - FIRST_MONDAY, 7 * DAY_SECONDS);
  const date = new Date(time * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
}

/** When the period that holds the time ends and the next one begins, in Unix seconds. */
export function periodEnd(period: BudgetPeriod, time: number): number {
  if (period === "daily") return periodStart(period, time) + DAY_SECONDS;
  if (period === "weekly") return periodStart(period, time) + 7 * DAY_SECONDS;
  const date = new Date(time * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
