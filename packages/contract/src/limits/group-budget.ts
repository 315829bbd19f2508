import * as z from "zod/mini";
import { budgetInputSchema, budgetSchema } from "../budget.ts";
import { defineCall } from "../call.ts";

const MOST_GROUP_LENGTH = 64;

/** Budget of a group: what all its users spent of it together, and never who spent it. */
export const groupBudgetSchema = z.object({ group: z.string(), budget: budgetSchema });

export type GroupBudget = z.infer<typeof groupBudgetSchema>;

export const listGroupBudgets = defineCall({
  method: "GET",
  path: "/api/group/budget",
  access: "admin",
  summary: "Lists the budgets that all users of a group share, with their use",
  data: z.array(groupBudgetSchema),
});

/** A group of `GroupRatio`, or one that has a budget. */
export const budgetGroupSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(MOST_GROUP_LENGTH));

const groupBudgetInputSchema = z.object({
  group: budgetGroupSchema,
  budget: budgetInputSchema,
});

export const setGroupBudget = defineCall({
  method: "PUT",
  path: "/api/group/budget",
  access: "admin",
  summary: "Sets the budget that all users of a group share; null removes it",
  body: groupBudgetInputSchema,
  data: z.nullable(groupBudgetSchema),
});
