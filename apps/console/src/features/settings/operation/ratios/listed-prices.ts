import { listListedPrices } from "@one-api/contract/prices/pricing";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../../lib/api/api-client.ts";
import { unlessUnknown } from "../../../../lib/api/unless-unknown.ts";

/** The ratios of the maintained list. */
export function useListedPrices() {
  return useQuery({
    queryKey: ["pricing", "listed"],
    queryFn: ({ signal }) => unlessUnknown(callApi(listListedPrices, { signal }), []),
    staleTime: 60_000,
  });
}
