import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import type { CallContext } from "../../../core/call-context.ts";
import {
  type ChannelReason,
  disableChannelAutomatically,
  enableChannelAutomatically,
  refusalIn,
} from "../automatic/change-channel-automatically.ts";
import { disableKeyAutomatically, enableKeyAutomatically } from "../keys/change-key-automatically.ts";
import type { ChannelDependencies, ProbeOutcome } from "../channel-dependencies.ts";
import type { ChannelForRelay } from "../load-channels-for-relay.ts";
import { probeAndRecord } from "./test-channel.ts";

export type TestDependencies = Pick<ChannelDependencies, "options" | "probeChannel" | "cooldowns">;

export interface JudgedTest {
  readonly outcome: ProbeOutcome;
  /** The test has enabled the channel, which begins with a small share of its requests. */
  readonly isEnabled: boolean;
}

/** Tests a channel, stores the result, and disables or enables the channel for it as the options allow. */
export async function testAndJudge(
  context: CallContext,
  { options, probeChannel, cooldowns }: TestDependencies,
  channel: ChannelForRelay,
  model: string,
): Promise<JudgedTest> {
  const outcome = await probeAndRecord(context, probeChannel, channel, model);
  const verdict = judgeTest(channel.status, outcome, {
    mayDisable: options.flag("AutomaticDisableChannelEnabled"),
    mayEnable: options.flag("AutomaticEnableChannelEnabled"),
    slowestSeconds: options.number("ChannelDisableThreshold"),
  });
  if (verdict.action === "disable") await disable(context, channel, verdict.reason);
  const isEnabled =
    verdict.action === "enable" &&
    (await enableChannelAutomatically(context, channel.id, options.number("QuotaPerUnit")));
  if (isEnabled && channel.keyInUse !== undefined) await enableKeyAutomatically(context, channel.id, channel.keyInUse);
  if (isEnabled) cooldowns.recover(channel.id);
  return { outcome, isEnabled };
}

/** Disables the channel; only the tested key if the provider refused it and the channel holds several. */
async function disable(context: CallContext, channel: ChannelForRelay, reason: ChannelReason): Promise<void> {
  if (channel.keyInUse === undefined || reason.code === "slow")
    await disableChannelAutomatically(context, channel.id, reason);
  else await disableKeyAutomatically(context, channel.id, channel.keyInUse, reason);
}

interface TestRules {
  readonly mayDisable: boolean;
  readonly mayEnable: boolean;
  readonly slowestSeconds: number;
}

type TestVerdict =
  | { readonly action: "keep" | "enable" }
  | { readonly action: "disable"; readonly reason: ChannelReason };

/**
 * A slow or refused test disables an enabled channel. A passed test enables a channel that the gateway
 * disabled.
 * Channels that an administrator disabled or put into reserve stay.
 */
function judgeTest(status: number, outcome: ProbeOutcome, rules: TestRules): TestVerdict {
  const reason = reasonAgainst(outcome, rules.slowestSeconds);
  if (status === CHANNEL_STATUS.enabled && rules.mayDisable && reason !== undefined)
    return { action: "disable", reason };
  const passed = outcome.ok && reason === undefined;
  return { action: status === CHANNEL_STATUS.autoDisabled && rules.mayEnable && passed ? "enable" : "keep" };
}

function reasonAgainst(outcome: ProbeOutcome, slowestSeconds: number): ChannelReason | undefined {
  if (!outcome.ok) {
    const { failure: kind, message: said } = outcome;
    const reason = refusalIn({ kind, message: `The test was refused: ${said}` });
    return reason && { ...reason, parts: { said } };
  }
  if (slowestSeconds === 0 || outcome.elapsedMs <= slowestSeconds * 1000) return undefined;
  const took = (outcome.elapsedMs / 1000).toFixed(1);
  const message = `The test took ${took} s, longer than ${slowestSeconds} s.`;
  return { code: "slow", message, parts: { used: Number(took), limit: slowestSeconds } };
}
