import { type Channel, testChannel } from "@one-api/contract/channel";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { patchListRow } from "../../../lib/list-cache.ts";
import { CHANNEL_LIST_KEY } from "./channel-queries.ts";

interface TestInput {
  id: number;
  /** Empty for the channel's first model. */
  model: string;
}

/** Tests a channel; resolves to the seconds it took and the model. */
export function useTestChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, model }: TestInput) => callApi(testChannel, { params: { id }, query: { model } }),
    onSuccess: ({ time }, { id }) =>
      patchListRow<Channel>(client, CHANNEL_LIST_KEY, id, { response_time: Math.round(time * 1_000) }),
    // A test may change the state as well, whether it succeeds or not.
    onSettled: () => void client.invalidateQueries({ queryKey: CHANNEL_LIST_KEY }),
  });
}
