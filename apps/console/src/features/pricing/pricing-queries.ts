import { channelTypeLabel } from "@one-api/contract/channels/channel-types";
import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import { useQuery } from "@tanstack/react-query";
import type { ListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import { useCurrentUser } from "../../lib/state/session.ts";
import { filterPrices, isNamed } from "./filter-prices.ts";
import { pricesQuery } from "./prices-query.ts";
import type { PricingFilters } from "./pricing-search.ts";
import { providersOf } from "./providers-of.ts";
import { sortPrices } from "./sort-prices.ts";

/** All prices for the viewer. */
export function usePrices(isWanted = true) {
  return useQuery({ ...pricesQuery(useCurrentUser()?.id), enabled: isWanted });
}

/**
 * Prices that match the search and the filters, the providers that occur, and the chosen one in the viewer's language.
 */
export function usePriceList(search: ListSearch, filters: PricingFilters, language: string) {
  const query = usePrices();
  const prices = query.data ?? [];
  const { provider } = filters;
  const rows = filterPrices(prices, search.keyword, filters);
  const sorted = search.sort === undefined ? rows : sortPrices(rows, search.sort, language);
  const pageCount = Math.max(1, Math.ceil(rows.length / search.size));
  const page = Math.min(search.page, pageCount);
  const list: ListRows<OfferedPrice> = {
    rows: sorted.slice((page - 1) * search.size, page * search.size),
    page,
    size: search.size,
    total: rows.length,
    pageCount,
    isPending: query.isPending,
    isRefreshing: query.isFetching && !query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
  };
  const types = prices.flatMap((price) => price.types);
  const providers = [...new Set(prices.flatMap((price) => providersOf(price, language)))].sort((left, right) =>
    left.localeCompare(right),
  );
  const chosen = provider === undefined ? undefined : types.find((type) => isNamed(type, provider));
  const chosenName = chosen === undefined ? provider : channelTypeLabel(chosen, language);
  return { list, providers, chosenName, prices };
}
