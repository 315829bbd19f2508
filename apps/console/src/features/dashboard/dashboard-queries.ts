import { MAX_DASHBOARD_SERIES } from "@one-api/contract/usage/dashboard";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { edgesOf, timeBefore } from "./dashboard-range.ts";
import type { DashboardSearch } from "./dashboard-search.ts";

export const DASHBOARD_KEY = ["dashboard"];

/** The page follows the clock. */
const REFRESH_MS = 60_000;

/** Loads the usage in the address's time: all users' for administrators, else the own one. */
export function useDashboard(search: DashboardSearch) {
  const isAdmin = useIsAdmin();
  // The sum is computed from the same answer.
  const { sum: _sum, ...asked } = search;
  const { by = "model", metric = "spend", user = 0, channel = 0, split } = asked;
  const { token: token_name = "", model: model_name = "" } = asked;
  return useQuery({
    queryKey: [...DASHBOARD_KEY, "usage", { isAdmin, asked }],
    queryFn: ({ signal }) => {
      const now = new Date();
      const series = split === undefined ? 0 : MAX_DASHBOARD_SERIES;
      const time = { edges: edgesOf(search, now).join(","), before: timeBefore(search, now).join(",") };
      const query = { ...time, metric, series, model_name, token_name };
      if (isAdmin) return callApi("GET /api/dashboard/", { query: { ...query, by, user, channel }, signal });
      return callApi("GET /api/dashboard/self", { query: { ...query, by: by === "token" ? by : "model" }, signal });
    },
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    meta: { shownInPlace: true },
  });
}

/** Loads what an administrator should look at now. */
export function useTroubles() {
  return useQuery({
    queryKey: [...DASHBOARD_KEY, "troubles"],
    queryFn: ({ signal }) => callApi("GET /api/dashboard/troubles", { signal }),
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
    meta: { shownInPlace: true },
  });
}
