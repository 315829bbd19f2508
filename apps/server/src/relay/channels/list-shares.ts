import type { ListShares } from "../../features/channels/index.ts";
import type { RelayDependencies } from "../relay-dependencies.ts";
import { findRoutes, weighRoutes } from "./pick-channel.ts";

/** Builds the answer to "who gets the requests for this model right now, and why not the others". */
export function createListShares(deps: Pick<RelayDependencies, "channels" | "health" | "clock">): ListShares {
  return async (model, group) => {
    const snapshot = await deps.channels.snapshot();
    const { routes, refusals } = findRoutes(snapshot.serving(group, model), model, "chat-completions");
    const weighed = weighRoutes(routes, deps.health, deps.clock, new Set());
    return [
      ...weighed.map(({ channel: route, share, reason }) => ({ ...named(route.channel), share, reason })),
      ...refusals.map(({ channel, reason }) => ({ ...named(channel), share: 0, reason })),
    ].sort((left, right) => right.share - left.share || right.priority - left.priority);
  };
}

function named(channel: { id: number; name: string; priority: number; weight: number }) {
  return { channel: channel.id, name: channel.name, priority: channel.priority, weight: channel.weight };
}
