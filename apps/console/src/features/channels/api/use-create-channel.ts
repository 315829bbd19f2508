import { createChannel, type CreateChannelInput } from "@one-api/contract/channel";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { CHANNELS_KEY } from "./channel-queries.ts";

/** Creates a channel, or one per line of the key. */
export function useCreateChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateChannelInput) => callApi(createChannel, { body: input }),
    onSuccess: () => void client.invalidateQueries({ queryKey: CHANNELS_KEY }),
  });
}
