import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

export const aboutQuery = queryOptions({
  queryKey: ["about"],
  queryFn: ({ signal }) => callApi("GET /api/about", { signal }),
  staleTime: 60_000,
  meta: { shownInPlace: true },
});
