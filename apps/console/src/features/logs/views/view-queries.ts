import { chooseDefaultView, deleteView, listViews, saveView, shareView } from "@one-api/contract/view";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";
import { readLogFilters, readLogSearch, type LogFilters } from "../log-search.ts";

const VIEWS_KEY = ["views", "logs"] as const;

/** A set of filters that has a name. */
export interface LogView {
  readonly id: number;
  readonly name: string;
  readonly filters: LogFilters;
  /** Everybody sees it. */
  readonly isShared: boolean;
  /** The user's; else an administrator shares it. */
  readonly isOwn: boolean;
  /** The log begins with it. */
  readonly isDefault: boolean;
}

/** The views of the log, the user's own ones first; undefined until they are there, and before servers that know no views. */
export function useViews(isAdmin: boolean): readonly LogView[] | undefined {
  const { data } = useQuery({
    queryKey: VIEWS_KEY,
    queryFn: ({ signal }) => callApi(listViews, { query: { page: "logs" }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  });
  return data?.map(({ id, name, search, is_shared: isShared, is_own: isOwn, is_default: isDefault }) => ({
    id,
    name,
    filters: readLogFilters(readLogSearch(search), isAdmin),
    isShared,
    isOwn,
    isDefault,
  }));
}

const share = (id: number, isShared: boolean) => callApi(shareView, { params: { id }, body: { is_shared: isShared } });
const chooseDefault = (id: number) => callApi(chooseDefaultView, { body: { page: "logs", id } });

/** Names the filters, for oneself or everybody, as what the log begins with or not; a view that has the name already is replaced. */
export function useSaveView() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, filters, isShared, isDefault }: Omit<LogView, "id" | "isOwn">) => {
      const view = await callApi(saveView, { body: { page: "logs", name, search: setFieldsOf(filters) } });
      if (isShared && !view.is_shared) await share(view.id, true);
      if (isDefault && !view.is_default) await chooseDefault(view.id);
      return view;
    },
    meta: { shownInPlace: true },
    onSettled: () => client.invalidateQueries({ queryKey: VIEWS_KEY }),
  });
}

/** Shows a view to everybody, or to its owner alone. */
export function useShareView() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isShared }: Pick<LogView, "id" | "isShared">) => share(id, isShared),
    onSuccess: () => client.invalidateQueries({ queryKey: VIEWS_KEY }),
  });
}

/** Has the log begin with a view, or with 0 with none. */
export function useChooseDefaultView() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: chooseDefault,
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
