import { getDashboard, getOwnDashboard } from "@one-api/contract/dashboard";
import { LOG_TYPE } from "@one-api/contract/log";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { nowSeconds, rangeOf, type SuggestedField } from "../log-queries.ts";
import type { LogFilters } from "../log-search.ts";
import { histogramEdges } from "./histogram-edges.ts";

const REFRESH_MS = 60_000;

/** What the sums tell apart; everybody's by the last two as well. */
type Key = "model" | "token" | "channel" | "user";

const KEY_OF_FIELD: Readonly<Record<SuggestedField, Key>> = {
  model_name: "model",
  token_name: "token",
  channel: "channel",
  username: "user",
};

/** What the filters leave of the sums. */
interface Part {
  readonly by: Key;
  /** Empty for everything. */
  readonly key: string;
}

/** What of the sums the filters leave; undefined where they ask for what sums do not tell: how requests ended, two things at a time. */
export function partOf({ type, result, ...filters }: LogFilters, isAdmin: boolean): Part | undefined {
  if (result !== undefined || (type !== undefined && type !== LOG_TYPE.consumption)) return undefined;
  const { model_name, token_name, channel, username } = filters;
  const fields = { model_name, token_name, channel, username };
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (set.length === 0) return { by: "model", key: "" };
  if (set.length > 1 || username !== undefined || (isAdmin && token_name !== undefined)) return undefined;
  if (model_name !== undefined) return { by: "model", key: model_name };
  return channel === undefined ? { by: "token", key: token_name ?? "" } : { by: "channel", key: String(channel) };
}

function askUsage(edges: readonly number[], { by, key }: Part, isAdmin: boolean, signal: AbortSignal) {
  const query = { edges: edges.join(","), metric: "requests" as const, key };
  if (isAdmin) return callApi(getDashboard, { query: { ...query, by }, signal });
  return callApi(getOwnDashboard, { query: { ...query, by: by === "token" ? by : "model" }, signal });
}

/** How many requests of what the filters leave went well and failed over their time, from the sums of half hours. */
export function useHistogram(filters: LogFilters, isWanted: boolean) {
  const isAdmin = useIsAdmin();
  const part = partOf(filters, isAdmin);
  const { range, start_timestamp, end_timestamp } = filters;
  return useQuery({
    queryKey: ["logs", "histogram", { isAdmin, part, range, start_timestamp, end_timestamp }],
    queryFn: ({ signal }) =>
      askUsage(histogramEdges(rangeOf(filters), nowSeconds()), part ?? { by: "model", key: "" }, isAdmin, signal),
    enabled: isWanted && part !== undefined,
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
}

/** A value that a filter can take, and how many requests of the time have it. */
export interface CountedValue {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

/** The most frequent values of a filter in the time of the others; none where sums do not tell: beside filters that are set already. */
export function useValueCounts(field: SuggestedField, filters: LogFilters, isWanted: boolean): readonly CountedValue[] {
  const isAdmin = useIsAdmin();
  const others = { ...filters, [field]: undefined };
  const by = KEY_OF_FIELD[field];
  const isTold = partOf(others, isAdmin)?.key === "" && !(isAdmin && by === "token");
  const { range, start_timestamp, end_timestamp } = filters;
  const { data } = useQuery({
    queryKey: ["logs", "counts", { isAdmin, by, range, start_timestamp, end_timestamp }],
    queryFn: ({ signal }) => askUsage(histogramEdges(rangeOf(filters), nowSeconds()), { by, key: "" }, isAdmin, signal),
    enabled: isWanted && isTold,
    staleTime: REFRESH_MS,
    retry: false,
    meta: { quiet: true },
  });
  if (!isTold) return [];
  return (data?.rows ?? [])
    .filter(({ key, name }) => (by === "user" ? name : key) !== "")
    .map(({ key, name, requests, refused }) => ({
      value: by === "user" ? name : key,
      label: name === "" ? `#${key}` : name,
      count: requests + refused,
    }));
}
