import { getSelf } from "@one-api/contract/user";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** How the own user is loaded and kept. */
export const selfQuery = queryOptions({
  queryKey: ["users", "self"],
  queryFn: ({ signal }) => callApi(getSelf, { signal }),
  meta: { shownInPlace: true },
});

/** Loads the own user. */
export function useSelf() {
  return useQuery(selfQuery);
}
