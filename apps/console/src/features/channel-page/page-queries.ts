import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi, callApiList } from "../../lib/api/api-client.ts";
import { channelKey, CHANNEL_LIST_KEY } from "../channels/channel-queries.ts";

/** Days of a channel's traffic, by their name in the dashboard and the log. */
const TRAFFIC_DAYS = { day: 1, week: 7, month: 30 } as const;

export type TrafficRange = keyof typeof TRAFFIC_DAYS;

/** Servers of the last release know no days: a day is what they answer. */
const daysOf = (range: TrafficRange) => (range === "day" ? {} : { days: TRAFFIC_DAYS[range] });

export function trafficQuery(id: number, range: TrafficRange = "day") {
  return queryOptions({
    queryKey: [...channelKey(id), "traffic", range],
    queryFn: ({ signal }) => callApi("GET /api/channel/:id/traffic", { params: { id }, query: daysOf(range), signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { shownInPlace: true },
  });
}

export function timesQuery(id: number, range: TrafficRange = "day") {
  return queryOptions({
    queryKey: [...channelKey(id), "times", range],
    queryFn: ({ signal }) => callApi("GET /api/channel/:id/times", { params: { id }, query: daysOf(range), signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { quiet: true },
  });
}

export const DECISIONS_SHOWN = 20;

export function decisionsQuery(id: number, page: number) {
  return queryOptions({
    queryKey: [...channelKey(id), "decisions", page],
    queryFn: ({ signal }) =>
      callApiList("GET /api/channel/:id/decisions", {
        params: { id },
        query: { p: page, size: DECISIONS_SHOWN },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { shownInPlace: true },
  });
}

export function keysQuery(id: number) {
  return queryOptions({
    queryKey: [...channelKey(id), "keys"],
    queryFn: ({ signal }) => callApi("GET /api/channel/:id/keys", { params: { id }, signal }),
    staleTime: 0,
    meta: { shownInPlace: true },
  });
}

function useRefreshedChannel<Input>(id: number, change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: channelKey(id) });
      void client.invalidateQueries({ queryKey: CHANNEL_LIST_KEY });
    },
  });
}

export function useUndoDecision(id: number) {
  return useRefreshedChannel(id, (decision: number) =>
    callApi("POST /api/channel/:id/decisions/:decision/undo", { params: { id, decision } }),
  );
}

export function useWakeChannel(id: number) {
  return useRefreshedChannel(id, () => callApi("POST /api/channel/:id/wake", { params: { id } }));
}

export function useAddKeys(id: number) {
  return useRefreshedChannel(id, (keys: string[]) =>
    callApi("POST /api/channel/:id/keys", { params: { id }, body: { keys } }),
  );
}

export function useUpdateKey(id: number) {
  return useRefreshedChannel(
    id,
    ({ key, ...body }: { key: number; status?: 1 | 2; weight?: number; expires_at?: number }) =>
      callApi("PUT /api/channel/:id/keys/:key", { params: { id, key }, body }),
  );
}

export function useUpdateKeyBalance(id: number) {
  return useRefreshedChannel(id, (key: number) =>
    callApi("POST /api/channel/:id/keys/:key/balance", { params: { id, key } }),
  );
}

export function useDeleteKey(id: number) {
  return useRefreshedChannel(id, (key: number) =>
    callApi("DELETE /api/channel/:id/keys/:key", { params: { id, key } }),
  );
}
