import type { CreateAlertRuleInput } from "@one-api/contract/notifications/alert-rule";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";
import { useIsIdle } from "../../../lib/loading/when-idle.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import type { Scope } from "../breakdown/dashboard-scope.ts";
import { adminScopeOf, DASHBOARD_KEY, ownScopeOf, REFRESH_MS } from "../dashboard-queries.ts";

export const RULES_KEY = [...DASHBOARD_KEY, "alert-rules"] as const;

/** Loads the alert rules once the page stands. */
export function useAlertRules() {
  return useQuery({
    queryKey: RULES_KEY,
    queryFn: ({ signal }) => callApi("GET /api/alert-rule/", { signal }),
    enabled: useIsIdle(),
    staleTime: REFRESH_MS / 2,
    meta: { quiet: true },
  });
}

export const alertTargetsQuery = queryOptions({
  queryKey: [...RULES_KEY, "targets"],
  queryFn: ({ signal }) => callApi("GET /api/alert-rule/target", { signal }),
  meta: { shownInPlace: true },
});

/** Adds the rule, or changes the one whose id is given. */
export function useSaveAlertRule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...input }: CreateAlertRuleInput & { id: number | undefined }) =>
      id === undefined
        ? callApi("POST /api/alert-rule/", { body: input })
        : callApi("PUT /api/alert-rule/", { body: { ...input, id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: RULES_KEY, exact: true }),
    meta: { shownInPlace: true },
  });
}

/** Loads the usage in the last windows of a rule, for its preview. */
export function useWindowUsage(scope: Scope, edges: readonly number[]) {
  const isAdmin = useIsAdmin();
  // The times of each interval come with this metric alone.
  const asked = { ...ownScopeOf(scope), edges: edges.join(","), metric: "first_byte", rows: 0 } as const;
  const ofAll = adminScopeOf(scope);
  return useQuery({
    queryKey: [...DASHBOARD_KEY, "windows", { isAdmin, asked, ofAll }],
    queryFn: async ({ signal }) => {
      const { parts } = isAdmin
        ? await callApi("GET /api/dashboard/", { query: { ...asked, ...ofAll }, signal })
        : await callApi("GET /api/dashboard/self", { query: asked, signal });
      return parts;
    },
    staleTime: REFRESH_MS,
    meta: { shownInPlace: true },
  });
}
