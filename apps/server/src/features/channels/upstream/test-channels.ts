import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import type { ChannelTestProgress } from "@one-api/contract/channels/channel-tests";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import type { Queryable } from "../../../core/transaction.ts";
import type { ChannelDependencies } from "../channel-dependencies.ts";
import { listChannelIds } from "../channel.repository.ts";
import { loadChannelForRelay } from "../load-channels-for-relay.ts";
import { testAndJudge, type TestDependencies } from "./test-and-judge.ts";
import { modelToTest } from "./test-channel.ts";

type Dependencies = TestDependencies & Pick<ChannelDependencies, "log">;

type TestScope = "all" | "disabled" | readonly number[];

const DISABLED: readonly number[] = [CHANNEL_STATUS.disabled, CHANNEL_STATUS.autoDisabled];

/** Tests many channels in the background, one after the other and one run at a time. The progress is in memory only. */
export interface ChannelTestRuns {
  /**
   * Starts a run; `finished` resolves at its end and never rejects. Throws `channel-test-running` during
   * another run.
   */
  start(context: CallContext, scope: TestScope): Promise<{ readonly finished: Promise<void> }>;
  progress(): ChannelTestProgress;
  /** Stops the run. A test under way ends in the background, uncounted. Without a run it does nothing. */
  stop(context: CallContext): Promise<ChannelTestProgress>;
}

function emptyRun(): ChannelTestProgress {
  return { running: false, scope: "", total: 0, done: 0, failed: 0, started_at: 0, ended_at: 0, failures: [] };
}

const MOST_FAILURES = 100;

interface Run {
  progress: ChannelTestProgress;
  readonly stopped: Promise<"stopped">;
  stop(): void;
}

export function createChannelTestRuns(deps: Dependencies): ChannelTestRuns {
  let run: Run = startRun(emptyRun());
  return {
    async start(context, scope) {
      if (run.progress.running) {
        const message = "A test of the channels is running already. Wait until it has ended, or stop it.";
        throw new AppError("channel-test-running", message);
      }
      const name = typeof scope === "string" ? scope : "selected";
      const started = startRun({ ...emptyRun(), running: true, scope: name, started_at: nowSeconds(context.clock) });
      run = started;
      try {
        const { db } = context.database;
        const ids = await idsOf(db, scope);
        const detail = { scope: name, channels: ids.length };
        await recordAudit(db, context, { action: "channel.test-many", object: "channels", detail });
        started.progress.total = ids.length;
        return { finished: testAll(context, deps, started, ids) };
      } catch (error) {
        endRun(context, started);
        throw error;
      }
    },
    progress: () => ({ ...run.progress, failures: [...run.progress.failures] }),
    async stop(context) {
      const { done, total, running } = run.progress;
      if (running) {
        run.stop();
        endRun(context, run);
        const detail = { done, total };
        await recordAudit(context.database.db, context, { action: "channel.test-stop", object: "channels", detail });
      }
      return { ...run.progress };
    },
  };
}

async function idsOf(queryable: Queryable, scope: TestScope): Promise<readonly number[]> {
  if (typeof scope !== "string") return scope;
  return listChannelIds(queryable, scope === "all" ? undefined : DISABLED);
}

function startRun(progress: ChannelTestProgress): Run {
  const { promise, resolve } = Promise.withResolvers<"stopped">();
  return { progress, stopped: promise, stop: () => resolve("stopped") };
}

function endRun(context: CallContext, run: Run): void {
  run.progress = { ...run.progress, running: false, ended_at: nowSeconds(context.clock) };
}

async function testAll(context: CallContext, deps: Dependencies, run: Run, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    if (!run.progress.running) return;
    const result = await Promise.race([run.stopped, testOne(context, deps, id)]);
    if (result === "stopped") return;
    run.progress.done += 1;
    if (result === "fine") continue;
    run.progress.failed += 1;
    if (run.progress.failures.length < MOST_FAILURES) run.progress.failures.push(result);
  }
  endRun(context, run);
}

type TestFailure = ChannelTestProgress["failures"][number];

/** Never throws, so that an error of one channel does not stop the run. Returns `fine` for a channel without models. */
async function testOne(context: CallContext, deps: Dependencies, id: number): Promise<"fine" | TestFailure> {
  let name = "";
  try {
    const channel = await loadChannelForRelay(context.database.db, context.secrets, id);
    name = channel?.name ?? "";
    if (channel === undefined) return "fine";
    const model = modelToTest(channel, "");
    if (model === undefined) return "fine";
    const { outcome } = await testAndJudge(context, deps, channel, model);
    return outcome.ok ? "fine" : { id, name, failure: outcome.failure, message: outcome.message };
  } catch (error) {
    deps.log.warn({ err: error, channelId: id }, "a channel could not be tested");
    return { id, name, failure: "other", message: error instanceof AppError ? error.message : "" };
  }
}
