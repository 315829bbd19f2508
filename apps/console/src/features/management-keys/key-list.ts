import type { ManagementKey } from "@one-api/contract/accounts/management-key";
import { callApiList } from "../../lib/api/api-client.ts";
import type { ListSource } from "../../lib/list/list-query.ts";

/** Loaded with the first data of every page: what changes keys has a module of its own. */
export const keyList: ListSource<ManagementKey> = {
  queryKey: ["management-keys"],
  fetchPage: ({ p, size }, { signal }) => callApiList("GET /api/management-key/", { query: { p, size }, signal }),
};
