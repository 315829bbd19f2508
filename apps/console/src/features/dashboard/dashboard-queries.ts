import { MAX_DASHBOARD_SERIES } from "@one-api/contract/usage/dashboard";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { edgesBefore, edgesOf, timeBefore } from "./dashboard-range.ts";
import type { DashboardSearch } from "./dashboard-search.ts";

export const DASHBOARD_KEY = ["dashboard"];

/** The page follows the clock. */
export const REFRESH_MS = 60_000;

/** Usage in the time of a search: all users' or that of one for administrators, else the own one. */
export function usageQuery(search: DashboardSearch, isAdmin: boolean) {
  // These change nothing about the answer.
  const { sum: _sum, compare: _compare, hours: _hours, ...asked } = search;
  const { by = "model", metric = "spend", user = 0, channel = 0, split } = asked;
  const { token: token_name = "", model: model_name = "" } = asked;
  return queryOptions({
    queryKey: [...DASHBOARD_KEY, "usage", { isAdmin, asked }],
    queryFn: ({ signal }) => {
      const now = new Date();
      const series = split === undefined ? MAX_DASHBOARD_SERIES : 0;
      const time = {
        edges: edgesOf(search, now).join(","),
        before: timeBefore(search, now).join(","),
        before_edges: edgesBefore(search, now).join(","),
      };
      const query = { ...time, metric, series, model_name, token_name };
      if (isAdmin) return callApi("GET /api/dashboard/", { query: { ...query, by, user, channel }, signal });
      return callApi("GET /api/dashboard/self", { query: { ...query, by: by === "token" ? by : "model" }, signal });
    },
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
    meta: { shownInPlace: true },
  });
}

/** Loads price changes and automatic decisions in the time of the edges, for administrators. */
export function useMarks(edges: readonly number[]) {
  const isAdmin = useIsAdmin();
  const query = { start: edges[0] ?? 0, end: edges.at(-1) ?? 0 };
  return useQuery({
    queryKey: [...DASHBOARD_KEY, "marks", query],
    queryFn: ({ signal }) => callApi("GET /api/dashboard/marks", { query, signal }),
    enabled: isAdmin,
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
    meta: { quiet: true },
  });
}

export function useDashboard(search: DashboardSearch) {
  return useQuery({ ...usageQuery(search, useIsAdmin()), placeholderData: keepPreviousData });
}

export const troublesQuery = queryOptions({
  queryKey: [...DASHBOARD_KEY, "troubles"],
  queryFn: ({ signal }) => callApi("GET /api/dashboard/troubles", { signal }),
  staleTime: REFRESH_MS / 2,
  refetchInterval: REFRESH_MS,
  meta: { shownInPlace: true },
});

export const useTroubles = () => useQuery(troublesQuery);
