import type { BodyIntake } from "../body/index.ts";
import type { CallerServices } from "../callers/index.ts";
import type { ChargingServices } from "../charging/index.ts";
import type { InFlightRequests } from "../in-flight/index.ts";
import type { RelayTimeouts } from "../relay-timeouts.ts";
import type { RoutingServices } from "../routing/index.ts";
import type { BodyStore } from "../stored-bodies/index.ts";
import type { UpstreamServices } from "../upstream/index.ts";

export interface RequestServices
  extends CallerServices, RoutingServices, UpstreamServices, ChargingServices, BodyIntake {
  readonly inFlight: InFlightRequests;
  readonly bodies: Pick<BodyStore, "begin">;
  readonly timeouts: RelayTimeouts;
}
