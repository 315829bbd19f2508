import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { ensureRow, ROW_CACHED_MS } from "./row-query.ts";

afterEach(() => void vi.useRealTimers());

function rowWithVersions() {
  let version = 0;
  const queryFn = vi.fn<() => Promise<number>>(async () => (version += 1));
  return { queryKey: ["row"], queryFn, gcTime: Number.POSITIVE_INFINITY };
}

test("the page of a row takes what a link has just loaded", async () => {
  const client = new QueryClient();
  const query = rowWithVersions();
  await ensureRow(client, query);
  expect(await ensureRow(client, query)).toBe(1);
  expect(query.queryFn).toHaveBeenCalledOnce();
});

test("an old copy of a row is never shown as what is stored", async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const query = rowWithVersions();
  await ensureRow(client, query);
  vi.advanceTimersByTime(ROW_CACHED_MS + 1);
  const loading = ensureRow(client, query);
  expect(client.getQueryData(query.queryKey)).toBeUndefined();
  expect(await loading).toBe(2);
});
