import { type Endpoint, FALLBACK_ENDPOINTS, type ProviderSwitches, type Service } from "@one-api/providers/provider";
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
import { serveDialects } from "./dialect-services.ts";

export interface Candidate {
  readonly id: number;
  readonly priority: number;
  readonly weight: number;
  readonly channel: ChannelForRelay;
  readonly service: Service;
  /** Name by which the channel serves it. Differs from the requested one for an alias. */
  readonly model: string;
  readonly upstreamModel: string;
}

/** Reason against a channel that has the model, in English. */
export const PATH_NOT_SERVED = "its provider does not serve this path";

export interface Candidates {
  readonly routes: readonly Candidate[];
  readonly unable: readonly ChannelForRelay[];
}

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
    const instead = FALLBACK_ENDPOINTS[endpoint];
    const { connection } = channel;
    const serve = (asked: Endpoint) => {
      const own = provider?.serve(asked, upstreamModel, switches, connection);
      const urls = channel.dialectUrls;
      return urls === undefined ? own : serveDialects(urls, own, asked, upstreamModel, switches);
    };
    const service = serve(endpoint) ?? (instead === undefined ? undefined : serve(instead));
    if (service !== undefined) {
      const { id, priority, weight } = channel;
      routes.push({ id, priority, weight, channel, service, model, upstreamModel });
    } else {
      unable.push(channel);
    }
  }
  return { routes, unable };
}

/** Upper bound of remembered groups and models. */
const MAX_TURNS = 10_000;

/** State of pool mode `polling`: the credit of each channel, by group and model. */
export class RoundRobin {
  readonly #credits = new Map<string, Map<number, number>>();

  /** Returns the credits of one group and model, by channel. */
  creditsOf(turnKey: string): Map<number, number> {
    const known = this.#credits.get(turnKey);
    if (known !== undefined) return known;
    if (this.#credits.size >= MAX_TURNS) this.#credits.clear();
    const credits = new Map<number, number>();
    this.#credits.set(turnKey, credits);
    return credits;
  }
}

/** Returns the cooldown of a candidate. Cooldowns of accounts are known to all servers, others to this process. */
export function cooldownOf(route: Candidate, health: ChannelHealth, clock: Clock): Cooldown | undefined {
  const sleepsUntilMs = route.channel.dormantUntil * 1000;
  if (sleepsUntilMs > clock.nowMs()) return { reason: "rate-limited", untilMs: sleepsUntilMs };
  return health.cooldownOf(route.id, route.upstreamModel) ?? cooldownOfKeys(route, health);
}

/** Returns the cooldown of the key that is the first to serve again, if every key of the channel is in cooldown. */
function cooldownOfKeys({ id, channel, upstreamModel }: Candidate, health: ChannelHealth): Cooldown | undefined {
  if (channel.keys === undefined) return undefined;
  const ofKeys = health.keysOf(id);
  let first: Cooldown | undefined;
  for (const key of channel.keys) {
    const rest = ofKeys.cooldownOf(key.id, upstreamModel);
    if (rest === undefined) return undefined;
    if (first === undefined || rest.untilMs < first.untilMs) first = rest;
  }
  return first;
}

export type Tried = ReadonlySet<Candidate>;

/**
 * Weighs candidates by the current state of their channels, without those in `tried`. With `random`, a recovering channel
 * takes part in its share of the requests only.
 */
export function weighCandidates<R extends Candidate>(
  routes: readonly R[],
  { health, clock }: { readonly health: ChannelHealth; readonly clock: Clock },
  tried: Tried,
  random?: () => number,
): Weighed<R>[] {
  return weigh(routes, (route) => {
    if (tried.has(route)) return "tried already";
    const rest = cooldownOf(route, health, clock);
    if (rest !== undefined) return rest.reason;
    if (random === undefined) return "";
    const share = health.share(route.id);
    return share < 1 && random() >= share ? "recovering" : "";
  });
}

export interface PickBy {
  readonly mode: PoolMode;
  readonly turns: RoundRobin;
  /** Group and model, whose channels share credits. */
  readonly turnKey: string;
  readonly conversation: number | undefined;
  /** From 0 up to but not 1. */
  readonly random: number;
}

/** Returns the next candidate; undefined when every channel was tried or is in cooldown. */
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
  if (mode === "polling") return chooseInTurn(weighed, turns.creditsOf(turnKey), quality);
  return chooseAtRandom(weighed, random);
}
