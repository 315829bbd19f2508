import { LOG_TYPE } from "@one-api/contract/constants";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";

const REFRESH_MS = 30_000;

const NEWEST = { type: LOG_TYPE.consumption, size: 10 } as const;

export const REQUESTS_SHOWN = 6;

export function newestRequestsQuery(isAdmin: boolean) {
  return queryOptions({
    queryKey: ["home", "requests", { isAdmin }],
    queryFn: ({ signal }) =>
      isAdmin
        ? callApi("GET /api/log/", { query: NEWEST, signal })
        : callApi("GET /api/log/self/", { query: NEWEST, signal }),
    refetchInterval: REFRESH_MS,
    meta: { shownInPlace: true },
  });
}

const DAY_SECONDS = 86_400;
const DAYS_OF_ERRORS = 7;

/** The newest own request of 7 days that failed; null if none did. */
export const lastErrorQuery = queryOptions({
  queryKey: ["home", "last-error"],
  queryFn: async ({ signal }) => {
    const start_timestamp = Math.floor(Date.now() / 1_000) - DAYS_OF_ERRORS * DAY_SECONDS;
    const query = { type: LOG_TYPE.consumption, result: "errors", size: 10, start_timestamp } as const;
    const [newest] = await callApi("GET /api/log/self/", { query, signal });
    return newest ?? null;
  },
  refetchInterval: REFRESH_MS,
  meta: { quiet: true },
});

export { ownTokensQuery } from "../../tokens/token-queries.ts";
