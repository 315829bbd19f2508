import type { DefaultError, FetchQueryOptions, QueryClient, QueryKey } from "@tanstack/react-query";

/** Time for which a row that a link has preloaded waits for its page. */
export const ROW_CACHED_MS = 5_000;

/** Loads a row for its page. An old copy is dropped: a form would show it as what is stored. */
export function ensureRow<Row, Key extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<Row, DefaultError, Row, Key>,
): Promise<Row> {
  client.removeQueries({
    queryKey: query.queryKey,
    exact: true,
    type: "inactive",
    predicate: (cached) => cached.state.fetchStatus === "idle" && cached.isStaleByTime(ROW_CACHED_MS),
  });
  return client.ensureQueryData(query);
}
