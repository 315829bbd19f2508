import type { AuditEntry } from "@one-api/contract/audit";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { callApi, callApiList } from "../../lib/api/api-client.ts";
import { useListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import { rangeOf } from "../logs/log-queries.ts";
import type { AuditFilters } from "./audit-search.ts";

export const AUDIT_KEY = ["audit"] as const;

/** The page of entries that the address names, newest first; further pages go on from what the first one showed. */
export function useAudit(filters: AuditFilters, search: ListSearch) {
  const asked = JSON.stringify(filters);
  const first = useRef({ asked, newestId: 0 });
  return useListRows<AuditEntry>({
    queryKey: [...AUDIT_KEY, "list", filters],
    search,
    async fetchPage({ p, size }, signal) {
      const { newestId } = first.current.asked === asked ? first.current : { newestId: 0 };
      const { actor = "", kind = "", object = "", ...times } = filters;
      const { start, end } = rangeOf(times);
      const bounds = { start_timestamp: start, end_timestamp: end, up_to: p === 0 ? 0 : newestId };
      const answer = await callApiList("GET /api/audit/", {
        query: { p, size, actor, kind, object, ...bounds },
        signal,
      });
      if (p === 0) first.current = { asked, newestId: answer.rows[0]?.id ?? 0 };
      return answer;
    },
  });
}

/** One entry with all that it tells, while its id is given. */
export function useAuditEntry(id: number | undefined) {
  return useQuery({
    queryKey: [...AUDIT_KEY, "one", id],
    queryFn: ({ signal }) => callApi("GET /api/audit/:id", { params: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
    meta: { shownInPlace: true },
  });
}

/** Up to when the trail is sealed, and how its last check ended. */
export function useAuditSeal() {
  return useQuery({
    queryKey: [...AUDIT_KEY, "seal"],
    queryFn: ({ signal }) => callApi("GET /api/audit/seal", { signal }),
    meta: { shownInPlace: true },
  });
}
