import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../../lib/api/api-client.ts";

export const listedPricesQuery = queryOptions({
  queryKey: ["pricing", "listed"],
  queryFn: ({ signal }) => callApi("GET /api/pricing/listed", { signal }),
  staleTime: 60_000,
});
