import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { MemoryBudget } from "../../platform/memory/memory-budget.ts";
import type { CallerServices } from "../callers/index.ts";
import type { ChargingServices } from "../charging/index.ts";
import type { InFlightRequests } from "../in-flight/index.ts";
import type { Price } from "../pricing/index.ts";
import type { RelayTimeouts } from "../relay-timeouts.ts";
import type { RoutingServices } from "../routing/index.ts";
import type { UpstreamServices } from "../upstream/index.ts";

export interface SessionServices extends CallerServices, RoutingServices, UpstreamServices, ChargingServices {
  readonly inFlight: InFlightRequests;
  readonly sessionMemory: MemoryBudget;
  readonly timeouts: RelayTimeouts;
  readonly priceTranscription: (model: string, type: ChannelType, group: string) => Price;
}
