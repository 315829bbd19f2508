import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import type { ComingPrice, OfferedPrice } from "@one-api/contract/prices/pricing";
import type { FirstByte } from "@one-api/contract/usage/first-byte";
import { splitList } from "@one-api/contract/texts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi, callApiList } from "../../../lib/api/api-client.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import { comingPricesQuery } from "../coming-prices-query.ts";
import { availabilityQuery } from "../../status-page/availability-query.ts";

const FRESH_MS = 60_000;
const WEEK_SECONDS = 7 * 86_400;
const CHANNELS_LOADED = 100;

/** A price that begins later, in dollars for the group of an offer. */
export interface ComingOffer extends Pick<ComingPrice["after"], "unit" | "input" | "output"> {
  readonly at: number;
}

/** Prices of the model that begin later; the server tells administrators alone. */
export function useComingPrices(model: string): (offer: OfferedPrice) => readonly ComingOffer[] {
  const { data = [] } = useQuery({ ...comingPricesQuery, enabled: useIsAdmin(), staleTime: FRESH_MS });
  return ({ group_ratio: ratio }) =>
    data
      .filter((coming) => coming.model === model)
      .map(({ at, after: { unit, input, output } }) => ({ at, unit, input: input * ratio, output: output * ratio }));
}

const weekQuery = (model: string) =>
  queryOptions({
    queryKey: ["dashboard", "model-week", model],
    queryFn: async ({ signal }) => {
      const now = Math.floor(Date.now() / 1_000);
      const edges = `${now - WEEK_SECONDS},${now}`;
      return (await callApi("GET /api/dashboard/", { query: { edges, model_name: model, rows: 0 }, signal })).total;
    },
    staleTime: FRESH_MS,
    meta: { quiet: true },
  });

export interface ModelWeek extends Pick<FirstByte, "first_byte_p50_ms" | "first_byte_p95_ms"> {
  /** Share of requests without a failure, 0 to 1; null without requests. */
  readonly availability: number | null;
}

/** The last 7 days of a model: as published on the status page, else from the log for administrators. */
export function useModelWeek(model: string): ModelWeek | undefined {
  const { status_page_enabled: isPublished } = useStoredStatus();
  const isAdmin = useIsAdmin();
  const published = useQuery({ ...availabilityQuery, enabled: isPublished });
  const listed = published.data?.models.find((one) => one.model === model);
  const isMissing = !isPublished || (listed === undefined && !published.isPending);
  const { data: total } = useQuery({ ...weekQuery(model), enabled: isAdmin && isMissing });
  if (listed !== undefined) return listed.week;
  if (total === undefined) return undefined;
  return { ...total, availability: total.requests === 0 ? null : 1 - total.errors / total.requests };
}

const STATUS_NAMES = new Map<number, keyof typeof CHANNEL_STATUS>(
  (["enabled", "disabled", "autoDisabled", "dormant", "reserve"] as const).map((name) => [CHANNEL_STATUS[name], name]),
);

/** Channels that serve a model, for administrators; undefined until they are loaded. */
export function useChannelsOf(model: string) {
  const { data } = useQuery({
    queryKey: ["channels", "of-model", model],
    queryFn: ({ signal }) =>
      callApiList("GET /api/channel/search", {
        query: { keyword: model, also: "models", size: CHANNELS_LOADED },
        signal,
      }),
    enabled: useIsAdmin(),
    staleTime: FRESH_MS,
    meta: { quiet: true },
  });
  return data?.rows
    .filter(({ models }) => splitList(models).includes(model))
    .map(({ id, name, type, status }) => ({ id, name, type, status: STATUS_NAMES.get(status) ?? "disabled" }));
}
