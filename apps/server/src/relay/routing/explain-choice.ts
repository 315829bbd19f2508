import { PASS_REASONS, type PassReason } from "@one-api/contract/logs/log-detail";
import type { Clock } from "../../platform/clock.ts";
import type { UsageChoice } from "../../features/logs/index.ts";
import type { ChannelHealth } from "./channel-health.ts";
import { type Candidate, cooldownOf, type Tried } from "./find-candidates.ts";
import type { Weighed } from "./select-channel.ts";

export interface OtherChannel {
  readonly id: number;
  readonly reason: PassReason;
}

/** Passed-over channels that the log names for each request. */
const MOST_NAMED = 8;

export const ONLY_CHOICE: UsageChoice = { by: "only" };
export const PINNED_CHOICE: UsageChoice = { by: "pinned" };

type Passed = NonNullable<UsageChoice["passed"]>[number];

interface Circumstances {
  readonly weighed: readonly Weighed<Candidate>[];
  readonly tried: Tried;
  readonly others: readonly OtherChannel[];
  readonly health: ChannelHealth;
  readonly clock: Clock;
}

/** Returns for the log why a channel was chosen and others were not. Channels in cooldown come first; beyond a few it counts. */
export function explainChoice(
  by: Exclude<UsageChoice["by"], "pinned">,
  chosen: Candidate,
  { weighed, tried, others, health, clock }: Circumstances,
): UsageChoice {
  const resting: Passed[] = [];
  const awake: Passed[] = [];
  let count = others.length;
  let share = 0;
  let isAlone = false;
  const isCheapest = weighed.some(({ reason }) => reason === "dearer" || reason === "slow");
  for (const { channel, reason, share: part } of weighed) {
    if (channel === chosen) [share, isAlone] = [toPercent(part), part === 1 && !isCheapest];
    if (channel === chosen || tried.has(channel)) continue;
    count += 1;
    if (part > 0) keep(awake, [channel.id, placeOf("share"), toPercent(part)]);
    else if (reason === "lower-priority") keep(awake, [channel.id, placeOf("lower-priority")]);
    else if (resting.length < MOST_NAMED) {
      const rest = cooldownOf(channel, health, clock);
      if (rest === undefined)
        keep(awake, [channel.id, placeOf(PASS_REASONS.find((known) => known === reason) ?? "no-weight")]);
      else resting.push([channel.id, placeOf(rest.reason), Math.ceil((rest.untilMs - clock.nowMs()) / 1000)]);
    }
  }
  for (const { id, reason } of others.slice(0, MOST_NAMED)) keep(awake, [id, placeOf(reason)]);
  const passed = [...resting, ...awake].slice(0, MOST_NAMED);
  return {
    by: isAlone ? "only" : by,
    ...(isAlone || share === 0 ? {} : { share }),
    ...(passed.length === 0 ? {} : { passed }),
    ...(count === passed.length ? {} : { more: count - passed.length }),
  };
}

function keep(list: Passed[], passed: Passed): void {
  if (list.length < MOST_NAMED) list.push(passed);
}

function toPercent(share: number): number {
  return Math.round(share * 100);
}

function placeOf(reason: PassReason): number {
  return PASS_REASONS.indexOf(reason);
}
