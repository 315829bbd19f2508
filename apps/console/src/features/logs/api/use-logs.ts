import { listLogs, listOwnLogs, type Log } from "@one-api/contract/log";
import { callApiList } from "../../../lib/api-client.ts";
import { useIsAdmin } from "../../../lib/session.ts";
import { useListRows, type ListRows } from "../../../lib/use-list-rows.ts";
import type { LogFilters } from "../log-search.ts";
import { toAllQuery, toOwnQuery } from "./log-query.ts";

/** Entries that the filters leave, newest first: everybody's for administrators, else the own ones. */
export function useLogs(filters: LogFilters, page: number): ListRows<Log> {
  const isAdmin = useIsAdmin();
  return useListRows({
    queryKey: ["logs", "list", { isAdmin, filters }],
    page,
    keyword: "",
    fetchPage: (p, signal) =>
      isAdmin
        ? callApiList(listLogs, { query: { p, ...toAllQuery(filters) }, signal })
        : callApiList(listOwnLogs, { query: { p, ...toOwnQuery(filters) }, signal }),
  });
}
