import type { ConfigurationChange, DocumentBudgets } from "@one-api/contract/configuration/configuration";
import { OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";
import { OPTION_RATIOS, parseRatios } from "@one-api/contract/prices/ratios";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { Queryable } from "../../core/transaction.ts";
import { readChange } from "../audit/index.ts";
import { type GroupBudgetDeps, listGroupBudgets, setGroupBudget } from "../budgets/index.ts";
import { findStoredOption } from "../options/index.ts";

/**
 * Makes the budgets of groups those of the document, in the transaction of the context. A budget keeps what was spent of it
 * in its period. Throws `user-group-unknown` with its place.
 */
export async function applyGroupBudgets(
  transaction: Queryable,
  context: CallContext,
  { ledger }: Pick<GroupBudgetDeps, "ledger">,
  wanted: DocumentBudgets,
): Promise<ConfigurationChange[]> {
  // The document may have added the group a moment ago.
  const text = (await findStoredOption(transaction, "GroupRatio")) ?? OPTION_DEFINITIONS.GroupRatio.default;
  const { entries: groups = new Map<string, number>() } = parseRatios(text, OPTION_RATIOS);
  const stored = await listGroupBudgets(context);
  const present = new Map(stored.map(({ group, budget: { quota, period } }) => [group, { quota, period }]));
  const changes: ConfigurationChange[] = [];
  for (const group of [...new Set([...present.keys(), ...Object.keys(wanted)])].toSorted()) {
    const budget = wanted[group] ?? null;
    const fields = readChange("budget", present.get(group) ?? {}, budget ?? {});
    if (fields.length === 0) continue;
    try {
      await setGroupBudget(context, { ledger, options: { ratios: () => groups } }, { group, budget });
    } catch (error) {
      throw error instanceof AppError ? at(group, error) : error;
    }
    changes.push({ action: "change", object: `group:${group}`, fields });
  }
  return changes;
}

/** The refusal of a budget with its place in the document. */
function at(group: string, { code, message, values }: AppError): AppError {
  return new AppError(code, message, { field: `group_budgets.${group}`, ...(values === undefined ? {} : { values }) });
}
