import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { noteOwnUser } from "../../lib/state/session.ts";

/** The menu follows a changed role. */
export const selfQuery = queryOptions({
  queryKey: ["users", "self"],
  queryFn: async ({ signal }) => {
    const self = await callApi("GET /api/user/self", { signal });
    noteOwnUser(self);
    return self;
  },
  meta: { shownInPlace: true },
});

export function useSelf() {
  return useQuery(selfQuery);
}
