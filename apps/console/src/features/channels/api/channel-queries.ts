import { getChannel, listChannelShares } from "@one-api/contract/channel";
import { listGroups } from "@one-api/contract/user";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";

/** Everything that is loaded about channels. */
export const CHANNELS_KEY = ["channels"] as const;

/** Every loaded list of channels. */
export const CHANNEL_LIST_KEY = ["channels", "list"] as const;

/** One channel, loaded anew for every form. */
export function channelQuery(id: number) {
  return queryOptions({
    queryKey: ["channels", "one", id],
    queryFn: ({ signal }) => callApi(getChannel, { params: { id }, signal }),
    gcTime: 0,
    meta: { quiet: true },
  });
}

/** Who gets the requests for a model in a group right now. */
export function channelSharesQuery(model: string, group: string) {
  return queryOptions({
    queryKey: ["channels", "shares", { model, group }],
    queryFn: ({ signal }) => callApi(listChannelShares, { query: { model, group }, signal }),
    enabled: model !== "",
    meta: { quiet: true },
  });
}

/** Names of the user groups. */
export const groupsQuery = queryOptions({
  queryKey: ["groups", "list"],
  queryFn: ({ signal }) => callApi(listGroups, { signal }),
});
