import { requestsImages, type ParsedRequest } from "../body/index.ts";
import { type Admission, type Caller, checkModel } from "../callers/index.ts";
import { pinToStoredObjects, type RoutePlan, stickyKey, storedIdsIn } from "../routing/index.ts";
import { tokensUpperBound } from "../usage/index.ts";
import type { RequestServices } from "./request-services.ts";

/** Admits a request under its caller's rate limits. Throws a RelayError where a limit is reached or the token does not allow the model. */
export function admitRequest(
  { limiter }: Pick<RequestServices, "limiter">,
  caller: Caller,
  parsed: ParsedRequest,
): Admission {
  checkModel(caller, parsed.model);
  const { limits } = caller;
  const modelTokens = limits.modelTokensPerMinute === 0 ? 0 : tokensUpperBound(parsed);
  return limiter.admit(limits, modelTokens, requestsImages(parsed));
}

/** Finds the candidates of a request: those of its caller's groups, its pinned channel, or the channels that store what it refers to. */
export function planRequest(
  services: RequestServices,
  caller: Caller,
  pinnedChannel: number | undefined,
  parsed: ParsedRequest,
): RoutePlan | Promise<RoutePlan> {
  const [firstGroup = "default"] = caller.groups;
  const plan =
    pinnedChannel === undefined
      ? services.plans.find(caller.groups, parsed)
      : services.plans.pinned(pinnedChannel, firstGroup, parsed);
  const storedIds = storedIdsIn(parsed);
  return storedIds.length === 0 ? plan : pinToStoredObjects(services, caller, storedIds, plan);
}

/** Returns the number of a request's conversation for sticky routing; undefined where the choice of the channel does not depend on it. */
export function conversationOf(
  services: Pick<RequestServices, "isRoutingSticky">,
  { routes }: RoutePlan,
  parsed: ParsedRequest,
  { userId }: Caller,
  headers: Parameters<typeof stickyKey>[0]["headers"],
): number | undefined {
  const isSticky = routes.length > 1 && parsed.hasCompletion && services.isRoutingSticky();
  return isSticky ? stickyKey({ userId, headers, body: parsed.body }) : undefined;
}
