import type { AuditEntry } from "@one-api/contract/audit";
import type { AuditKind, PageSize } from "@one-api/contract/constants";
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { callApi, callApiList } from "../../lib/api/api-client.ts";
import { loadChunk } from "../../lib/load-chunk.ts";
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
  const pageOf = (p: number, size: PageSize, client: QueryClient) => ({
    p,
    size,
    up_to: p === 0 ? 0 : newestOnFirstPage(client, queryKey),
  });
  return {
    queryKey,
    fetchPage({ p, size }, { client, signal }) {
      return callApiList("GET /api/audit/", { query: { ...pageOf(p, size, client), ...toQuery(filters) }, signal });
    },
    async searchRows({ p, size, keyword }, { client, signal }) {
      const { actionsOfWords } = await loadChunk(() => import("./action-words.ts"));
      const actions = await actionsOfWords(keyword);
      const query = { ...pageOf(p, size, client), ...toQuery(filters), keyword, actions };
      return callApiList("GET /api/audit/", { query, signal });
    },
  };
}

interface FilterQuery {
  actor: string;
  kind: AuditKind | "";
  object: string;
  start_timestamp: number;
  end_timestamp: number;
}

export function toQuery({ actor = "", kind, object = "", ...times }: AuditFilters): FilterQuery {
  const { start, end } = rangeOf(times);
  return { actor, kind: kind ?? "", object, start_timestamp: start, end_timestamp: end };
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
