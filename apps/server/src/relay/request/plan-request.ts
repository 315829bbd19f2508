import { UNKNOWN_FACTS, writeFacts } from "@one-api/contract/logs/alias-facts";
import { requestFacts, requestsImages, type ParsedRequest } from "../body/index.ts";
import { aliasOf, checkModel, type IdentifiedCall, modelsFor, type NamedModel } from "../callers/index.ts";
import type { Reservation, ReservedRequest } from "../charging/index.ts";
import { type Admission, UNLIMITED } from "../limits/index.ts";
import type { Arrival } from "../telemetry/index.ts";
import { pinToStoredObjects, type RoutePlan, stickyKey, storedIdsIn } from "../routing/index.ts";
import { tokensUpperBound } from "../usage/index.ts";
import type { HeldAdmission } from "./held-admission.ts";
import type { RequestServices } from "./request-services.ts";

export interface PlannedCall extends IdentifiedCall {
  readonly parsed: ParsedRequest;
}

/**
 * Admits a request under its caller's rate limits, those of each model that may answer included: at once without limits. Throws or rejects with a
 * RelayError where a limit is reached.
 */
function admitRequest(
  { limiter }: Pick<RequestServices, "limiter">,
  { caller, parsed }: PlannedCall,
  models: readonly NamedModel[],
  gone: () => AbortSignal,
): Admission | Promise<Admission> {
  const { limits } = caller;
  if (limits === undefined) return UNLIMITED;
  const modelTokens = limits.hasTokens ? tokensUpperBound(parsed) : 0;
  return limiter.admit(
    limits,
    {
      models: [...new Set([parsed.model, ...models.map(({ model }) => model)])],
      modelTokens,
      isForImages: requestsImages(parsed),
    },
    gone,
  );
}

/** Admits a request, then finds its candidates. Throws or rejects with a RelayError. */
export function planRequest(
  services: RequestServices,
  call: PlannedCall,
  held: HeldAdmission,
): RoutePlan | Promise<RoutePlan> {
  const { caller, pinnedChannel, parsed } = call;
  if (pinnedChannel !== undefined) checkModel(caller, parsed.model);
  const models =
    pinnedChannel === undefined
      ? modelsFor(services, caller, parsed, () => requestFacts(parsed))
      : [{ model: parsed.model }];
  const isAsked = held.hold(admitRequest(services, call, models, held.gone));
  // Only the first request of a process waits: a gateway at rest does without the tokenizer's memory.
  const loading = services.countTokens.load();
  if (!(isAsked instanceof Promise) && loading === undefined) return findPlan(services, call, models);
  return Promise.all([isAsked, loading]).then(() => findPlan(services, call, models));
}

/** Finds the candidates of a request: those of its caller's groups, its pinned channel, or the channels that store what it refers to. */
function findPlan(
  services: RequestServices,
  { caller, pinnedChannel, parsed }: PlannedCall,
  models: readonly NamedModel[],
): RoutePlan | Promise<RoutePlan> {
  const [firstGroup = "default"] = caller.groups;
  const plan =
    pinnedChannel === undefined
      ? services.plans.find(caller, parsed, models)
      : services.plans.pinned(pinnedChannel, firstGroup, parsed);
  const storedIds = storedIdsIn(parsed);
  return storedIds.length === 0 ? plan : pinToStoredObjects(services, caller, storedIds, plan);
}

export interface PlannedRequest extends Arrival {
  readonly body: { readonly receivedMs: number };
  readonly hops: number;
  readonly at: number;
  readonly startedMs: number;
}

export function withReservation(
  services: Pick<RequestServices, "isRoutingSticky" | "telemetry" | "aliases">,
  { requestId, headers, dialect, body, hops, at, startedMs }: PlannedRequest,
  { routes, others }: RoutePlan,
  { caller, pinnedChannel, parsed }: PlannedCall,
  admission: Admission,
  { amount: reserved, cappedTokens, most }: Reservation,
): ReservedRequest {
  const hasChoice = routes.length > 1 || routes.some(({ channel }) => channel.keys !== undefined);
  const isSticky = hasChoice && parsed.hasCompletion && services.isRoutingSticky();
  const conversation = isSticky ? stickyKey({ userId: caller.userId, headers, body: parsed.body }) : undefined;
  const alias = pinnedChannel === undefined ? aliasOf(services, parsed) : "";
  return {
    requestId,
    headers,
    dialect,
    caller,
    parsed,
    alias,
    aliasFacts: alias === "" ? UNKNOWN_FACTS : writeFacts(requestFacts(parsed)),
    routes,
    others,
    pinned: pinnedChannel !== undefined,
    hops,
    conversation,
    reserved,
    cappedTokens,
    most,
    admission,
    at,
    startedMs,
    receivedMs: body.receivedMs,
    attempts: [],
    trace: services.telemetry.begin({ requestId, headers, dialect }, startedMs),
  };
}
