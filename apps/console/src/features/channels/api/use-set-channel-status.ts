import { type Channel, type CHANNEL_STATUS, updateChannel } from "@one-api/contract/channel";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { patchListRow } from "../../../lib/list-cache.ts";
import { CHANNEL_LIST_KEY } from "./channel-queries.ts";

interface SetStatus {
  id: number;
  status: typeof CHANNEL_STATUS.enabled | typeof CHANNEL_STATUS.disabled;
}

/** Enables or disables a channel; its row shows what the server answers. */
export function useSetChannelStatus() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: SetStatus) => callApi(updateChannel, { body: { id, status } }),
    onSuccess: (channel) => patchListRow<Channel>(client, CHANNEL_LIST_KEY, channel.id, channel),
  });
}
