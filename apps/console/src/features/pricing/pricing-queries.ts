import { channelTypeInfo } from "@one-api/contract/channel-types";
import { listPrices, type OfferedPrice } from "@one-api/contract/pricing";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import type { ListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import { useCurrentUser } from "../../lib/state/session.ts";

/** The names of the providers that serve a model for a price. */
export function providersOf({ types }: OfferedPrice): string[] {
  return types.map((type) => channelTypeInfo(type)?.label ?? String(type));
}

/** What models cost the viewer, all at once: the server sends the whole list. */
export function usePrices() {
  const user = useCurrentUser();
  return useQuery({
    queryKey: ["pricing", "own", user?.id ?? 0],
    queryFn: ({ signal }) => callApi(listPrices, { signal }),
    staleTime: 60_000,
    meta: { shownInPlace: true },
  });
}

/** The prices that a search and a provider leave, as a list; and the providers there are. */
export function usePriceList(search: ListSearch, provider: string | undefined) {
  const query = usePrices();
  const prices = query.data ?? [];
  const keyword = search.keyword.toLowerCase();
  const rows = prices.filter(
    (price) =>
      price.model.toLowerCase().includes(keyword) && (provider === undefined || providersOf(price).includes(provider)),
  );
  const pageCount = Math.max(1, Math.ceil(rows.length / search.size));
  const page = Math.min(search.page, pageCount);
  const list: ListRows<OfferedPrice> = {
    rows: search.sort === undefined ? rows.slice((page - 1) * search.size, page * search.size) : rows,
    page,
    size: search.size,
    total: rows.length,
    pageCount,
    hasNext: page < pageCount,
    isSorted: false,
    canResize: true,
    isPending: query.isPending,
    isRefreshing: query.isFetching && !query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
  };
  const providers = [...new Set(prices.flatMap(providersOf))].sort((left, right) => left.localeCompare(right));
  return { list, providers, prices };
}
