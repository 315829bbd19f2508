import type { CallerRequest } from "@one-api/http1/server/caller-exchange";
import { checkCaller } from "./authenticate-token.ts";
import type { Caller } from "./caller-source.ts";
import type { CallerServices } from "./caller-services.ts";

/** Throws a RelayError (401, 403, 429). */
export function identifyCaller(
  { clientAddress, clock, wrongKeys }: Pick<CallerServices, "clientAddress" | "clock" | "wrongKeys">,
  request: Pick<CallerRequest, "headers" | "socket">,
  found: Caller | undefined,
): Caller {
  if (found === undefined) throw wrongKeys.refuse(clientAddress(request), clock.monotonicMs());
  const address = found.networks === undefined ? "" : clientAddress(request);
  return checkCaller(found, address, clock.nowMs());
}
