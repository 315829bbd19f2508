import type { BatchReservations } from "@one-api/ledger/batches";
import type { ChargingServices } from "../charging/charging-services.ts";
import type { PassthroughServices } from "../passthrough/passthrough-services.ts";
import type { RoutingServices } from "../routing/routing-services.ts";
import type { UpstreamServices } from "../upstream/upstream-services.ts";

/** Services that make batches at providers, follow them and settle their charges. */
export interface BatchServices
  extends
    PassthroughServices,
    Pick<RoutingServices, "plans" | "health">,
    Pick<UpstreamServices, "translate">,
    Pick<ChargingServices, "ledger" | "countTokens" | "checkSpending"> {
  readonly batches: BatchReservations;
}
