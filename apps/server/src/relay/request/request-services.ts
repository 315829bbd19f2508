import type { BodyIntake } from "../body/receive-body.ts";
import type { CallerServices } from "../callers/caller-services.ts";
import type { ChargingServices } from "../charging/charging-services.ts";
import type { InFlightRequests } from "../in-flight/in-flight-requests.ts";
import type { RelayTimeouts } from "../relay-timeouts.ts";
import type { RoutingServices } from "../routing/routing-services.ts";
import type { BodyStore } from "../stored-bodies/body-store.ts";
import type { UpstreamServices } from "../upstream/upstream-services.ts";

/** Services of a relayed request, shared by all requests. */
export interface RequestServices
  extends CallerServices, RoutingServices, UpstreamServices, ChargingServices, BodyIntake {
  readonly inFlight: InFlightRequests;
  readonly bodies: Pick<BodyStore, "begin">;
  readonly timeouts: RelayTimeouts;
}
