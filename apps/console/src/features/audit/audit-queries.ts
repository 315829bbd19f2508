import type { AuditEntry } from "@one-api/contract/audit";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi, callApiList } from "../../lib/api/api-client.ts";
import { newestOnFirstPage } from "../../lib/list/list-cache.ts";
import type { ListSource } from "../../lib/list/list-query.ts";
import { useListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import { rangeOf } from "../logs/log-queries.ts";
import type { AuditFilters } from "./audit-search.ts";

export const AUDIT_KEY = ["audit"] as const;

/** The list of entries that filters leave, newest first; later pages continue from the state of the first. */
export function auditList(filters: AuditFilters): ListSource<AuditEntry> {
  const queryKey = [...AUDIT_KEY, "list", filters];
  return {
    queryKey,
    fetchPage({ p, size }, { client, signal }) {
      const { actor = "", kind = "", object = "", ...times } = filters;
      const { start, end } = rangeOf(times);
      const up_to = p === 0 ? 0 : newestOnFirstPage(client, queryKey);
      const page = { p, size, start_timestamp: start, end_timestamp: end, up_to };
      return callApiList("GET /api/audit/", { query: { ...page, actor, kind, object }, signal });
    },
  };
}

export const useAudit = (filters: AuditFilters, search: ListSearch) => useListRows(auditList(filters), search);

export function useAuditEntry(id: number | undefined) {
  return useQuery({
    queryKey: [...AUDIT_KEY, "one", id],
    queryFn: ({ signal }) => callApi("GET /api/audit/:id", { params: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
    meta: { shownInPlace: true },
  });
}

export const auditSealQuery = queryOptions({
  queryKey: [...AUDIT_KEY, "seal"],
  queryFn: ({ signal }) => callApi("GET /api/audit/seal", { signal }),
  meta: { shownInPlace: true },
});
