import { getLogStat, getOwnLogStat } from "@one-api/contract/log";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { useIsAdmin } from "../../../lib/session.ts";
import type { LogFilters } from "../log-search.ts";
import { toAllQuery, toOwnQuery } from "./log-query.ts";

/** Totals of the consumption that the filters leave; adding them up is work for the server, so only when they are wanted. */
export function useLogStat(filters: LogFilters, isWanted: boolean) {
  const isAdmin = useIsAdmin();
  return useQuery({
    queryKey: ["logs", "stat", { isAdmin, filters }],
    queryFn: ({ signal }) =>
      isAdmin
        ? callApi(getLogStat, { query: toAllQuery(filters), signal })
        : callApi(getOwnLogStat, { query: toOwnQuery(filters), signal }),
    enabled: isWanted,
  });
}
