import { FILTER_LIMITS } from "@one-api/contract/constants";
import { DASHBOARD_KEYS, DASHBOARD_METRICS } from "@one-api/contract/usage/dashboard";
import type { RawSearch } from "../../lib/list/list-search.ts";
import { choiceOf, integerOf, textOf } from "../../lib/values/read-values.ts";

/** Ranges that move with the clock. */
export const DASHBOARD_RANGES = ["today", "day", "week", "month", "this-month", "year"] as const;

export type DashboardRange = (typeof DASHBOARD_RANGES)[number];

/** Steps of the chart, if not the default of its range. */
export const DASHBOARD_STEPS = ["hour", "day", "week"] as const;

export type DashboardStep = (typeof DASHBOARD_STEPS)[number];

export type DashboardKey = (typeof DASHBOARD_KEYS)[number];

export type DashboardMetric = (typeof DASHBOARD_METRICS)[number];

/** State of the dashboard in its address; absent values have their defaults. */
export interface DashboardSearch {
  readonly range?: DashboardRange | undefined;
  /** Unix seconds of a custom range; the end is excluded. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly by?: DashboardKey | undefined;
  readonly metric?: DashboardMetric | undefined;
  readonly user?: number | undefined;
  readonly token?: string | undefined;
  readonly model?: string | undefined;
  readonly channel?: number | undefined;
  /** Requests for one alias alone, for administrators: its models are compared. */
  readonly alias?: string | undefined;
  /** 0 while the chart is not split by the rows of the breakdown. */
  readonly split?: number | undefined;
  /** 0 while the chart is not compared with the period before. */
  readonly compare?: number | undefined;
  /** 1 while the times by hour and weekday are shown. */
  readonly hours?: number | undefined;
  readonly step?: DashboardStep | undefined;
  /** 1 while the bars are cumulative. */
  readonly sum?: number | undefined;
}

export function readDashboardSearch(search: RawSearch): DashboardSearch {
  const start = integerOf(search["start"], { least: 0, most: FILTER_LIMITS.seconds });
  const end = integerOf(search["end"], { least: 1, most: FILTER_LIMITS.seconds });
  const isTime = start !== undefined && end !== undefined && start < end;
  return {
    range: isTime ? undefined : choiceOf(search["range"], DASHBOARD_RANGES),
    start: isTime ? start : undefined,
    end: isTime ? end : undefined,
    by: choiceOf(search["by"], DASHBOARD_KEYS),
    metric: choiceOf(search["metric"], DASHBOARD_METRICS),
    user: integerOf(search["user"], { least: 1 }),
    token: textOf(search["token"], { most: 64 }),
    model: textOf(search["model"], { most: 128 }),
    channel: integerOf(search["channel"], { least: 1 }),
    alias: textOf(search["alias"], { most: FILTER_LIMITS.aliasLength }),
    split: integerOf(search["split"], { least: 0, most: 0 }),
    compare: integerOf(search["compare"], { least: 0, most: 0 }),
    hours: integerOf(search["hours"], { least: 1, most: 1 }),
    step: choiceOf(search["step"], DASHBOARD_STEPS),
    sum: integerOf(search["sum"], { least: 1, most: 1 }),
  };
}

/** Keys that the scope leaves open to the viewer; `by` is the one of the address, else the first. */
export function keysFor(search: DashboardSearch, isAdmin: boolean) {
  const keys = DASHBOARD_KEYS.filter(
    (key) => search[key] === undefined && (isAdmin || key === "model" || key === "token"),
  );
  return { keys, by: keys.find((key) => key === search.by) ?? keys[0] ?? "model" };
}

/** Reads the view state of the page, as far as the viewer may see it. */
export function ownDashboardSearch(raw: RawSearch, isAdmin: boolean): DashboardSearch {
  const search = readDashboardSearch(raw);
  const { metric } = search;
  const seen = isAdmin
    ? search
    : {
        ...search,
        user: undefined,
        channel: undefined,
        alias: undefined,
        metric: metric === "margin" ? undefined : metric,
      };
  return { ...seen, by: keysFor(seen, isAdmin).by };
}
