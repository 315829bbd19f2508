import type { Failure } from "@one-api/providers/failure";
import type { UsageChoice } from "../../features/logs/index.ts";
import { explainChoice, ONLY_CHOICE, type OtherChannel, PINNED_CHOICE } from "./explain-choice.ts";
import { cooldownOf, pickCandidate, type Tried, weighCandidates } from "./find-candidates.ts";
import { costOrder, type PricedCandidate } from "./route-plans.ts";
import { preferCheapest } from "./select-channel.ts";
import { RelayError, upstreamFailed, UpstreamFailedError } from "../errors/index.ts";
import type { RoutingServices } from "./routing-services.ts";

export interface RouteRequest {
  readonly routes: readonly PricedCandidate[];
  readonly others: readonly OtherChannel[];
  readonly parsed: { readonly model: string };
  /** The caller named the channel. */
  readonly pinned: boolean;
  readonly conversation: number | undefined;
}

export interface NextRoute {
  readonly route: PricedCandidate;
  readonly choice: UsageChoice;
}

/**
 * Returns the next candidate: one without a cooldown, else one whose cooldown is not a rate limit. A retry of the second
 * kind needs budget. A pinned channel is used as it is.
 * Throws UpstreamFailedError when all are rate-limited, or were tried.
 */
export function nextRoute(
  services: Pick<
    RoutingServices,
    "poolMode" | "maxLatencyMs" | "health" | "clock" | "random" | "roundRobin" | "retryBudget"
  >,
  request: RouteRequest,
  tried: Tried,
  lastFailure: Failure | undefined,
): NextRoute {
  if (lastFailure === undefined) services.retryBudget.earn();
  const next = request.pinned ? pinnedRoute(request, tried) : chooseRoute(services, request, tried);
  if (next !== undefined) {
    services.health.recordSent(next.route.id);
    return next;
  }
  throw lastFailure === undefined ? allRest(services, request) : upstreamFailed(lastFailure);
}

function pinnedRoute({ routes }: RouteRequest, tried: Tried): NextRoute | undefined {
  const route = routes.find((candidate) => !tried.has(candidate));
  return route === undefined ? undefined : { route, choice: PINNED_CHOICE };
}

const CHOSEN_BY = { random: "share", polling: "turn", cheapest: "cost" } as const;

function chooseRoute(
  { poolMode, maxLatencyMs, health, clock, random, roundRobin, retryBudget }: Parameters<typeof nextRoute>[0],
  { routes, others, parsed, conversation }: RouteRequest,
  tried: Tried,
): NextRoute | undefined {
  const [only] = routes;
  const isOnly = routes.length === 1 && others.length === 0 && only !== undefined;
  if (isOnly && !tried.has(only) && cooldownOf(only, health, clock) === undefined)
    return { route: only, choice: ONLY_CHOICE };
  const mode = poolMode();
  const drawn = weighCandidates(routes, { health, clock }, tried, random);
  // Recovering channels alone still serve every request.
  const usable = drawn.some(({ share }) => share > 0) ? drawn : weighCandidates(routes, { health, clock }, tried);
  const weighed = mode === "cheapest" ? preferCheapest(usable, costOrder(health, maxLatencyMs())) : usable;
  const explain = (by: Parameters<typeof explainChoice>[0], route: PricedCandidate): NextRoute => ({
    route,
    choice: explainChoice(by, route, { weighed, tried, others, health, clock }),
  });
  const by = {
    mode,
    turns: roundRobin,
    turnKey: `${only?.group} ${parsed.model}`,
    conversation,
    random: random(),
  } as const;
  const awake = pickCandidate(weighed, by, health);
  if (awake !== undefined) {
    return explain(conversation !== undefined ? "conversation" : CHOSEN_BY[mode], awake);
  }
  const last = routes.find((route) => !tried.has(route) && cooldownOf(route, health, clock)?.reason !== "rate-limited");
  if (last === undefined || (tried.size > 0 && !retryBudget.take())) return undefined;
  return explain("last-resort", last);
}

function allRest(
  { health, clock }: Pick<RoutingServices, "health" | "clock">,
  request: RouteRequest,
): UpstreamFailedError {
  const wakes = request.routes.map((route) => cooldownOf(route, health, clock)?.untilMs ?? 0);
  const waitSeconds = Math.ceil((Math.min(...wakes) - clock.nowMs()) / 1000);
  const answer = new RelayError({
    status: 429,
    type: "requests",
    code: "rate_limit_exceeded",
    message: "The providers of this model are at their limit. Try again later.",
    retryAfterSeconds: Math.min(60, Math.max(1, waitSeconds)),
  });
  return new UpstreamFailedError(answer, "rate-limited", answer.status);
}
