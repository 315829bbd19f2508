import { getNotice } from "@one-api/contract/status";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";

/** Loads the notice; empty when there is none. */
export function useNotice() {
  return useQuery({
    queryKey: ["notice"],
    queryFn: ({ signal }) => callApi(getNotice, { signal }),
    staleTime: 5 * 60_000,
    meta: { quiet: true },
  });
}
