import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** Prices that begin later, with what the last 7 days would have cost. */
export const comingPricesQuery = queryOptions({
  queryKey: ["pricing", "coming"],
  queryFn: ({ signal }) => callApi("GET /api/pricing/coming", { signal }),
  meta: { quiet: true },
});
