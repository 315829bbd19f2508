import type { Receiver } from "@one-api/contract/notifications/receiver";
import { queryOptions } from "@tanstack/react-query";
import { callApi, callApiList } from "../../../lib/api/api-client.ts";
import { ROW_CACHED_MS } from "../../../lib/api/row-query.ts";
import type { ListSource } from "../../../lib/list/list-query.ts";

/** Begins the keys of receivers and deliveries: a test changes both. */
export const NOTIFICATIONS_KEY = ["notifications"] as const;
export const RECEIVERS_KEY = [...NOTIFICATIONS_KEY, "receivers"] as const;

export const receiverList: ListSource<Receiver> = {
  queryKey: [...RECEIVERS_KEY, "list"],
  fetchPage: ({ p, size }, { signal }) => callApiList("GET /api/receiver/", { query: { p, size }, signal }),
};

/** All receivers, for a filter. */
export const allReceiversQuery = queryOptions({
  queryKey: [...RECEIVERS_KEY, "all"],
  queryFn: ({ signal }) => callApi("GET /api/receiver/", { query: { size: 100 }, signal }),
});

export const receiverQuery = (id: number) =>
  queryOptions({
    queryKey: [...RECEIVERS_KEY, "one", id],
    queryFn: ({ signal }) => callApi("GET /api/receiver/:id", { params: { id }, signal }),
    gcTime: ROW_CACHED_MS,
    meta: { shownInPlace: true },
  });
