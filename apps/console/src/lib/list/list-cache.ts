import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { RowList } from "../api/api-client.ts";

interface Identified {
  readonly id: number;
}

/** Returns the id of the newest row on the loaded first page of a list that begins with the newest; 0 without one. */
export function newestOnFirstPage(client: QueryClient, listKey: QueryKey): number {
  const pages = client.getQueriesData<RowList<readonly Identified[]>>({ queryKey: [...listKey, { p: 0 }] });
  return Math.max(0, ...pages.map(([, page]) => page?.rows[0]?.id ?? 0));
}

/** Changes every cached page under the key and returns what undoes it. */
function changeLists<Row>(
  client: QueryClient,
  listKey: QueryKey,
  change: (rows: readonly Row[]) => readonly Row[],
): () => void {
  const before = client.getQueriesData<RowList<readonly Row[]>>({ queryKey: listKey });
  client.setQueriesData<RowList<readonly Row[]>>({ queryKey: listKey }, (page) => {
    if (page === undefined) return undefined;
    const rows = change(page.rows);
    return { rows, total: page.total - (page.rows.length - rows.length) };
  });
  return () => {
    for (const [key, page] of before) client.setQueryData(key, page);
  };
}

/** Changes one row in every cached page under the key, at once; returns what undoes it when the server refuses. */
export function patchListRow<Row extends Identified>(
  client: QueryClient,
  listKey: QueryKey,
  id: number,
  patch: Partial<Row>,
): () => void {
  return changeLists<Row>(client, listKey, (rows) => rows.map((row) => (row.id === id ? { ...row, ...patch } : row)));
}

/** Puts what the server answered in place of the row, in every cached page under the key: what the answer leaves out is gone. */
export function replaceListRow(client: QueryClient, listKey: QueryKey, row: Identified): void {
  changeLists<Identified>(client, listKey, (rows) => rows.map((old) => (old.id === row.id ? row : old)));
}

/** Takes a deleted row out of every cached page under the key; the page loads again behind it, so that the next row moves up. */
export function removeListRow(client: QueryClient, listKey: QueryKey, id: number): void {
  changeLists<Identified>(client, listKey, (rows) => rows.filter((row) => row.id !== id));
  void client.invalidateQueries({ queryKey: listKey });
}
