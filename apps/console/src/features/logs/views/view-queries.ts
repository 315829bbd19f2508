import { deleteView, listViews, saveView } from "@one-api/contract/view";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";
import { readLogFilters, readLogSearch, type LogFilters } from "../log-search.ts";

const VIEWS_KEY = ["views", "logs"] as const;

/** A set of filters that the user has named. */
export interface LogView {
  readonly id: number;
  readonly name: string;
  readonly filters: LogFilters;
}

/** The user's views of the log; none before servers that know no views. */
export function useViews(isAdmin: boolean): readonly LogView[] {
  const { data = [] } = useQuery({
    queryKey: VIEWS_KEY,
    queryFn: ({ signal }) => callApi(listViews, { query: { page: "logs" }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  });
  return data.map(({ id, name, search }) => ({ id, name, filters: readLogFilters(readLogSearch(search), isAdmin) }));
}

/** Names the filters; a view that has the name already is replaced. */
export function useSaveView() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, filters }: { name: string; filters: LogFilters }) =>
      callApi(saveView, { body: { page: "logs", name, search: setFieldsOf(filters) } }),
    meta: { shownInPlace: true },
    onSuccess: () => client.invalidateQueries({ queryKey: VIEWS_KEY }),
  });
}

/** Forgets a view. */
export function useDeleteView() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<LogView, "id">) => callApi(deleteView, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: VIEWS_KEY }),
  });
}

/** The filters that are set, by field, in one order. */
export function setFieldsOf(filters: LogFilters): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    if (typeof value === "string" || typeof value === "number") fields[name] = String(value);
  return fields;
}
