import { type Endpoint, IN_PLACE_OF, type ProviderSwitches, type Service } from "@one-api/providers/provider";
import { providerOf } from "@one-api/providers/registry";
import type { Clock } from "../../platform/clock.ts";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import {
  chooseAtRandom,
  chooseForConversation,
  chooseInTurn,
  type PoolMode,
  type Quality,
  weigh,
  type Weighed,
} from "./select-channel.ts";
import type { ChannelHealth, Cooldown } from "./channel-health.ts";

/** A channel that can serve the request, with how its provider does and the model that it is asked for. */
export interface Candidate {
  readonly id: number;
  readonly priority: number;
  readonly weight: number;
  readonly channel: ChannelForRelay;
  readonly service: Service;
  readonly upstreamModel: string;
}

/** Why a channel that has the model is no route, in English. */
export const PATH_NOT_SERVED = "its provider does not serve this path";

/** The routes of a request, and the channels that have the model, but whose providers do not serve the path. */
export interface Candidates {
  readonly routes: readonly Candidate[];
  readonly unable: readonly ChannelForRelay[];
}

/** Returns which of the channels can serve the model on the endpoint. */
export function findCandidates(
  channels: readonly ChannelForRelay[],
  model: string,
  endpoint: Endpoint,
  switches: ProviderSwitches,
): Candidates {
  const routes: Candidate[] = [];
  const unable: ChannelForRelay[] = [];
  for (const channel of channels) {
    const upstreamModel = channel.modelMapping.get(model) ?? model;
    const provider = providerOf(channel.type);
    const instead = IN_PLACE_OF[endpoint];
    const { connection } = channel;
    const service =
      provider?.serve(endpoint, upstreamModel, switches, connection) ??
      (instead === undefined ? undefined : provider?.serve(instead, upstreamModel, switches, connection));
    if (service !== undefined) {
      const { id, priority, weight } = channel;
      routes.push({ id, priority, weight, channel, service, upstreamModel });
    } else {
      unable.push(channel);
    }
  }
  return { routes, unable };
}

/** So many groups and models are remembered. */
const MAX_TURNS = 10_000;

/** Where `polling` stands in one gateway: each channel's credit, by group and model. */
export class RoundRobin {
  readonly #credits = new Map<string, Map<number, number>>();

  /** The credits of what takes turns together, by channel. */
  creditsOf(turnKey: string): Map<number, number> {
    const known = this.#credits.get(turnKey);
    if (known !== undefined) return known;
    if (this.#credits.size >= MAX_TURNS) this.#credits.clear();
    const credits = new Map<number, number>();
    this.#credits.set(turnKey, credits);
    return credits;
  }
}

/** Why the route's channel rests for its model; undefined when it is awake. Accounts that sleep are known to all processes, the rest to this one. */
export function cooldownOf(route: Candidate, health: ChannelHealth, clock: Clock): Cooldown | undefined {
  const sleepsUntilMs = route.channel.awakeTime * 1000;
  if (sleepsUntilMs > clock.nowMs()) return { reason: "rate-limited", untilMs: sleepsUntilMs };
  return health.cooldownOf(route.id, route.upstreamModel);
}

/** Weighs routes by what is known of their channels now; those in `tried` are passed over. */
export function weighCandidates<R extends Candidate>(
  routes: readonly R[],
  health: ChannelHealth,
  clock: Clock,
  tried: ReadonlySet<number>,
): Weighed<R>[] {
  return weigh(routes, (route) => {
    if (tried.has(route.id)) return "tried already";
    return cooldownOf(route, health, clock)?.reason ?? "";
  });
}

/** How a route is picked. */
export interface PickBy {
  readonly mode: PoolMode;
  readonly turns: RoundRobin;
  /** What takes turns together. */
  readonly turnKey: string;
  /** The number of the conversation that is to stay with its channel; undefined for a call that goes by the mode alone. */
  readonly conversation: number | undefined;
  /** From 0 up to but not 1. */
  readonly random: number;
}

/** Picks the next route; undefined when every channel was tried or rests. */
export function pickCandidate<R extends Candidate>(
  weighed: readonly Weighed<R>[],
  { mode, turns, turnKey, conversation, random }: PickBy,
  health: ChannelHealth,
): R | undefined {
  const quality: Quality<R> = {
    errorRate: (route) => health.errorRate(route.id),
    latencyMs: (route) => health.latencyMs(route.id, route.upstreamModel),
  };
  if (conversation !== undefined) {
    return chooseForConversation(weighed, conversation, mode === "polling" ? quality : undefined);
  }
  if (mode === "random") return chooseAtRandom(weighed, random);
  return chooseInTurn(weighed, turns.creditsOf(turnKey), quality);
}
