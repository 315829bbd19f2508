import { LOG_TYPE } from "@one-api/contract/constants";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";
import { useIsIdle } from "../../../lib/loading/when-idle.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import type { Scope } from "../breakdown/dashboard-scope.ts";
import { adminScopeOf, DASHBOARD_KEY, ownScopeOf, REFRESH_MS } from "../dashboard-queries.ts";

const FOLLOWING = { staleTime: REFRESH_MS / 2, refetchInterval: REFRESH_MS, meta: { quiet: true } } as const;

/** Loads the usage of each interval with its times, which cost the server more than sums: on a first visit after them. */
export function useIntervalTimes(scope: Scope, edges: readonly number[]) {
  const isAdmin = useIsAdmin();
  const isIdle = useIsIdle();
  const asked = { ...ownScopeOf(scope), edges: edges.join(","), metric: "first_byte", rows: 0 } as const;
  const ofAll = adminScopeOf(scope);
  return useQuery({
    queryKey: [...DASHBOARD_KEY, "times", { isAdmin, asked, ofAll }],
    queryFn: async ({ signal }) => {
      const { parts } = isAdmin
        ? await callApi("GET /api/dashboard/", { query: { ...asked, ...ofAll }, signal })
        : await callApi("GET /api/dashboard/self", { query: asked, signal });
      return parts;
    },
    enabled: edges.length > 1 && isIdle,
    ...FOLLOWING,
  });
}

export function useErrorCounts(scope: Scope, username: string | undefined, edges: readonly number[]) {
  const isAdmin = useIsAdmin();
  const { user, ...ofAll } = adminScopeOf(scope);
  const query = { ...ownScopeOf(scope), edges: edges.join(","), type: LOG_TYPE.consumption, result: "errors" } as const;
  return useQuery({
    queryKey: [...DASHBOARD_KEY, "errors", { isAdmin, query, username, ofAll }],
    queryFn: ({ signal }) =>
      isAdmin
        ? callApi("GET /api/log/histogram", { query: { ...query, ...ofAll, username: username ?? "" }, signal })
        : callApi("GET /api/log/self/histogram", { query, signal }),
    // The log is filtered by the user's name.
    enabled: user === 0 || username !== undefined,
    ...FOLLOWING,
  });
}

export function useHoursOfWeek(scope: Scope, edges: readonly number[]) {
  const isAdmin = useIsAdmin();
  const [start = 0, end = 0] = [edges[0], edges.at(-1)];
  const asked = { ...ownScopeOf(scope), start, end, utc_offset: -new Date(end * 1_000).getTimezoneOffset() };
  const ofAll = adminScopeOf(scope);
  return useQuery({
    queryKey: [...DASHBOARD_KEY, "hours", { isAdmin, asked, ofAll }],
    queryFn: ({ signal }) =>
      isAdmin
        ? callApi("GET /api/dashboard/hours", { query: { ...asked, ...ofAll }, signal })
        : callApi("GET /api/dashboard/self/hours", { query: asked, signal }),
    staleTime: REFRESH_MS * 5,
    meta: { shownInPlace: true },
  });
}
