import { DELIVERY_STATES, type DeliveryState } from "@one-api/contract/notifications/delivery-states";
import { type ListSearchState, type RawSearch, readListSearch } from "../../../lib/list/list-search.ts";
import { choiceOf, integerOf } from "../../../lib/values/read-values.ts";

export interface DeliveryFilters {
  readonly receiver?: number | undefined;
  readonly status?: DeliveryState | undefined;
}

export function readDeliveryFilters({ receiver, status }: RawSearch): DeliveryFilters {
  return { receiver: integerOf(receiver, { least: 1 }), status: choiceOf(status, DELIVERY_STATES) };
}

export function readDeliveryListSearch(search: RawSearch): ListSearchState & DeliveryFilters {
  return { ...readListSearch(search), ...readDeliveryFilters(search) };
}
