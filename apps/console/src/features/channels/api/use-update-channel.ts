import { updateChannel, type UpdateChannelInput } from "@one-api/contract/channel";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { CHANNELS_KEY } from "./channel-queries.ts";

/** Saves the form of a stored channel. */
export function useUpdateChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateChannelInput) => callApi(updateChannel, { body: input }),
    onSuccess: () => void client.invalidateQueries({ queryKey: CHANNELS_KEY }),
  });
}
