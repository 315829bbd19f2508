import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

const REFRESH_MS = 5_000;

export function limitUseQuery(tokenIds: readonly number[]) {
  const tokens = tokenIds.join(",");
  return queryOptions({
    queryKey: ["limits", "use", tokens],
    queryFn: ({ signal }) => callApi("GET /api/limit/", { query: { tokens }, signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
    meta: { quiet: true },
  });
}
