import { getHomePageContent } from "@one-api/contract/status";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";

/** Loads what administrators set as the home page; empty for the built-in welcome. */
export function useHomeContent() {
  return useQuery({
    queryKey: ["home", "content"],
    queryFn: ({ signal }) => callApi(getHomePageContent, { signal }),
    staleTime: 60_000,
    // Without it the welcome is shown, which is a home page too.
    meta: { quiet: true },
  });
}
