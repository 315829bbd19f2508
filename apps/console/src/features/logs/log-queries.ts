import type { ExportFormat } from "@one-api/contract/export-format";
import type { Log, LogBodies } from "@one-api/contract/logs/log";
import type { LogFacet, LogHistogram } from "@one-api/contract/logs/log-totals";
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { callUrl, callApi, callApiList } from "../../lib/api/api-client.ts";
import { useIsAdmin, useIsRoot } from "../../lib/state/session.ts";
import { newestOnFirstPage } from "../../lib/list/list-cache.ts";
import type { ListSource } from "../../lib/list/list-query.ts";
import { type ListRows, useListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import { histogramEdges } from "./histogram/histogram-edges.ts";
import { type LogFilters, RELATIVE_RANGES } from "./log-search.ts";

export interface Histogram {
  readonly edges: readonly number[];
  readonly counts: LogHistogram;
}

const END_AHEAD_SECONDS = 3_600;

/** Start and end, in Unix seconds, that the log is shown for unless others are chosen: epoch 0 to one hour from now. */
export function defaultRange(nowSeconds: number) {
  return { start: 0, end: nowSeconds + END_AHEAD_SECONDS };
}

export const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** Start and end of the filters, in Unix seconds; a relative range ends now. */
export function rangeOf(filters: Pick<LogFilters, "range" | "start_timestamp" | "end_timestamp">) {
  const now = nowSeconds();
  const range = defaultRange(now);
  const relative = RELATIVE_RANGES.find(({ name }) => name === filters.range);
  if (relative !== undefined) return { start: now - relative.seconds, end: range.end };
  return { start: filters.start_timestamp ?? range.start, end: filters.end_timestamp ?? range.end };
}

const namesOf = (names: readonly string[] = [""]) => [...names];

function toOwnQuery(filters: LogFilters) {
  const range = rangeOf(filters);
  return {
    type: filters.type ?? 0,
    // Left out when it is not set: servers of other versions do not know it.
    ...(filters.result === undefined ? {} : { result: [...filters.result] }),
    token_name: namesOf(filters.token_name),
    model_name: namesOf(filters.model_name),
    ...(filters.alias === undefined ? {} : { alias: [...filters.alias] }),
    start_timestamp: range.start,
    end_timestamp: range.end,
  };
}

function toAllQuery(filters: LogFilters) {
  return { ...toOwnQuery(filters), username: namesOf(filters.username), channel: filters.channel ?? 0 };
}

const COUNTS: ReadonlySet<unknown> = new Set(["histogram", "stat", "facet"]);

/**
 * Reloads the shown counts of the log, and the hidden ones once shown, so that chart, totals and list describe one
 * moment. Does not repeat running requests.
 */
function reloadCounts(client: QueryClient): void {
  void client.invalidateQueries(
    { queryKey: ["logs"], predicate: ({ queryKey }) => COUNTS.has(queryKey[1]) },
    { cancelRefetch: false },
  );
}

export function useReloadLogs(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ["logs"] }, { cancelRefetch: false });
}

/**
 * The list of entries that filters leave, newest first: all users' for administrators, else the own ones. Later pages
 * show the state of the first.
 */
export function logList(filters: LogFilters, isAdmin: boolean): ListSource<Log> {
  const queryKey = ["logs", "list", { isAdmin, filters }];
  return {
    queryKey,
    fetchPage(page, { client, signal }) {
      // Later pages show the state of the first, which the counts describe already.
      if (page.p === 0) reloadCounts(client);
      const newestId = page.p === 0 ? 0 : newestOnFirstPage(client, queryKey);
      const query = { ...page, ...(newestId === 0 ? {} : { up_to: newestId }) };
      return isAdmin
        ? callApiList("GET /api/log/", { query: { ...query, ...toAllQuery(filters) }, signal })
        : callApiList("GET /api/log/self/", { query: { ...query, ...toOwnQuery(filters) }, signal });
    },
  };
}

export const useLogs = (filters: LogFilters, search: ListSearch): ListRows<Log> =>
  useListRows(logList(filters, useIsAdmin()), search);

export function exportAddress(filters: LogFilters, isAdmin: boolean, format: ExportFormat): string {
  return isAdmin
    ? callUrl("GET /api/log/export", { query: { format, ...toAllQuery(filters) } })
    : callUrl("GET /api/log/self/export", { query: { format, ...toOwnQuery(filters) } });
}

const TAIL_EVERY_MS = 2_000;
const MOST_TAIL_ROWS = 200;

interface SeenTail {
  readonly newest: number;
  readonly rows: readonly Log[];
  /** More came than are here. */
  readonly isCut: boolean;
}

/** Polls for newer entries every other second while the page is visible. Begins with a reload of the list. */
export function useLogTail(filters: LogFilters, isOn: boolean): SeenTail | undefined {
  const isAdmin = useIsAdmin();
  const client = useQueryClient();
  const queryKey = ["logs", "tail", { isAdmin, filters }];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<SeenTail> => {
      const seen = client.getQueryData<SeenTail>(queryKey);
      const after = seen?.newest ?? 0;
      const { entries, newest, is_cut } = isAdmin
        ? await callApi("GET /api/log/tail", { query: { after, ...toAllQuery(filters) }, signal })
        : await callApi("GET /api/log/self/tail", { query: { after, ...toOwnQuery(filters) }, signal });
      if (seen === undefined) void client.invalidateQueries({ queryKey: ["logs", "list"] });
      else if (entries.length > 0) reloadCounts(client);
      const rows = [...entries, ...(seen?.rows ?? [])];
      return {
        newest,
        rows: rows.slice(0, MOST_TAIL_ROWS),
        isCut: is_cut || rows.length > MOST_TAIL_ROWS || seen?.isCut === true,
      };
    },
    enabled: isOn,
    refetchInterval: TAIL_EVERY_MS,
    gcTime: 0,
    meta: { quiet: true },
  });
  return query.data;
}

/** Everything about an entry; a server of another version may not know the call, and the list's entry has to do then. */
export function useLogStory(id: number | undefined) {
  const isAdmin = useIsAdmin();
  return useQuery({
    queryKey: ["logs", "story", { isAdmin, id }],
    queryFn: ({ signal }) =>
      callApi(isAdmin ? "GET /api/log/:id" : "GET /api/log/self/:id", { params: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  });
}

export function useLogBodies(id: number, isWanted: boolean) {
  const read = useReadLogBodies();
  return useQuery({
    queryKey: ["logs", "bodies", id],
    queryFn: ({ signal }) => read(id, signal),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  });
}

/** Returns a function that reads the stored bodies of a request once: root of all users, others of their own. */
export function useReadLogBodies(): (id: number, signal?: AbortSignal) => Promise<LogBodies> {
  const address = useIsRoot() ? "GET /api/log/:id/bodies" : "GET /api/log/self/:id/bodies";
  return (id, signal) => callApi(address, { params: { id }, ...(signal && { signal }) });
}

/** Totals of the consumption that the filters leave; adding them up is work for the server, so only when they are wanted. */
export function useLogStat(filters: LogFilters, isWanted: boolean) {
  const isAdmin = useIsAdmin();
  return useQuery({
    queryKey: ["logs", "stat", { isAdmin, filters }],
    queryFn: ({ signal }) =>
      isAdmin
        ? callApi("GET /api/log/stat", { query: toAllQuery(filters), signal })
        : callApi("GET /api/log/self/stat", { query: toOwnQuery(filters), signal }),
    enabled: isWanted,
  });
}

/**
 * Entries over time by result. Its edges name the time, because a short range is shown within its surroundings. Fresh
 * until the list reloads (`logList`).
 */
export function useHistogram(filters: LogFilters, isWanted: boolean) {
  const isAdmin = useIsAdmin();
  return useQuery({
    queryKey: ["logs", "histogram", { isAdmin, filters }],
    queryFn: async ({ signal }): Promise<Histogram> => {
      const edges = histogramEdges(rangeOf(filters), nowSeconds());
      const time = { edges: edges.join(","), start_timestamp: 0, end_timestamp: 0 };
      const counts = isAdmin
        ? await callApi("GET /api/log/histogram", { query: { ...toAllQuery(filters), ...time }, signal })
        : await callApi("GET /api/log/self/histogram", { query: { ...toOwnQuery(filters), ...time }, signal });
      return { edges, counts };
    },
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
}

/**
 * Values of one filter among the entries that the other filters match, with their numbers, most frequent first.
 * Reloaded with the list.
 */
export function useLogFacet(field: LogFacet, keyword: string, filters: LogFilters, isWanted = true) {
  const isAdmin = useIsAdmin();
  const others = { ...filters, [field]: undefined };
  return useQuery({
    queryKey: ["logs", "facet", { isAdmin, field, keyword, others }],
    queryFn: ({ signal }) => {
      if (isAdmin) return callApi("GET /api/log/facet", { query: { field, keyword, ...toAllQuery(others) }, signal });
      if (field === "username" || field === "channel") return [];
      return callApi("GET /api/log/self/facet", { query: { field, keyword, ...toOwnQuery(others) }, signal });
    },
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
}

export function useLogErrors(filters: LogFilters) {
  const isAdmin = useIsAdmin();
  return useQuery({
    queryKey: ["logs", "errors", { isAdmin, filters }],
    queryFn: ({ signal }) =>
      isAdmin
        ? callApi("GET /api/log/errors", { query: toAllQuery(filters), signal })
        : callApi("GET /api/log/self/errors", { query: toOwnQuery(filters), signal }),
    placeholderData: keepPreviousData,
    meta: { shownInPlace: true },
  });
}
