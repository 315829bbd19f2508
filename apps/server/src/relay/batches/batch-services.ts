import type { BatchReservations } from "@one-api/ledger/batches";
import type { ChargingServices } from "../charging/index.ts";
import type { PassthroughServices } from "../passthrough/index.ts";
import type { RoutingServices } from "../routing/index.ts";
import type { UpstreamServices } from "../upstream/index.ts";

export interface BatchServices
  extends
    PassthroughServices,
    Pick<RoutingServices, "plans" | "health">,
    Pick<UpstreamServices, "translate">,
    Pick<ChargingServices, "ledger" | "countTokens" | "checkSpending"> {
  readonly batches: BatchReservations;
}
