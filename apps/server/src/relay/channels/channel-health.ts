import type { Failure, FailureKind } from "@one-api/providers/failure";
import type { Clock } from "../../core/clock.ts";

/** Why a channel is passed over for a model, and until when (Unix ms). */
export interface Rest {
  readonly reason: "rate-limited" | "failing" | "refused";
  readonly untilMs: number;
}

/** How long a model sleeps when the upstream does not say, in ms. */
const DEFAULT_SLEEP_MS = 60_000;
const LONGEST_SLEEP_MS = 24 * 3600 * 1000;
/** So many failures within the time below open the breaker for a while. */
const FAILURES_TO_OPEN = 5;
const FAILURE_WINDOW_MS = 30_000;
const OPEN_MS = 15_000;
/** A refused credential rests the whole channel; it must be refused again to be believed. */
const REFUSED_REST_MS = 60_000;
const REFUSALS_TO_BELIEVE = 2;

/** Whether the kind of failure says something about the channel, rather than about the request. */
const COUNTS_AGAINST_CHANNEL: ReadonlySet<FailureKind> = new Set([
  "overloaded",
  "server-error",
  "connection",
  "tls",
  "timeout",
  "bad-answer",
  "broken-stream",
]);

interface Record {
  models: Map<string, Rest>;
  whole: Rest | undefined;
  failuresAtMs: number[];
  refusals: number;
  calls: number;
  errors: number;
}

/** What a failure means for the channel beyond resting it. */
export type HealthVerdict = "none" | "disable";

/** What this process has seen of the channels lately. Decides by status and code, never by words in a text. */
export interface ChannelHealth {
  /** Why the channel rests for the model; undefined when it is awake. */
  restOf(channelId: number, model: string): Rest | undefined;
  noteSuccess(channelId: number, model: string): void;
  /** `disable`: the credential was refused again and again, so the channel will not come back by itself. */
  noteFailure(channelId: number, model: string, failure: Failure): HealthVerdict;
  /** Models that sleep because of a limit, with their wake time in Unix ms. */
  sleepingModels(channelId: number): { model: string; untilMs: number }[];
  /** Share of recent calls that failed, 0 to 1. */
  errorRate(channelId: number): number;
  forget(channelId: number): void;
}

/** Builds the health record of all channels. */
export function createChannelHealth(clock: Clock): ChannelHealth {
  const records = new Map<number, Record>();
  const recordOf = (channelId: number): Record => {
    const known = records.get(channelId);
    if (known !== undefined) return known;
    const record: Record = { models: new Map(), whole: undefined, failuresAtMs: [], refusals: 0, calls: 0, errors: 0 };
    records.set(channelId, record);
    return record;
  };
  const awakeAt = (rest: Rest | undefined, nowMs: number) => rest === undefined || rest.untilMs <= nowMs;
  return {
    restOf(channelId, model) {
      const record = records.get(channelId);
      if (record === undefined) return undefined;
      const now = clock.nowMs();
      const ofModel = record.models.get(model);
      if (!awakeAt(record.whole, now)) return record.whole;
      return awakeAt(ofModel, now) ? undefined : ofModel;
    },
    noteSuccess(channelId, model) {
      const record = recordOf(channelId);
      record.refusals = 0;
      record.failuresAtMs = [];
      record.whole = undefined;
      record.models.delete(model);
      countCall(record, false);
    },
    noteFailure(channelId, model, failure) {
      const record = recordOf(channelId);
      const now = clock.nowMs();
      if (failure.kind === "rate-limited") {
        const waitMs = Math.min(failure.retryAfterMs ?? DEFAULT_SLEEP_MS, LONGEST_SLEEP_MS);
        record.models.set(model, { reason: "rate-limited", untilMs: now + waitMs });
        return "none";
      }
      if (failure.kind === "bad-credential" || failure.kind === "out-of-credit") {
        record.refusals += 1;
        record.whole = { reason: "refused", untilMs: now + REFUSED_REST_MS };
        countCall(record, true);
        return record.refusals >= REFUSALS_TO_BELIEVE ? "disable" : "none";
      }
      if (!COUNTS_AGAINST_CHANNEL.has(failure.kind)) return "none";
      countCall(record, true);
      record.failuresAtMs = [...record.failuresAtMs.filter((at) => at > now - FAILURE_WINDOW_MS), now];
      if (record.failuresAtMs.length >= FAILURES_TO_OPEN) record.whole = { reason: "failing", untilMs: now + OPEN_MS };
      return "none";
    },
    sleepingModels(channelId) {
      const now = clock.nowMs();
      return [...(records.get(channelId)?.models ?? [])]
        .filter(([, rest]) => rest.reason === "rate-limited" && !awakeAt(rest, now))
        .map(([model, rest]) => ({ model, untilMs: rest.untilMs }));
    },
    errorRate(channelId) {
      const record = records.get(channelId);
      return record === undefined || record.calls === 0 ? 0 : record.errors / record.calls;
    },
    forget: (channelId) => void records.delete(channelId),
  };
}

/** Keeps the error rate of about the last hundred calls: older ones fade by halves. */
function countCall(record: Record, failed: boolean): void {
  record.calls += 1;
  record.errors += failed ? 1 : 0;
  if (record.calls >= 100) {
    record.calls /= 2;
    record.errors /= 2;
  }
}
