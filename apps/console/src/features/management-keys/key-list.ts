import type { ManagementKey } from "@one-api/contract/accounts/management-key";
import { queryOptions } from "@tanstack/react-query";
import { callApi, callApiList } from "../../lib/api/api-client.ts";
import { ROW_CACHED_MS } from "../../lib/api/row-query.ts";
import type { ListSource } from "../../lib/list/list-query.ts";

/** Loaded with the first data of every page: what changes keys has a module of its own. */
export const keyList: ListSource<ManagementKey> = {
  queryKey: ["management-keys"],
  fetchPage: ({ p, size }, { signal }) => callApiList("GET /api/management-key/", { query: { p, size }, signal }),
};

export const managementKeyQuery = (id: number) =>
  queryOptions({
    queryKey: [...keyList.queryKey, "one", id],
    queryFn: ({ signal }) => callApi("GET /api/management-key/:id", { params: { id }, signal }),
    gcTime: ROW_CACHED_MS,
    meta: { shownInPlace: true },
  });
