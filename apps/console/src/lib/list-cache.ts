import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { ListCache } from "./use-list-rows.ts";

interface Identified {
  readonly id: number;
}

function mapPages<Row>(cache: ListCache<Row>, change: (rows: readonly Row[]) => readonly Row[]): ListCache<Row> {
  return {
    ...cache,
    pages: cache.pages.map((page) => {
      const rows = change(page.rows);
      const total = page.total === undefined ? undefined : page.total - (page.rows.length - rows.length);
      return { rows, total };
    }),
  };
}

/** Changes every cached list under the key and returns what undoes it. */
function changeLists<Row>(
  client: QueryClient,
  listKey: QueryKey,
  change: (rows: readonly Row[]) => readonly Row[],
): () => void {
  const before = client.getQueriesData<ListCache<Row>>({ queryKey: listKey });
  client.setQueriesData<ListCache<Row>>({ queryKey: listKey }, (cache) => cache && mapPages(cache, change));
  return () => {
    for (const [key, cache] of before) client.setQueryData(key, cache);
  };
}

/** Changes one row in every cached list under the key, at once; returns what undoes it when the server refuses. */
export function patchListRow<Row extends Identified>(
  client: QueryClient,
  listKey: QueryKey,
  id: number,
  patch: Partial<Row>,
): () => void {
  return changeLists<Row>(client, listKey, (rows) => rows.map((row) => (row.id === id ? { ...row, ...patch } : row)));
}

/** Takes a deleted row out of every cached list under the key; the lists load again behind it. */
export function removeListRow(client: QueryClient, listKey: QueryKey, id: number): void {
  changeLists<Identified>(client, listKey, (rows) => rows.filter((row) => row.id !== id));
  void client.invalidateQueries({ queryKey: listKey });
}
