import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { AppError } from "../../../core/app-error.ts";
import type { ChannelDependencies } from "../channel-dependencies.ts";
import { loadChannelForRelay } from "../load-channels-for-relay.ts";
import { askProvider, storeProviderModels } from "../upstream/provider-models.ts";
import { testAndJudge } from "../upstream/test-and-judge.ts";
import { modelToProbe } from "../upstream/test-channel.ts";
import { updateChannelBalance } from "../upstream/update-channel-balance.ts";
import { probeKeys } from "./probe-keys.ts";
import { type ChannelCheck, type CheckSchedule, dueChecks, pauseAfter } from "./due-checks.ts";
import { type CheckedRow, type CheckPlan, claimChecks, listCheckedChannels } from "./check.repository.ts";

export type CheckDependencies = Pick<
  ChannelDependencies,
  | "options"
  | "log"
  | "probeChannel"
  | "cheapestModel"
  | "cooldowns"
  | "modelListOf"
  | "balanceQueryOf"
  | "getJsonThrough"
>;

const CONCURRENT_CHANNELS = 4;
const MODELS_TIMEOUT_MS = 10_000;

/**
 * Runs all due checks: probes of automatically disabled channels, and scheduled tests, balances and lists of models of
 * enabled ones. One of several servers runs each. A failure is logged and never thrown. Starts no further channel once
 * `isStopping` says so.
 */
export async function runChecks(
  context: CallContext,
  deps: CheckDependencies,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const { db } = context.database;
  const schedule = readSchedule(deps);
  const now = nowSeconds(context.clock);
  const due = (await listCheckedChannels(db))
    .map((row) => ({ row, checks: dueChecks(row, schedule, now) }))
    .filter(({ checks }) => checks.length > 0);
  const runNext = async (): Promise<void> => {
    for (let next = due.shift(); next !== undefined && !isStopping(); next = due.shift()) {
      const { row, checks } = next;
      if (!(await claimChecks(db, row, now, planNext(row, checks, now)))) continue;
      for (const check of checks) await runLogged(context, deps, { row, check, isStopping });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_CHANNELS }, runNext));
  if (schedule.probes) await probeKeys(context, deps, isStopping);
}

function readSchedule({ options }: CheckDependencies): CheckSchedule {
  return {
    testMinutes: options.number("ChannelTestMinutes"),
    balanceMinutes: options.number("ChannelBalanceMinutes"),
    modelsMinutes: options.number("ChannelModelsMinutes"),
    probes: options.flag("AutomaticEnableChannelEnabled"),
  };
}

interface DueCheck {
  readonly row: CheckedRow;
  readonly check: ChannelCheck;
  readonly isStopping: () => boolean;
}

async function runLogged(context: CallContext, deps: CheckDependencies, due: DueCheck): Promise<void> {
  const { row, check } = due;
  try {
    await run(context, deps, due);
  } catch (error) {
    if (error instanceof AppError && error.code === "channel-balance-not-offered") return;
    deps.log.warn({ err: error, channelId: row.id, check }, "a scheduled check of a channel failed");
  }
}

async function run(context: CallContext, deps: CheckDependencies, { row, check, isStopping }: DueCheck): Promise<void> {
  const { db } = context.database;
  if (check === "balance") {
    await updateChannelBalance(context, deps, row.id, isStopping);
    return;
  }
  if (check === "models") {
    const listed = await askProvider(context, deps, row.id, MODELS_TIMEOUT_MS);
    if (typeof listed !== "string") await storeProviderModels(db, row.id, listed.models);
    return;
  }
  const channel = await loadChannelForRelay(db, context.secrets, row.id);
  const tested = channel && modelToProbe(channel, deps.cheapestModel);
  if (channel === undefined || tested === undefined) return;
  await testAndJudge(context, deps, channel, tested);
}

/** A probe counts as failed until it has passed, so that a channel that cannot be tested is not tried every minute. */
function planNext({ failed_probes }: CheckedRow, checks: readonly ChannelCheck[], now: number): CheckPlan {
  return {
    ...(checks.includes("probe") && {
      failed_probes: failed_probes + 1,
      probe_time: now + pauseAfter(failed_probes + 1),
    }),
    ...(checks.includes("test") && { test_check_time: now }),
    ...(checks.includes("balance") && { balance_check_time: now }),
    ...(checks.includes("models") && { models_check_time: now }),
  };
}
