import type { BudgetInput } from "@one-api/contract/budget";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../../lib/api/api-client.ts";

const GROUP_BUDGETS_KEY = ["group-budgets"];

export function useGroupBudgets() {
  return useQuery({
    queryKey: GROUP_BUDGETS_KEY,
    queryFn: ({ signal }) => callApi("GET /api/group/budget", { signal }),
  });
}

/** Sets or removes the budget of a group. The caller shows a failure. */
export function useSetGroupBudget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { group: string; budget: BudgetInput }) => callApi("PUT /api/group/budget", { body }),
    meta: { shownInPlace: true },
    onSuccess: () => client.invalidateQueries({ queryKey: GROUP_BUDGETS_KEY }),
  });
}
