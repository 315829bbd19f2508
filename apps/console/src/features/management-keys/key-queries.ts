import type { CreateManagementKeyInput, UpdateManagementKeyInput } from "@one-api/contract/accounts/management-key";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { removeListRow } from "../../lib/list/list-cache.ts";
import { useListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import { keyList } from "./key-list.ts";

const LIST_KEY = keyList.queryKey;

export const useManagementKeys = (search: ListSearch) => useListRows(keyList, search);

/** Creates a key. The answer is the only one with its secret, so no cache stores it. */
export function useCreateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateManagementKeyInput) => callApi("POST /api/management-key/", { body: input }),
    onSuccess: () => void client.invalidateQueries({ queryKey: LIST_KEY }),
    gcTime: 0,
  });
}

export function useUpdateKey(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateManagementKeyInput) =>
      callApi("PUT /api/management-key/:id", { params: { id }, body: input }),
    onSuccess: () => void client.invalidateQueries({ queryKey: LIST_KEY }),
  });
}

export function useRotateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, overlapSeconds }: { id: number; overlapSeconds: number }) =>
      callApi("POST /api/management-key/:id/rotate", { params: { id }, body: { overlap_seconds: overlapSeconds } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: LIST_KEY }),
    gcTime: 0,
    meta: { shownInPlace: true },
  });
}

export function useRevokeKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("DELETE /api/management-key/:id", { params: { id } }),
    onSuccess: (_data, id) => removeListRow(client, LIST_KEY, id),
  });
}
