import * as calls from "@one-api/contract/limits/group-budget";
import type { CallRegistry } from "../../core/call-registry.ts";
import { type GroupBudgetDeps, listGroupBudgets, setGroupBudget } from "./group-budgets.ts";

export function registerBudgetCalls(registry: CallRegistry, deps: GroupBudgetDeps): void {
  registry.register(calls.listGroupBudgets, ({ context }) => listGroupBudgets(context));
  registry.register(calls.setGroupBudget, ({ context, body }) => setGroupBudget(context, deps, body));
}
