import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** All prices for the user with that id, or for visitors: the server sends the whole list. */
export const pricesQuery = (userId = 0) =>
  queryOptions({
    queryKey: ["pricing", "own", userId],
    queryFn: ({ signal }) => callApi("GET /api/pricing", { signal }),
    staleTime: 60_000,
    meta: { shownInPlace: true },
  });
