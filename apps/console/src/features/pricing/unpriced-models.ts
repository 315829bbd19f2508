import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { usePrices } from "./pricing-queries.ts";

/** Returns the models that the viewer can call and that have no known price; none while the page of prices is switched off. */
export function useUnpricedModels(): ReadonlySet<string> {
  const { pricing_enabled: isOn } = useStoredStatus();
  const { data = [] } = usePrices(isOn);
  return new Set(data.flatMap(({ model, is_unpriced: isUnpriced }) => (isUnpriced === true ? [model] : [])));
}

/** Returns the first price of a model that the viewer can call; undefined for an unknown one, and for one per unit. */
export function useTokenPrices(): (model: string) => Pick<OfferedPrice, "input" | "output"> | undefined {
  const { pricing_enabled: isOn } = useStoredStatus();
  const { data = [] } = usePrices(isOn);
  return (model) => {
    const offer = data.find((price) => price.model === model);
    return offer === undefined || offer.is_unpriced === true || offer.unit_price !== undefined ? undefined : offer;
  };
}

/** Returns those of the models that have no known price on channels of a type, for administrators. */
export function useUnpricedOf(type: number, models: readonly string[]): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ["pricing", "unpriced", { type, models }],
    queryFn: ({ signal }) =>
      callApi("GET /api/pricing/unpriced", { query: { type, models: models.join(",") }, signal }),
    enabled: models.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
  return data.filter((model) => models.includes(model));
}
