import { getDashboard, getOwnDashboard } from "@one-api/contract/usage/dashboard";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { nowSeconds, rangeOf, type SuggestedField } from "../log-queries.ts";
import type { LogFilters } from "../log-search.ts";
import { histogramEdges } from "./histogram-edges.ts";

/** What the sums tell apart; everybody's by the last two as well. */
type Key = "model" | "token" | "channel" | "user";

const KEY_OF_FIELD: Readonly<Record<SuggestedField, Key>> = {
  model_name: "model",
  token_name: "token",
  channel: "channel",
  username: "user",
};

/** What the filters leave of the sums, as the call takes it. */
interface Part {
  readonly by: Key;
  /** Empty for everything. */
  readonly key: string;
  /** One user, for administrators; empty for everybody, and for the own ones. */
  readonly username: string;
  /** Of one user, or the own ones; empty for all. */
  readonly model_name: string;
  readonly token_name: string;
}

const EVERYTHING: Part = { by: "model", key: "", username: "", model_name: "", token_name: "" };

/**
 * What of the sums the filters leave; undefined where they ask for what sums do not tell: how requests ended, one channel with anything else, and
 * of everybody's requests a model and a token.
 */
export function partOf({ type, result, ...filters }: LogFilters, isAdmin: boolean): Part | undefined {
  if (result !== undefined || (type !== undefined && type !== LOG_TYPE.consumption)) return undefined;
  const { model_name = "", token_name = "", channel, username = "" } = filters;
  if (channel !== undefined)
    return model_name + token_name + username === ""
      ? { ...EVERYTHING, by: "channel", key: String(channel) }
      : undefined;
  if (!isAdmin || username !== "") return { ...EVERYTHING, username, model_name, token_name };
  return token_name === "" ? { ...EVERYTHING, key: model_name } : undefined;
}

/** Usage of a part of everything in the time of the filters, by half hours. It stays fresh until the list loads again (`useLogs`). */
function useUsage(part: Part | undefined, filters: LogFilters, isWanted: boolean, more = {}) {
  const isAdmin = useIsAdmin();
  const { range, start_timestamp, end_timestamp } = filters;
  return useQuery({
    queryKey: ["logs", "usage", { isAdmin, part, range, start_timestamp, end_timestamp }],
    queryFn: ({ signal }) => {
      const { by, username, ...rest } = part ?? EVERYTHING;
      const edges = histogramEdges(rangeOf(filters), nowSeconds()).join(",");
      const query = { edges, metric: "requests" as const, ...rest };
      if (isAdmin) return callApi(getDashboard, { query: { ...query, by, username }, signal });
      return callApi(getOwnDashboard, { query: { ...query, by: by === "token" ? by : "model" }, signal });
    },
    enabled: isWanted && part !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
    ...more,
  });
}

/** Successful and failed requests over the time of the filters. */
export function useHistogram(filters: LogFilters, isWanted: boolean) {
  return useUsage(partOf(filters, useIsAdmin()), filters, isWanted, { placeholderData: keepPreviousData });
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
  const by = KEY_OF_FIELD[field];
  const others = partOf({ ...filters, [field]: undefined }, isAdmin);
  const isOfOne = !isAdmin || others?.username !== "";
  const isTold = others?.key === "" && (isOfOne ? by === "model" || by === "token" : by !== "token");
  const { data } = useUsage(isTold ? { ...others, by } : undefined, filters, isWanted);
  if (!isTold) return [];
  return (data?.rows ?? [])
    .filter(({ key, name }) => (by === "user" ? name : key) !== "")
    .map(({ key, name, requests, refused }) => ({
      value: by === "user" ? name : key,
      label: name === "" ? `#${key}` : name,
      count: requests + refused,
    }));
}
