import { MAX_DASHBOARD_SERIES } from "@one-api/contract/usage/dashboard";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { useIsIdle } from "../../lib/loading/when-idle.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { edgesBefore, edgesOf, timeBefore } from "./dashboard-range.ts";
import type { DashboardSearch } from "./dashboard-search.ts";

export const DASHBOARD_KEY = ["dashboard"];

/** The page follows the clock. */
export const REFRESH_MS = 60_000;

export function ownScopeOf({ token = "", model = "" }: DashboardSearch) {
  return { model_name: model, token_name: token };
}

export function adminScopeOf({ user = 0, channel = 0, alias }: DashboardSearch) {
  return { user, channel, ...(alias === undefined ? {} : { alias }) };
}

export function usageQuery(search: DashboardSearch, isAdmin: boolean) {
  // These change nothing about the answer.
  const { sum: _sum, compare: _compare, hours: _hours, ...asked } = search;
  const { by = "model", metric = "spend", split } = asked;
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
      const query = { ...time, ...ownScopeOf(asked), metric, series };
      if (isAdmin) return callApi("GET /api/dashboard/", { query: { ...query, ...adminScopeOf(asked), by }, signal });
      return callApi("GET /api/dashboard/self", { query: { ...query, by: by === "token" ? by : "model" }, signal });
    },
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
    meta: { shownInPlace: true },
  });
}

/** Marks on the chart. On a first visit they load after it. */
export function useMarks(edges: readonly number[]) {
  const isAdmin = useIsAdmin();
  const isIdle = useIsIdle();
  const query = { start: edges[0] ?? 0, end: edges.at(-1) ?? 0 };
  return useQuery({
    queryKey: [...DASHBOARD_KEY, "marks", query],
    queryFn: ({ signal }) => callApi("GET /api/dashboard/marks", { query, signal }),
    enabled: isAdmin && isIdle,
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
    meta: { quiet: true },
  });
}

export function useDashboard(search: DashboardSearch) {
  return useQuery({ ...usageQuery(search, useIsAdmin()), placeholderData: keepPreviousData });
}

export function aliasQuery(search: DashboardSearch, edges: readonly number[]) {
  const period = { start: edges[0] ?? 0, end: edges.at(-1) ?? 0 };
  const query = { ...ownScopeOf(search), ...adminScopeOf(search), ...period, alias: search.alias ?? "" };
  return queryOptions({
    queryKey: [...DASHBOARD_KEY, "alias", query],
    queryFn: ({ signal }) => callApi("GET /api/dashboard/alias", { query, signal }),
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
    meta: { shownInPlace: true },
  });
}

export const troublesQuery = queryOptions({
  queryKey: [...DASHBOARD_KEY, "troubles"],
  queryFn: ({ signal }) => callApi("GET /api/dashboard/troubles", { signal }),
  staleTime: REFRESH_MS / 2,
  refetchInterval: REFRESH_MS,
  meta: { shownInPlace: true },
});

export const useTroubles = () => useQuery(troublesQuery);
