import { getLogStat, getOwnLogStat, listLogs, listOwnLogs, type Log } from "@one-api/contract/log";
import { useQuery } from "@tanstack/react-query";
import { callApi, callApiList } from "../../lib/api-client.ts";
import { useIsAdmin } from "../../lib/session.ts";
import { type ListRows, useListRows } from "../../lib/use-list-rows.ts";
import type { ListSearch } from "../../lib/use-list-search.ts";
import type { LogFilters } from "./log-search.ts";

const END_AHEAD_SECONDS = 3_600;

/** Start and end, in Unix seconds, that the log is shown for unless others are chosen: epoch 0 to one hour from now. */
export function defaultRange(nowSeconds: number) {
  return { start: 0, end: nowSeconds + END_AHEAD_SECONDS };
}

/** The current time in Unix seconds. */
export const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** Query of the calls that everybody may make. */
function toOwnQuery(filters: LogFilters) {
  const range = defaultRange(nowSeconds());
  return {
    type: filters.type ?? 0,
    token_name: filters.token_name ?? "",
    model_name: filters.model_name ?? "",
    start_timestamp: filters.start_timestamp ?? range.start,
    end_timestamp: filters.end_timestamp ?? range.end,
  };
}

/** Query of the calls on everybody's entries. */
function toAllQuery(filters: LogFilters) {
  return { ...toOwnQuery(filters), username: filters.username ?? "", channel: filters.channel ?? 0 };
}

/** The page of entries that the address names, newest first: everybody's for administrators, else the own ones. */
export function useLogs(filters: LogFilters, search: ListSearch): ListRows<Log> {
  const isAdmin = useIsAdmin();
  return useListRows({
    queryKey: ["logs", "list", { isAdmin, filters }],
    search,
    fetchPage: (page, signal) =>
      isAdmin
        ? callApiList(listLogs, { query: { ...page, ...toAllQuery(filters) }, signal })
        : callApiList(listOwnLogs, { query: { ...page, ...toOwnQuery(filters) }, signal }),
  });
}

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
