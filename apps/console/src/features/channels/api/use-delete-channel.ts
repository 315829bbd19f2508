import { deleteChannel } from "@one-api/contract/channel";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { removeListRow } from "../../../lib/list-cache.ts";
import { CHANNEL_LIST_KEY } from "./channel-queries.ts";

/** Deletes a channel; its row vanishes at once. */
export function useDeleteChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi(deleteChannel, { params: { id } }),
    onSuccess: (_data, id) => removeListRow(client, CHANNEL_LIST_KEY, id),
  });
}
