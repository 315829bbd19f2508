import { getHomePageContent } from "@one-api/contract/status";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";

/** Loads what administrators set as the home page; an empty text means the built-in welcome. */
export function useHomeContent() {
  return useQuery({
    queryKey: ["home"],
    queryFn: ({ signal }) => callApi(getHomePageContent, { signal }),
    staleTime: 60_000,
    meta: { quiet: true },
  });
}
