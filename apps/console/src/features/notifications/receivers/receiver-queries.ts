import type { CreateReceiverInput, UpdateReceiverInput } from "@one-api/contract/notifications/receiver";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";
import { removeListRow } from "../../../lib/list/list-cache.ts";
import { useListRows } from "../../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../../lib/list/use-list-search.ts";
import { NOTIFICATIONS_KEY, receiverList, RECEIVERS_KEY } from "./receiver-list.ts";

export const useReceivers = (search: ListSearch) => useListRows(receiverList, search);

/** Adds the receiver, or changes the one whose id is given. */
export function useSaveReceiver() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateReceiverInput | UpdateReceiverInput) =>
      "id" in input ? callApi("PUT /api/receiver/", { body: input }) : callApi("POST /api/receiver/", { body: input }),
    onSuccess: () => void client.invalidateQueries({ queryKey: NOTIFICATIONS_KEY }),
  });
}

export function useDeleteReceiver() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("DELETE /api/receiver/:id", { params: { id } }),
    onSuccess: (_data, id) => removeListRow(client, RECEIVERS_KEY, id),
  });
}

/** Sends a test message. The receiver's newest delivery is the test then, also a failed one. */
export function useTestReceiver() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("POST /api/receiver/:id/test", { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: NOTIFICATIONS_KEY }),
  });
}
