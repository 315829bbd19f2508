import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

export const REFRESH_MS = 5_000;

/** State of the servers, loaded again every 5 s while the page is visible. */
export const systemQuery = queryOptions({
  queryKey: ["system"],
  queryFn: ({ signal }) => callApi("GET /api/system", { signal }),
  staleTime: REFRESH_MS,
  refetchInterval: REFRESH_MS,
  // The page shows failures, which would be a toast every 5 s.
  meta: { quiet: true },
});
