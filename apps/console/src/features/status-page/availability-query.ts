import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

const REFRESH_MS = 60_000;

export const availabilityQuery = queryOptions({
  queryKey: ["availability"],
  queryFn: ({ signal }) => callApi("GET /api/availability", { signal }),
  staleTime: REFRESH_MS,
  refetchInterval: REFRESH_MS,
  meta: { shownInPlace: true },
});
