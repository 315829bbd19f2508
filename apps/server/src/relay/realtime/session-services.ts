import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { MemoryBudget } from "../../platform/memory/memory-budget.ts";
import type { CallerServices } from "../callers/caller-services.ts";
import type { ChargingServices } from "../charging/charging-services.ts";
import type { InFlightRequests } from "../in-flight/in-flight-requests.ts";
import type { Price } from "../pricing/price-model.ts";
import type { RelayTimeouts } from "../relay-timeouts.ts";
import type { RoutingServices } from "../routing/routing-services.ts";
import type { UpstreamServices } from "../upstream/upstream-services.ts";

/** Services of WebSocket sessions. */
export interface SessionServices extends CallerServices, RoutingServices, UpstreamServices, ChargingServices {
  readonly inFlight: InFlightRequests;
  /** Memory for messages that wait. */
  readonly sessionMemory: MemoryBudget;
  readonly timeouts: RelayTimeouts;
  readonly priceTranscription: (model: string, type: ChannelType, group: string) => Price;
}
