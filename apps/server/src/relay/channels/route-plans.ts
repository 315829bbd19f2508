import { isDeepStrictEqual } from "node:util";
import type { Endpoint, ProviderSwitches } from "@one-api/providers/provider";
import type { OptionStore, RatioTable } from "../../core/option-store.ts";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import type { RelayAsk } from "../body/read-ask.ts";
import { costOfModel, type Price, priceModel } from "../pricing/price-model.ts";
import { RelayError } from "../relay-error.ts";
import type { ChannelSnapshot, ChannelSource } from "./channel-snapshot.ts";
import type { OtherChannel } from "./explain-choice.ts";
import { findRoutes, PATH_NOT_SERVED, type Route, switchesOf } from "./pick-channel.ts";

/** A route and what its model costs the group. */
export interface PricedRoute extends Route {
  readonly price: Price;
  /** What it costs the operator; undefined where nobody knows. */
  readonly costPrice: Price | undefined;
}

/** The routes of a request, all of one group. */
export interface RoutePlan {
  readonly group: string;
  /** Never empty. */
  readonly routes: readonly PricedRoute[];
  /** Channels that serve the model as well, but not to this group or not such a request. */
  readonly others: readonly OtherChannel[];
}

/** Finds what can serve a request, from memory where channels and prices have not changed. */
export interface RoutePlans {
  /** The routes of the first of the groups that serves the model. Throws RelayError (404 or 501) when there are none. */
  find(groups: readonly string[], ask: RelayAsk): RoutePlan | Promise<RoutePlan>;
  /** The route over one channel, whatever its state. Throws a 400 RelayError when it cannot be called. */
  pinned(channelId: number, group: string, ask: RelayAsk): Promise<RoutePlan>;
}

/** What the plans are made of. */
export interface RoutePlansParts {
  readonly channels: ChannelSource;
  readonly loadChannel: (channelId: number) => Promise<ChannelForRelay | undefined>;
  readonly options: OptionStore;
}

/** Plans of one snapshot and one set of prices. */
interface KnownPlans {
  readonly snapshot: ChannelSnapshot;
  readonly tables: readonly RatioTable[];
  readonly switches: ProviderSwitches;
  readonly byName: Map<string, RoutePlan>;
}

/** Callers may name anything: what was not found is not kept, and of the rest no more than this. */
const MAX_PLANS = 10_000;

/** Builds the finder of routes. */
export function createRoutePlans({ channels, loadChannel, options }: RoutePlansParts): RoutePlans {
  let known: KnownPlans | undefined;
  const priced = (
    { group, endpoint }: { readonly group: string; readonly endpoint: Endpoint },
    routes: readonly Route[],
    others: readonly OtherChannel[],
  ): RoutePlan => ({
    group,
    others,
    routes: routes.map((route) => ({
      ...route,
      price: priceModel(options, route.upstreamModel, route.channel.type, group, endpoint),
      costPrice: costOfModel(route.upstreamModel, route.channel.type, route.channel.costs, endpoint),
    })),
  });
  const plansOf = (snapshot: ChannelSnapshot): Map<string, RoutePlan> => {
    const tables = [options.ratios("ModelRatio"), options.ratios("CompletionRatio"), options.ratios("GroupRatio")];
    const switches = switchesOf(options);
    const isSame = known?.snapshot === snapshot && isDeepStrictEqual(known.switches, switches);
    const isFresh = isSame && known?.tables.every((table, index) => table === tables[index]) === true;
    if (known === undefined || !isFresh || known.byName.size >= MAX_PLANS) {
      known = { snapshot, tables, switches, byName: new Map() };
    }
    return known.byName;
  };
  const findIn = (snapshot: ChannelSnapshot, groups: readonly string[], ask: RelayAsk): RoutePlan => {
    const { model, endpoint } = ask;
    const plans = plansOf(snapshot);
    let refusal: string | undefined;
    for (const group of groups) {
      const name = `${endpoint} ${group} ${model}`;
      const plan = plans.get(name);
      if (plan !== undefined) return narrow(plan, ask);
      const { routes, unable } = findRoutes(snapshot.serving(group, model), model, endpoint, options);
      if (unable.length > 0) refusal = PATH_NOT_SERVED;
      if (routes.length === 0) continue;
      const elsewhere = snapshot.servingOthers(group, model);
      const others: OtherChannel[] = [
        ...unable.map(({ id }) => ({ id, reason: "path-not-served" as const })),
        ...elsewhere.map(({ id }) => ({ id, reason: "other-group" as const })),
      ];
      const found = priced({ group, endpoint }, routes, others);
      plans.set(name, found);
      return narrow(found, ask);
    }
    throw noChannel(model, refusal);
  };
  return {
    find(groups, ask) {
      const snapshot = channels.snapshot();
      if (snapshot instanceof Promise) return snapshot.then((read) => findIn(read, groups, ask));
      return findIn(snapshot, groups, ask);
    },
    async pinned(channelId, group, { model, endpoint }) {
      const channel = await loadChannel(channelId);
      const { routes } = findRoutes(channel === undefined ? [] : [channel], model, endpoint, options);
      if (routes.length > 0) return priced({ group, endpoint }, routes, []);
      throw pinnedUnusable(channelId, channel === undefined ? "there is no such channel" : PATH_NOT_SERVED);
    },
  };
}

/** Where no other format can say the request, the routes of its own alone; all of them where there are none, and the translation says why not. */
function narrow(plan: RoutePlan, { needsOwnFormat, format }: RelayAsk): RoutePlan {
  if (!needsOwnFormat) return plan;
  const routes = plan.routes.filter(({ service }) => service.exact && service.format.name === format.name);
  if (routes.length === 0) return plan;
  const left = plan.routes.filter((route) => !routes.includes(route));
  return {
    ...plan,
    routes,
    others: [...plan.others, ...left.map(({ id }) => ({ id, reason: "other-format" as const }))],
  };
}

/** The refusal of a model that no channel serves, or none can; `refusal` says why. */
export function noChannel(model: string, refusal: string | undefined): RelayError {
  if (refusal !== undefined) {
    return new RelayError({
      status: 501,
      code: "not_supported",
      param: "model",
      message: `No channel can serve ${model} here: ${refusal}.`,
    });
  }
  const message = `No channel serves the model ${model} to your group. GET /v1/models lists what you can call.`;
  return new RelayError({
    status: 404,
    type: "invalid_request_error",
    code: "model_not_found",
    param: "model",
    message,
  });
}

function pinnedUnusable(channel: number, reason: string): RelayError {
  return new RelayError({
    status: 400,
    code: "invalid_channel",
    message: `Channel ${channel} cannot be called: ${reason}.`,
  });
}
