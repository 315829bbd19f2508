import { CHANNEL_STATUS } from "@one-api/contract/channel";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { disableChannelAutomatically, enableChannelAutomatically } from "../automatic/change-channel-automatically.ts";
import type { ChannelDependencies, ProbeOutcome } from "../channel-dependencies.ts";
import { listChannelIds } from "../channel.repository.ts";
import { loadChannelForRelay } from "../load-channels-for-relay.ts";
import { modelToTest, probeAndRecord } from "./test-channel.ts";

type Dependencies = Pick<ChannelDependencies, "options" | "log" | "probeChannel" | "sleep">;

/** Which channels a run tests. */
export type TestScope = "all" | "disabled";

const DISABLED: readonly number[] = [CHANNEL_STATUS.disabled, CHANNEL_STATUS.autoDisabled];

/** Tests many channels in the background, one after the other, one run at a time. */
export interface ChannelTestRuns {
  /** Starts a run; `finished` resolves at its end, whatever came of it. Throws `busy` while one runs. */
  start(context: CallContext, scope: TestScope): Promise<{ readonly finished: Promise<void> }>;
}

/** Builds the runs of one server. */
export function createChannelTestRuns(deps: Dependencies): ChannelTestRuns {
  let running = false;
  const runAll = async (context: CallContext, ids: readonly number[]): Promise<void> => {
    try {
      for (const id of ids) await testOne(context, deps, id);
    } catch (error) {
      deps.log.error({ err: error }, "the test of the channels stopped before its end");
    } finally {
      running = false;
    }
  };
  return {
    async start(context, scope) {
      if (running) throw new AppError("busy", "A test of the channels is running already. Wait until it has ended.");
      running = true;
      try {
        const { db } = context.database;
        const ids = await listChannelIds(db, scope === "all" ? undefined : DISABLED);
        const detail = { scope, channels: ids.length };
        await recordAudit(db, context, { action: "channel.test-many", object: "channels", detail });
        return { finished: runAll(context, ids) };
      } catch (error) {
        running = false;
        throw error;
      }
    },
  };
}

async function testOne(
  context: CallContext,
  { options, log, probeChannel, sleep }: Dependencies,
  id: number,
): Promise<void> {
  try {
    const channel = await loadChannelForRelay(context.database.db, context.secrets, id);
    const model = channel === undefined ? undefined : modelToTest(channel, "");
    if (channel === undefined || model === undefined) return;
    const outcome = await probeAndRecord(context, probeChannel, channel, model);
    const verdict = judgeTest(channel.status, outcome, {
      mayDisable: options.flag("AutomaticDisableChannelEnabled"),
      mayEnable: options.flag("AutomaticEnableChannelEnabled"),
      slowestSeconds: options.number("ChannelDisableThreshold"),
    });
    if (verdict.action === "disable") await disableChannelAutomatically(context, id, verdict.reason);
    if (verdict.action === "enable" && (await enableChannelAutomatically(context, id))) sleep.forget(id);
  } catch (error) {
    // A channel whose key cannot be read must not keep the others from their test.
    if (!(error instanceof AppError)) throw error;
    log.warn({ err: error, channelId: id }, "a channel could not be tested");
  }
}

/** The settings that decide about tested channels. */
interface TestRules {
  readonly mayDisable: boolean;
  readonly mayEnable: boolean;
  /** Slower channels are disabled; 0 is no limit. */
  readonly slowestSeconds: number;
}

/** What a test means for its channel. */
type TestVerdict = { readonly action: "keep" | "enable" } | { readonly action: "disable"; readonly reason: string };

/**
 * Judges one channel after its test in a run: too slow or refused by its provider disables an enabled one, a pass enables one that the
 * gateway has disabled itself. What an administrator has disabled or put into the reserve stays.
 */
function judgeTest(status: number, outcome: ProbeOutcome, rules: TestRules): TestVerdict {
  const reason = reasonAgainst(outcome, rules.slowestSeconds);
  if (status === CHANNEL_STATUS.enabled && rules.mayDisable && reason !== undefined)
    return { action: "disable", reason };
  const passed = outcome.ok && reason === undefined;
  return { action: status === CHANNEL_STATUS.autoDisabled && rules.mayEnable && passed ? "enable" : "keep" };
}

function reasonAgainst(outcome: ProbeOutcome, slowestSeconds: number): string | undefined {
  if (!outcome.ok) return outcome.credentialRefused ? `The test was refused: ${outcome.message}` : undefined;
  if (slowestSeconds === 0 || outcome.elapsedMs <= slowestSeconds * 1000) return undefined;
  return `The test took ${(outcome.elapsedMs / 1000).toFixed(1)} s, longer than ${slowestSeconds} s.`;
}
