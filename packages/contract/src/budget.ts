import * as z from "zod/mini";
import { quotaSchema, unixSecondsSchema } from "./fields.ts";

/** Periods in UTC after which a budget is full again. */
export const BUDGET_PERIODS = ["daily", "weekly", "monthly"] as const;

export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

const periodSchema = z.enum(BUDGET_PERIODS);

export const budgetInputSchema = z.nullable(
  z.object({ quota: /* @__PURE__ */ quotaSchema.check(z.minimum(1)), period: periodSchema }),
);

export type BudgetInput = z.infer<typeof budgetInputSchema>;

export const budgetSchema = z.object({
  quota: quotaSchema,
  period: periodSchema,
  /** Cost of the requests that began in this period; above `quota` if that was lowered. */
  used: quotaSchema,
  renews_at: unixSecondsSchema,
});

export type Budget = z.infer<typeof budgetSchema>;

const DAY_SECONDS = 24 * 3600;
/** The first Monday of Unix time, 1970-01-05. */
const FIRST_MONDAY = 4 * DAY_SECONDS;

/** Start of the period that contains the time, in Unix seconds UTC. Weeks begin on Monday. */
export function periodStart(period: BudgetPeriod, time: number): number {
  if (period === "daily") return time - modulo(time, DAY_SECONDS);
  if (period === "weekly") return time - modulo(time - FIRST_MONDAY, 7 * DAY_SECONDS);
  const date = new Date(time * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
}

/** End of the period that contains the time, in Unix seconds. */
export function periodEnd(period: BudgetPeriod, time: number): number {
  if (period === "daily") return periodStart(period, time) + DAY_SECONDS;
  if (period === "weekly") return periodStart(period, time) + 7 * DAY_SECONDS;
  const date = new Date(time * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
