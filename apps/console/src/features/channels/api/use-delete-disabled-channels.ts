import { deleteDisabledChannels } from "@one-api/contract/channel";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { CHANNELS_KEY } from "./channel-queries.ts";

/** Deletes all disabled channels; resolves to their count. */
export function useDeleteDisabledChannels() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(deleteDisabledChannels),
    onSuccess: () => void client.invalidateQueries({ queryKey: CHANNELS_KEY }),
  });
}
