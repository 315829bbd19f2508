import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import type { Endpoint, ProviderSwitches, Service } from "@one-api/providers/provider";
import type { OptionStore } from "../../core/option-store.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../core/transaction.ts";
import { type ChannelForRelay, hasChannelFor } from "../../features/channels/index.ts";
import { MODEL_WITHOUT_PRICE } from "../../features/pricing/index.ts";
import type { ParsedRequest } from "../body/index.ts";
import type { NamedModel } from "../callers/index.ts";
import {
  costOfModel,
  isAboveCeiling,
  type Price,
  type PriceCeiling,
  priceModel,
  type PriceOptions,
  pricesHoldUntil,
  refusesUnpriced,
} from "../pricing/index.ts";
import { RelayError } from "../errors/index.ts";
import type { ChannelSnapshot, ChannelSource } from "./channel-snapshot.ts";
import type { OtherChannel } from "./explain-choice.ts";
import type { ChannelHealth } from "./channel-health.ts";
import type { CostOrder } from "./select-channel.ts";
import { findCandidates, PATH_NOT_SERVED, type Candidate } from "./find-candidates.ts";

export interface PricedCandidate extends Candidate {
  readonly group: string;
  readonly price: Price;
  /** Cost to the operator; undefined where it is unknown. */
  readonly costPrice: Price | undefined;
  readonly firstTokenMs?: number;
}

export interface RoutePlan {
  readonly routes: readonly PricedCandidate[];
  readonly others: readonly OtherChannel[];
}

/** Groups of a caller, in order. With failover, those after the first that serves the model are tried after it. */
interface GroupOrder {
  readonly groups: readonly string[];
  readonly groupFailover: boolean;
}

type PlannedRequest = Pick<
  ParsedRequest,
  "model" | "endpoint" | "needsOwnFormat" | "toolReasoning" | "format" | "priceFactorOf" | "tier"
>;

/** Finds the candidates of a request, cached until channels or options change. */
export interface RoutePlans {
  /**
   * Returns the candidates of the first group that serves one of the models, or of all groups with failover. `models`:
   * by default the requested one, for an alias its models in the order in which they are tried. Throws RelayError
   * without any: `unserved`, or 501.
   */
  find(order: GroupOrder, parsed: PlannedRequest, models?: readonly NamedModel[]): RoutePlan | Promise<RoutePlan>;
  /** Returns the plan of one enabled channel for any model. Throws RelayError: 403 if it is not enabled, 400 if it cannot be called. */
  pinned(channelId: number, group: string, parsed: PlannedRequest): Promise<RoutePlan>;
  /** Returns the refusal of a model: 503 while all its channels are disabled, since that may pass, else 404. */
  unserved(groups: readonly string[], model: string): Promise<RelayError>;
}

export interface RoutePlansParts {
  readonly channels: ChannelSource;
  readonly loadChannel: (channelId: number) => Promise<ChannelForRelay | undefined>;
  readonly options: PriceOptions & Pick<OptionStore, "generation" | "text">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly providerSwitches: () => ProviderSwitches;
  readonly database: Queryable;
}

/** Upper bound of cached plans. Unknown models are not cached, since callers may name anything. */
const MAX_PLANS = 10_000;

/** Plans of one snapshot and one generation of options, while prices stay the same. */
class KnownPlans {
  readonly #options: PriceOptions & Pick<OptionStore, "generation">;
  #snapshot: ChannelSnapshot | undefined;
  #generation = 0;
  #byName = new Map<string, RoutePlan>();
  #since = 0;
  #until = 0;

  constructor(options: PriceOptions & Pick<OptionStore, "generation">) {
    this.#options = options;
  }

  /** Returns the plans of a snapshot at a time in ms, by name. */
  of(snapshot: ChannelSnapshot, nowMs: number): Map<string, RoutePlan> {
    const generation = this.#options.generation();
    const isTimely = nowMs >= this.#since && nowMs < this.#until;
    const isFresh = isTimely && this.#snapshot === snapshot && this.#generation === generation;
    if (!isFresh || this.#byName.size >= MAX_PLANS) {
      this.#snapshot = snapshot;
      this.#generation = generation;
      this.#byName = new Map();
      this.#since = nowMs;
      this.#until = pricesHoldUntil(this.#options, nowMs);
    }
    return this.#byName;
  }
}

export function createRoutePlans(parts: RoutePlansParts): RoutePlans {
  const { channels, loadChannel, options, providerSwitches, database, clock } = parts;
  const known = new KnownPlans(options);
  const unserved = async (groups: readonly string[], model: string): Promise<RelayError> =>
    (await hasChannelFor(database, groups, model)) ? switchedOff(model) : unknownModel(model);
  const planOf = (snapshot: ChannelSnapshot, group: string, model: string, endpoint: Endpoint): RoutePlan => {
    const nowMs = clock.nowMs();
    const plans = known.of(snapshot, nowMs);
    const name = `${endpoint} ${group} ${model}`;
    const plan = plans.get(name);
    if (plan !== undefined) return plan;
    const { routes, unable } = findCandidates(snapshot.serving(group, model), model, endpoint, providerSwitches());
    const others = [
      ...notUsed(unable, "path-not-served"),
      ...notUsed(snapshot.servingOthers(group, model), "other-group"),
    ];
    const { priced, unpriced } = dropUnpriced(options, priceRoutes(options, { group, endpoint, nowMs }, routes));
    const found = { others: [...others, ...notUsed(unpriced, "no-price")], routes: priced };
    if (routes.length > 0) plans.set(name, found);
    return found;
  };
  const findIn = (
    snapshot: ChannelSnapshot,
    { groups, groupFailover }: GroupOrder,
    parsed: PlannedRequest,
    models: readonly NamedModel[],
  ): RoutePlan | Promise<RoutePlan> => {
    const reasons = new Set<OtherChannel["reason"]>();
    const tries = groupFailover ? [groups] : groups.map((group) => [group]);
    for (const together of tries) {
      const plans = models.flatMap((named) =>
        together.map((group) => withLimits(planOf(snapshot, group, named.model, parsed.endpoint), named, parsed)),
      );
      const [first] = plans;
      const plan = plans.length === 1 ? first : inTurn(plans);
      if (plan !== undefined && plan.routes.length > 0) return narrow(plan, parsed);
      for (const { reason } of plan?.others ?? []) reasons.add(reason);
    }
    const { model } = parsed;
    refuseUnusable(model, reasons);
    return unserved(groups, model).then((refusal) => {
      throw refusal;
    });
  };
  return {
    find(order, parsed, models = [{ model: parsed.model }]) {
      const snapshot = channels.snapshot();
      if (snapshot instanceof Promise) return snapshot.then((read) => findIn(read, order, parsed, models));
      return findIn(snapshot, order, parsed, models);
    },
    async pinned(channelId, group, parsed) {
      const { model, endpoint } = parsed;
      const channel = await loadChannel(channelId);
      if (channel !== undefined && channel.status !== CHANNEL_STATUS.enabled) throw channelDisabled(channelId);
      const { routes } = findCandidates(channel === undefined ? [] : [channel], model, endpoint, providerSwitches());
      const all = priceRoutes(options, { group, endpoint, nowMs: clock.nowMs() }, routes);
      const { priced: usable, unpriced } = dropUnpriced(options, all);
      if (usable.length === 0 && unpriced.length > 0) throw withoutPrice(model);
      const priced = usable.map((route) => asServed(route, parsed));
      if (priced.length > 0) return { others: [], routes: priced };
      throw pinnedUnusable(channelId, channel === undefined ? "there is no such channel" : PATH_NOT_SERVED);
    },
    unserved,
  };
}

/** Above any difference between the priorities of channels. */
const PLAN_PRIORITY = 2 ** 40;

/**
 * Joins the plans of several models and groups, in descending priority. A channel serves a model to the first of its
 * groups only.
 */
function inTurn(plans: readonly RoutePlan[]): RoutePlan {
  const routes: PricedCandidate[] = [];
  for (const [index, plan] of plans.entries()) {
    for (const route of plan.routes) {
      if (routes.some(({ id, model }) => id === route.id && model === route.model)) continue;
      routes.push({ ...route, priority: route.priority - index * PLAN_PRIORITY });
    }
  }
  const serving = new Set(routes.map(({ id }) => id));
  const others = new Map(plans.flatMap((plan) => plan.others.map((other) => [other.id, other])));
  return { routes, others: [...others.values()].filter(({ id }) => !serving.has(id)) };
}

function priceRoutes(
  options: PriceOptions,
  { group, endpoint, nowMs }: { readonly group: string; readonly endpoint: Endpoint; readonly nowMs: number },
  routes: readonly Candidate[],
): readonly PricedCandidate[] {
  const now = new Date(nowMs);
  return routes.map((route) => ({
    ...route,
    group,
    price: priceModel(options, { model: route.upstreamModel, type: route.channel.type, group, endpoint, at: now }),
    costPrice: costOfModel(route.upstreamModel, route.channel.type, route.channel.costs, endpoint),
  }));
}

/** Completion tokens for each prompt token, in the mix of tokens that compares costs. */
const COMPLETION_PART = 0.25;

function costOfMix(price: Price | undefined): number {
  if (price === undefined) return Number.POSITIVE_INFINITY;
  const completion = price.unit === "token" ? price.completionRatio * COMPLETION_PART : 0;
  return price.modelRatio * price.groupRatio * (1 + completion);
}

/** Order of pool mode `cheapest`. `maxLatencyMs`: 0 for any. */
export function costOrder(
  health: Pick<ChannelHealth, "latencyMs">,
  maxLatencyMs: number,
): CostOrder<Pick<PricedCandidate, "id" | "priority" | "weight" | "upstreamModel" | "costPrice">> {
  return {
    costOf: ({ costPrice }) => costOfMix(costPrice),
    latencyMs: ({ id, upstreamModel }) => health.latencyMs(id, upstreamModel),
    maxLatencyMs,
  };
}

/** Separates candidates that only the fallback price is known for, if the option UnpricedModels refuses them. */
function dropUnpriced(
  options: Pick<OptionStore, "text">,
  routes: readonly PricedCandidate[],
): { priced: readonly PricedCandidate[]; unpriced: readonly PricedCandidate[] } {
  if (!refusesUnpriced(options)) return { priced: routes, unpriced: [] };
  const isUnpriced = ({ price }: PricedCandidate) => price.source === "fallback";
  return { priced: routes.filter((route) => !isUnpriced(route)), unpriced: routes.filter(isUnpriced) };
}

/** Returns a plan without the candidates above the price ceiling of an alias, and with its deadline. */
function withLimits(plan: RoutePlan, { ceiling, firstTokenMs }: NamedModel, parsed: PlannedRequest): RoutePlan {
  if (ceiling === undefined && firstTokenMs === undefined) return plan;
  const isDear = (route: PricedCandidate) => isTooDear(route, ceiling, parsed);
  const left = plan.routes.filter((route) => !isDear(route));
  return {
    routes: firstTokenMs === undefined ? left : left.map((route) => ({ ...route, firstTokenMs })),
    others: [...plan.others, ...notUsed(plan.routes.filter(isDear), "above-ceiling")],
  };
}

/** True if the route's price for the request is above the price ceiling of an alias. */
export function isTooDear(
  route: PricedCandidate,
  ceiling: PriceCeiling | undefined,
  parsed: Pick<PlannedRequest, "tier" | "priceFactorOf">,
): boolean {
  return ceiling !== undefined && isAboveCeiling(route.price, ceiling, askedFactor(route, parsed));
}

/** Price factor of the requested tier; at least 1, since a provider may serve it at the usual price. */
function askedFactor(
  { price, upstreamModel }: PricedCandidate,
  { tier, priceFactorOf }: Pick<PlannedRequest, "tier" | "priceFactorOf">,
): number {
  return Math.max(1, (tier && price.tiers?.[tier]) ?? priceFactorOf(upstreamModel));
}

function notUsed(
  channels: readonly { readonly id: number }[],
  reason: OtherChannel["reason"],
): readonly OtherChannel[] {
  return channels.map(({ id }) => ({ id, reason }));
}

/**
 * Keeps the candidates of the request's own format where no other can express it. Without any it keeps all, and the translation explains the refusal.
 */
function narrow(found: RoutePlan, { needsOwnFormat, toolReasoning, format }: PlannedRequest): RoutePlan {
  const plan = found.routes.some(({ service }) => mayVary(service))
    ? { ...found, routes: found.routes.map((route) => asServed(route, { toolReasoning, format })) }
    : found;
  if (!needsOwnFormat) return plan;
  const routes = plan.routes.filter(({ service }) => service.exact && service.format.name === format.name);
  if (routes.length === 0) return plan;
  const left = plan.routes.filter((route) => !routes.includes(route));
  return { ...plan, routes, others: [...plan.others, ...notUsed(left, "other-format")] };
}

function mayVary({ byFormat, byTools }: Service): boolean {
  return byFormat !== undefined || byTools !== undefined;
}

/** Returns the candidate as it serves requests of this format, with these tools. */
export function asServed<R extends Candidate>(
  route: R,
  { format, toolReasoning }: Pick<PlannedRequest, "format" | "toolReasoning">,
): R {
  const { byFormat, byTools } = route.service;
  const service = byFormat?.get(format.name) ?? (toolReasoning === "none" ? undefined : byTools?.(toolReasoning));
  return service === undefined ? route : { ...route, service };
}

/** Throws a RelayError where channels have the model, and none of them can serve the request. */
function refuseUnusable(model: string, reasons: ReadonlySet<OtherChannel["reason"]>): void {
  if (reasons.has("above-ceiling")) throw aboveCeilings(model);
  if (reasons.has("no-price")) throw withoutPrice(model);
  if (reasons.has("path-not-served")) throw pathNotServed(model);
}

function pathNotServed(model: string): RelayError {
  const message = `No channel can serve ${model} here: ${PATH_NOT_SERVED}.`;
  return new RelayError({ status: 501, code: "not_supported", param: "model", message });
}

function withoutPrice(model: string): RelayError {
  const message = `The model ${model} has no price here, so it cannot be called. An administrator can set one.`;
  return new RelayError({ status: 403, code: MODEL_WITHOUT_PRICE, param: "model", message });
}

function aboveCeilings(alias: string): RelayError {
  return new RelayError({
    status: 400,
    type: "invalid_request_error",
    code: "alias_conditions",
    param: "model",
    message: `No model of ${alias} takes this request: their prices in your group are above the alias's price ceilings. Name a model instead.`,
  });
}

/** The time is unknown, so there is no Retry-After. */
function switchedOff(model: string): RelayError {
  const message = `The channels that serve the model ${model} to your group are switched off right now. Try again later.`;
  return new RelayError({ status: 503, code: "model_unavailable", param: "model", message });
}

function unknownModel(model: string): RelayError {
  return new RelayError({
    status: 404,
    type: "invalid_request_error",
    code: "model_not_found",
    param: "model",
    message: `No channel serves the model ${model} to your group. GET /v1/models lists what you can call.`,
  });
}

/** Refusal of a named channel that is disabled, dormant or in reserve. */
export function channelDisabled(channel: number): RelayError {
  return new RelayError({
    status: 403,
    type: "invalid_request_error",
    code: "channel_disabled",
    message: `Channel ${channel} is not enabled.`,
  });
}

function pinnedUnusable(channel: number, reason: string): RelayError {
  return new RelayError({
    status: 400,
    code: "invalid_channel",
    message: `Channel ${channel} cannot be called: ${reason}.`,
  });
}
