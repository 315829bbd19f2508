import type { ForeseenCeiling, ForeseeShares, RoutingChange } from "../../../features/what-if/index.ts";
import type { ChannelForRelay } from "../../../features/channels/index.ts";
import { costOfModel, isAboveCeiling, priceModel } from "../../pricing/index.ts";
import { type Candidate, findCandidates } from "../find-candidates.ts";
import { costOrder } from "../route-plans.ts";
import type { RoutingServices } from "../routing-services.ts";
import { preferCheapest, weigh } from "../select-channel.ts";

type SharingServices = Pick<
  RoutingServices,
  "channels" | "loadChannel" | "health" | "providerSwitches" | "poolMode" | "maxLatencyMs"
>;

/** Builds the shares of channels without cooldowns, as configured or with a change. */
export function createForeseeShares(services: SharingServices): ForeseeShares {
  const { health, providerSwitches, poolMode, maxLatencyMs } = services;
  return async (model, group, change, ceiling) => {
    const serving = await servingWith(services, model, group, change);
    const { routes } = findCandidates(serving, model, "chat-completions", providerSwitches());
    const affordable = ceiling === undefined ? routes : routes.filter((route) => !isTooDear(route, group, ceiling));
    const candidates = affordable.map(({ id, channel, priority, weight, upstreamModel }) => {
      const changed = change?.channels.get(id);
      const costPrice = costOfModel(upstreamModel, channel.type, channel.costs, "chat-completions");
      return {
        id,
        priority: changed?.priority ?? priority,
        weight: changed?.weight ?? weight,
        upstreamModel,
        costPrice,
      };
    });
    const order = costOrder(health, maxLatencyMs());
    const byWeight = weigh(candidates, () => "");
    const mode = change?.poolMode ?? poolMode();
    const weighed = mode === "cheapest" ? preferCheapest(byWeight, order) : byWeight;
    return weighed.map(({ channel, share }) => ({ channelId: channel.id, share, cost: order.costOf(channel) }));
  };
}

/** Without price factors of service tiers, which the log does not have. */
function isTooDear(
  { upstreamModel: model, channel }: Pick<Candidate, "upstreamModel" | "channel">,
  group: string,
  { prices, ...ceiling }: ForeseenCeiling,
): boolean {
  const { type } = channel;
  return isAboveCeiling(priceModel(prices, { model, type, group, endpoint: "chat-completions" }), ceiling, 1);
}

async function servingWith(
  { channels, loadChannel }: SharingServices,
  model: string,
  group: string,
  change: RoutingChange | undefined,
): Promise<readonly ChannelForRelay[]> {
  const snapshot = await channels.snapshot();
  const serving = snapshot.serving(group, model).filter(({ id }) => change?.channels.get(id)?.enabled !== false);
  for (const [id, { enabled }] of change?.channels ?? []) {
    if (enabled !== true || serving.some((channel) => channel.id === id)) continue;
    const channel = await loadChannel(id);
    if (channel?.models.has(model) === true && channel.groups.includes(group)) serving.push(channel);
  }
  return serving;
}
