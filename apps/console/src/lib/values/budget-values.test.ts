import { type Budget, budgetInputSchema } from "@one-api/contract/budget";
import { expect, test } from "vitest";
import { budgetPayload, budgetValues } from "./budget-values.ts";

const stored: Budget = { quota: 500, period: "daily", used: 100, renews_at: 1_700_006_400 };

test("a budget is named only when it was edited, and null takes it away", () => {
  expect(budgetPayload(budgetValues(stored), stored)).toEqual({});
  expect(budgetPayload(budgetValues(null), null)).toEqual({});
  expect(budgetPayload({ budget_period: "weekly", budget_quota: 500 }, stored)).toEqual({
    budget: { quota: 500, period: "weekly" },
  });
  expect(budgetPayload({ budget_period: "", budget_quota: 500 }, stored)).toEqual({ budget: null });
  expect(budgetPayload({ budget_period: "daily", budget_quota: 9 }, null)).toEqual({
    budget: { quota: 9, period: "daily" },
  });
});

test("a period without a whole amount above nothing is a budget that no schema takes", () => {
  const isTaken = (budget_quota: number | string) =>
    budgetInputSchema.safeParse(budgetPayload({ budget_period: "daily", budget_quota }, null).budget).success;
  for (const wrong of ["", 0, 1.5]) expect(isTaken(wrong)).toBe(false);
  expect(isTaken(1)).toBe(true);
});
