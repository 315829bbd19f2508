import type { SavedView, ViewPage } from "@one-api/contract/view";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** The search fields of a list's address that are set. */
export type ViewFields = Readonly<Record<string, string>>;

/** Reads a view's fields from an address: filters and order. Unset fields are undefined. */
export type ReadViewFields = (search: Readonly<Record<string, unknown>>) => object;

/** Saved filters and order of a list. */
export interface NamedView {
  readonly id: number;
  readonly name: string;
  readonly fields: ViewFields;
  readonly isShared: boolean;
  /** The user's; else an administrator shares it. */
  readonly isOwn: boolean;
  readonly isDefault: boolean;
}

const keyOf = (page: ViewPage) => ["views", page] as const;

function namedView({ id, name, search, is_shared, is_own, is_default }: SavedView, read: ReadViewFields): NamedView {
  const fields = setFieldsOf(read(addressOf(search)));
  return { id, name, fields, isShared: is_shared, isOwn: is_own, isDefault: is_default };
}

/** Returns the saved views of a list, the user's own first; undefined while they load. */
export function useViews(page: ViewPage, read: ReadViewFields): readonly NamedView[] | undefined {
  const { data } = useQuery({
    queryKey: keyOf(page),
    queryFn: ({ signal }) => callApi("GET /api/view/", { query: { page }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  });
  return data?.map((view) => namedView(view, read));
}

const share = (id: number, isShared: boolean) =>
  callApi("PUT /api/view/:id/shared", { params: { id }, body: { is_shared: isShared } });

/** Saves the fields as a named view: private or shared, optionally the default. Replaces a view of the same name. */
export function useSaveView(page: ViewPage) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, fields, isShared, isDefault }: Omit<NamedView, "id" | "isOwn">) => {
      const view = await callApi("PUT /api/view/", { body: { page, name, search: { ...fields } } });
      if (isShared && !view.is_shared) await share(view.id, true);
      if (isDefault && !view.is_default) await callApi("PUT /api/view/default", { body: { page, id: view.id } });
      return view;
    },
    meta: { shownInPlace: true },
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(page) }),
  });
}

export function useShareView(page: ViewPage) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isShared }: Pick<NamedView, "id" | "isShared">) => share(id, isShared),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(page) }),
  });
}

/** Sets the default view of a list; 0 for none. */
export function useChooseDefaultView(page: ViewPage) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("PUT /api/view/default", { body: { page, id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(page) }),
  });
}

export function useDeleteView(page: ViewPage) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<NamedView, "id">) => callApi("DELETE /api/view/:id/", { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(page) }),
  });
}

/** The fields as an address has them: a text of several lines is a repeated parameter. */
export function addressOf(fields: ViewFields): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, text.includes("\n") ? text.split("\n") : text]),
  );
}

/** The set fields as texts; a list is a text of several lines. */
export function setFieldsOf(fields: object): ViewFields {
  const set = Object.entries(fields)
    .map(([name, value]: [string, unknown]) => [name, Array.isArray(value) ? value.join("\n") : value] as const)
    .filter(([, value]) => typeof value === "string" || typeof value === "number");
  return Object.fromEntries(
    set.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, value]) => [name, String(value)]),
  );
}
