import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { hasFailedLast, STATUS_KEY } from "../../lib/api/query-client.ts";
import { storeStatus } from "../../lib/state/stored-status.ts";

const RECONNECT_INTERVAL_MS = 5_000;

/** Loads the public status and stores it; asks again every few seconds while the server cannot be reached. */
export function usePublicStatus() {
  const query = useQuery({
    queryKey: STATUS_KEY,
    queryFn: async ({ signal }) => {
      const status = await callApi("GET /api/status", { signal });
      storeStatus(status);
      return status;
    },
    staleTime: 60_000,
    refetchInterval: ({ state }) => (hasFailedLast(state) ? RECONNECT_INTERVAL_MS : false),
    meta: { quiet: true },
  });
  return { ...query, isServerGone: hasFailedLast(query) };
}
