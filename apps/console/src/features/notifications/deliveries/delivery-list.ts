import type { Delivery } from "@one-api/contract/notifications/receiver";
import { callApiList } from "../../../lib/api/api-client.ts";
import type { ListSource } from "../../../lib/list/list-query.ts";
import { NOTIFICATIONS_KEY } from "../receivers/receiver-list.ts";
import type { DeliveryFilters } from "./delivery-list-search.ts";

export function deliveryList(filters: DeliveryFilters): ListSource<Delivery> {
  const { receiver = 0, status = "" } = filters;
  return {
    queryKey: [...NOTIFICATIONS_KEY, "deliveries", filters],
    fetchPage: ({ p, size }, { signal }) =>
      callApiList("GET /api/receiver/delivery", { query: { p, size, receiver, status }, signal }),
  };
}
