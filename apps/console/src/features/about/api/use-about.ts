import { getAbout } from "@one-api/contract/status";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";

/** Loads what administrators set as the about page. */
export function useAbout() {
  return useQuery({ queryKey: ["about"], queryFn: ({ signal }) => callApi(getAbout, { signal }), staleTime: 60_000 });
}
