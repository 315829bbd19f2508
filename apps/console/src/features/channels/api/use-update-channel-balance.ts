import { type Channel, updateChannelBalance } from "@one-api/contract/channel";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { patchListRow } from "../../../lib/list-cache.ts";
import { CHANNEL_LIST_KEY } from "./channel-queries.ts";

/** Asks the channel's provider for the balance; the row shows it. */
export function useUpdateChannelBalance() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi(updateChannelBalance, { params: { id } }),
    onSuccess: ({ balance }, id) => {
      const now = Math.floor(Date.now() / 1_000);
      patchListRow<Channel>(client, CHANNEL_LIST_KEY, id, { balance, balance_updated_time: now });
    },
  });
}
