import type { ExportFormat } from "@one-api/contract/export-format";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi, callUrl } from "../../lib/api/api-client.ts";
import { actionsOfWords } from "./action-words.ts";
import { AUDIT_KEY, toQuery } from "./audit-queries.ts";
import type { AuditFilters } from "./audit-search.ts";

/** The address of a file with all entries that the list's filters and search match. */
export async function auditExportAddress(filters: AuditFilters, keyword: string, format: ExportFormat) {
  const actions = await actionsOfWords(keyword);
  return callUrl("GET /api/audit/export", { query: { format, keyword, actions, ...toQuery(filters) } });
}

/** Objects with entries that match a typed text; without one, those of the newest entries. */
export function useAuditObjects(keyword: string, enabled: boolean) {
  return useQuery({
    queryKey: [...AUDIT_KEY, "objects", keyword],
    queryFn: ({ signal }) => callApi("GET /api/audit/objects", { query: { keyword }, signal }),
    enabled,
    placeholderData: keepPreviousData,
    meta: { shownInPlace: true },
  });
}
