import type { LOG_STORE_STATES } from "@one-api/contract/logs/log-totals";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";

type LogStoreState = (typeof LOG_STORE_STATES)[number];

export interface LogStore {
  readonly state: LogStoreState;
  /** Part of the log that totals and charts have, 0 to 1. */
  readonly progress: number;
}

const LOG_STORE_KEY = ["log-store"];

/** Time between two calls, in ms, by state. A store that follows the log is not asked again; one that is off changes with a restart. */
const POLL_MS: Readonly<Record<LogStoreState, number | false>> = {
  starting: 5_000,
  rebuilding: 5_000,
  stalled: 15_000,
  off: 60_000,
  // The page has just asked it.
  idle: 5_000,
  following: false,
};

const STALE_MS = 60_000;

const ANSWERS = [["dashboard"], ["logs", "histogram"], ["logs", "stat"], ["logs", "facet"], ["logs", "errors"]];

/** Loads totals and charts on the screen again, once they are complete. */
function reloadAnswers(client: QueryClient): void {
  for (const queryKey of ANSWERS) void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
}

/** State of the log store, polled until it follows the log. */
export const logStoreQuery = queryOptions({
  queryKey: LOG_STORE_KEY,
  queryFn: async ({ client, signal }) => {
    const before = client.getQueryData<LogStore>(LOG_STORE_KEY);
    const now = await callApi("GET /api/log/store", { signal });
    if (now.state === "following" && before !== undefined && before.state !== "following") reloadAnswers(client);
    return now;
  },
  staleTime: STALE_MS,
  refetchInterval: ({ state: { data } }) => data !== undefined && POLL_MS[data.state],
  retry: false,
  meta: { quiet: true },
});
