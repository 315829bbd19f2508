import type { Channel } from "@one-api/contract/channels/channel";
import { CHANNEL_ORDERS } from "@one-api/contract/channels/channel-constants";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callApi, callApiList } from "../../lib/api/api-client.ts";
import { ROW_CACHED_MS } from "../../lib/api/row-query.ts";
import { fieldsOf } from "../../lib/values/read-values.ts";
import { readStoredJson, writeStored } from "../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../lib/state/storage-keys.ts";
import type { ListSource, PageRequest } from "../../lib/list/list-query.ts";
import { useListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import type { ChannelFilters, ChannelGrouping } from "./channel-list-search.ts";

export const CHANNELS_KEY = ["channels"] as const;

export const CHANNEL_LIST_KEY = ["channels", "list"] as const;

export const CHANNEL_IDS_KEY = ["channels", "ids"] as const;

export const CHANNEL_GROUPS_KEY = ["channels", "groups"] as const;

/** A search also finds models. */
export const searchOf = (keyword: string) => (keyword === "" ? { keyword } : ({ keyword, also: "models" } as const));

/** The list's own order. */
const TROUBLE_FIRST = { order: "trouble", direction: "desc" } as const;

export function channelList(filters: ChannelFilters, grouping?: ChannelGrouping): ListSource<Channel> {
  const fields = { ...filters, ...(grouping === undefined ? {} : { grouped_by: grouping }) };
  const queryOf = (request: PageRequest) => ({ ...TROUBLE_FIRST, ...request, ...fields });
  return {
    queryKey: [...CHANNEL_LIST_KEY, fields],
    orders: CHANNEL_ORDERS,
    fetchPage: (query, { signal }) => callApiList("GET /api/channel/", { query: queryOf(query), signal }),
    searchRows: ({ keyword, ...query }, { signal }) =>
      callApiList("GET /api/channel/search", { query: { ...queryOf(query), ...searchOf(keyword) }, signal }),
  };
}

export const useChannels = (search: ListSearch, filters: ChannelFilters, grouping?: ChannelGrouping) =>
  useListRows(channelList(filters, grouping), search);

/** The ids of all channels that a search and filters leave, on all pages. Servers without the call answer nothing. */
export const channelIdsQuery = (keyword: string, filters: ChannelFilters) =>
  queryOptions({
    queryKey: [...CHANNEL_IDS_KEY, keyword, filters],
    queryFn: ({ signal }) => callApi("GET /api/channel/ids", { query: { ...searchOf(keyword), ...filters }, signal }),
    staleTime: 0,
    meta: { quiet: true },
  });

/** The server counts anew at most so often. */
const TRAFFIC_FRESH_MS = 30_000;

/** The last 24 hours of all channels that had requests, by id. */
export const channelTrafficQuery = queryOptions({
  queryKey: ["channel-traffic"],
  queryFn: async ({ signal }) => {
    const { channels } = await callApi("GET /api/channel/traffic", { signal });
    return new Map(channels.map((day) => [day.id, day]));
  },
  staleTime: TRAFFIC_FRESH_MS,
  refetchInterval: TRAFFIC_FRESH_MS,
  meta: { quiet: true },
});

/** The groups of the channels that a search and filters leave, with their sums of the last 24 hours. */
export const channelGroupsQuery = (grouping: ChannelGrouping, keyword: string, filters: ChannelFilters) =>
  queryOptions({
    queryKey: [...CHANNEL_GROUPS_KEY, grouping, keyword, filters],
    queryFn: ({ signal }) =>
      callApi("GET /api/channel/groups", {
        query: { ...searchOf(keyword), ...filters, grouped_by: grouping },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const channelsOffQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ["channels", "effect", ids],
    queryFn: ({ signal }) => callApi("GET /api/channel/effect", { query: { ids: ids.join() }, signal }),
    staleTime: 5_000,
    meta: { quiet: true },
  });

export const TEST_PROGRESS_KEY = ["channel-tests", "progress"] as const;

const POLL_MS = 1_000;

export const testProgressQuery = queryOptions({
  queryKey: TEST_PROGRESS_KEY,
  queryFn: ({ signal }) => callApi("GET /api/channel/test/progress", { signal }),
  refetchInterval: ({ state }) => (state.data?.running === true ? POLL_MS : false),
  meta: { quiet: true },
});

export const channelKey = (id: number) => ["channels", "one", id] as const;

export function channelQuery(id: number) {
  return queryOptions({
    queryKey: channelKey(id),
    queryFn: ({ signal }) => callApi("GET /api/channel/:id", { params: { id }, signal }),
    gcTime: ROW_CACHED_MS,
    meta: { quiet: true },
  });
}

/** Number of channels in a state, and the names of the first ones. */
export function channelsOfStatusQuery(status: number) {
  return queryOptions({
    queryKey: ["channels", "of-status", status],
    queryFn: async ({ signal }) => {
      const { rows, total } = await callApiList("GET /api/channel/", { query: { status }, signal });
      return { names: rows.map((channel) => channel.name), total };
    },
    staleTime: 0,
    meta: { quiet: true },
  });
}

/** Names of the channels that a search finds. */
export const channelNamesQuery = (keyword: string) =>
  queryOptions({
    queryKey: ["channels", "names", keyword],
    queryFn: async ({ signal }) => {
      const { rows } = await callApiList("GET /api/channel/search", { query: { keyword, size: 100 }, signal });
      return rows.map(({ name }) => name);
    },
    staleTime: 0,
    meta: { quiet: true },
  });

/** For which model and group shares are asked, and with which priority and weight of one channel instead of the stored ones. */
export interface ShareQuestion {
  readonly model: string;
  readonly group: string;
  readonly draft?: { readonly channel: number; readonly priority: number; readonly weight: number };
}

export function channelSharesQuery({ model, group, draft }: ShareQuestion) {
  return queryOptions({
    queryKey: ["channels", "shares", { model, group, ...draft }],
    queryFn: ({ signal }) => callApi("GET /api/channel/share", { query: { model, group, ...draft }, signal }),
    enabled: model !== "",
    // While a number is typed the bars move instead of vanishing.
    ...(draft === undefined ? {} : { placeholderData: keepPreviousData }),
    meta: { quiet: true },
  });
}

export const groupsQuery = queryOptions({
  queryKey: ["groups", "list"],
  queryFn: ({ signal }) => callApi("GET /api/group/", { signal }),
});

/** The tags of all channels, with how many have each. Servers without them answer nothing. */
export const tagsQuery = queryOptions({
  queryKey: ["channels", "tags"],
  queryFn: ({ signal }) => callApi("GET /api/channel/tags", { signal }),
  meta: { quiet: true },
});

const isText = (value: unknown) => typeof value === "string";

function storedModelsOfTypes(): Record<string, string[]> | undefined {
  const stored = Object.entries(fieldsOf(readStoredJson(STORAGE_KEY.channelModels)));
  if (stored.length === 0) return undefined;
  return Object.fromEntries(stored.map(([type, models]) => [type, Array.isArray(models) ? models.filter(isText) : []]));
}

/** Model names by channel type. Cached names are shown until the answer arrives. */
export const modelsOfTypesQuery = queryOptions({
  queryKey: ["models", "of-types"],
  queryFn: async ({ signal }) => {
    const models = await callApi("GET /api/models", { signal });
    writeStored(STORAGE_KEY.channelModels, JSON.stringify(models));
    return models;
  },
  placeholderData: storedModelsOfTypes,
});

export const allModelsQuery = queryOptions({
  queryKey: ["models", "all"],
  queryFn: ({ signal }) => callApi("GET /api/channel/models", { signal }),
});
