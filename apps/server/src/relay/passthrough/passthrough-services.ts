import type { Ledger } from "@one-api/ledger/ledger";
import type { Queryable } from "../../core/transaction.ts";
import type { CallerServices } from "../callers/index.ts";
import type { InFlightRequests } from "../in-flight/index.ts";
import type { RoutingServices } from "../routing/index.ts";
import type { UpstreamServices } from "../upstream/index.ts";

export interface PassthroughServices
  extends
    Pick<CallerServices, "limiter" | "clock" | "log" | "telemetry">,
    Pick<RoutingServices, "channels" | "aliases" | "loadChannel" | "storedObjects" | "random">,
    Pick<UpstreamServices, "upstream" | "timeouts"> {
  readonly inFlight: InFlightRequests;
  readonly isLogged: () => boolean;
  readonly writeLogs: Ledger["writeLogs"];
  readonly database: Queryable;
}
