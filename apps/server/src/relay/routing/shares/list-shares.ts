import { SHARE_REASONS } from "@one-api/contract/channels/channel-share";
import type { ListShares } from "../../../features/channels/index.ts";
import { findCandidates, PATH_NOT_SERVED, cooldownOf } from "../find-candidates.ts";
import { costOfModel, type Price } from "../../pricing/index.ts";
import { costOrder } from "../route-plans.ts";
import { preferCheapest, weigh, type Weighable } from "../select-channel.ts";
import type { RoutingServices } from "../routing-services.ts";

type ShareReason = (typeof SHARE_REASONS)[number];

interface ShareCandidate extends Weighable {
  readonly name: string;
  /** 0 for a channel that is not stored yet. */
  readonly type: number;
  readonly rest: { readonly reason: ShareReason; readonly untilMs: number } | undefined;
  readonly upstreamModel: string;
  readonly costPrice: Price | undefined;
}

type Draft = Parameters<ListShares>[2];

const NO_CHANNELS: ReadonlySet<number> = new Set();

function withDraft(candidates: readonly ShareCandidate[], draft: Draft, model: string): ShareCandidate[] {
  if (draft === undefined) return [...candidates];
  const { channel: id, priority, weight } = draft;
  const stored = candidates.find((candidate) => candidate.id === id);
  const others = candidates.filter((candidate) => candidate.id !== id);
  const unknown = { name: "", type: 0, rest: undefined, upstreamModel: model, costPrice: undefined };
  return [...others, { ...unknown, ...stored, id, priority, weight }];
}

/** Builds the list of channels with their share of a model's requests and the reasons against them, now or with a draft's numbers. */
export function createListShares({
  channels,
  health,
  clock,
  providerSwitches,
  poolMode,
  maxLatencyMs,
}: Pick<
  RoutingServices,
  "channels" | "health" | "clock" | "providerSwitches" | "poolMode" | "maxLatencyMs"
>): ListShares {
  return async (model, group, draft, without = NO_CHANNELS) => {
    const snapshot = await channels.snapshot();
    const { routes, unable } = findCandidates(
      snapshot.serving(group, model).filter(({ id }) => !without.has(id)),
      model,
      "chat-completions",
      providerSwitches(),
    );
    const candidates = routes.map((route) => {
      const { id, priority, weight, channel, upstreamModel } = route;
      const costPrice = costOfModel(upstreamModel, channel.type, channel.costs, "chat-completions");
      const rest = cooldownOf(route, health, clock);
      return { id, priority, weight, name: channel.name, type: channel.type, rest, upstreamModel, costPrice };
    });
    // Other numbers do not help a channel that cannot be called.
    const isRefused = unable.some(({ id }) => id === draft?.channel);
    const all = isRefused ? candidates : withDraft(candidates, draft, model);
    const byWeight = weigh(all, ({ rest }) => rest?.reason ?? "");
    const weighed = poolMode() === "cheapest" ? preferCheapest(byWeight, costOrder(health, maxLatencyMs())) : byWeight;
    const shares = weighed.map(({ channel: { id, name, type, priority, weight, rest }, share, reason }) => {
      const code = SHARE_REASONS.find((known) => known === reason) ?? "no-weight";
      const awakeIn = rest === undefined ? 0 : Math.max(1, Math.ceil((rest.untilMs - clock.nowMs()) / 1000));
      const why = { reason: inEnglish(code, awakeIn), code, awake_in: awakeIn };
      return { channel: id, name, type, priority, weight, share, ...why };
    });
    const refused = unable.map(({ id, name, type, priority, weight }) => ({
      channel: id,
      name,
      type,
      priority,
      weight,
      share: 0,
      reason: PATH_NOT_SERVED,
      code: "path-not-served" as const,
      awake_in: 0,
    }));
    return [...shares, ...refused].sort((left, right) => right.share - left.share || right.priority - left.priority);
  };
}

function inEnglish(code: ShareReason, awakeIn: number): string {
  if (code === "lower-priority") return "lower priority";
  if (code === "no-weight") return "weight 0 beside others";
  if (code === "dearer" || code === "slow") return code;
  return code === "" ? "" : `${code} for ${awakeIn} s`;
}
