import type { Failure, FailureKind } from "@one-api/providers/failure";
import type { Clock } from "../../platform/clock.ts";
import { Circuit } from "./circuit.ts";
import { afterUnanswered, type AnswerTimes, type UnansweredRequests, type UnansweredRequest } from "./unanswered.ts";

/** Why a channel is passed over for a model, and until when (Unix ms). */
export interface Cooldown {
  readonly reason: "rate-limited" | "failing" | "refused";
  readonly untilMs: number;
}

/** Cooldown of a rate limit for which the upstream names no time, in ms. */
const DEFAULT_SLEEP_MS = 60_000;
const LONGEST_SLEEP_MS = 24 * 3600 * 1000;
/** Cooldown of the whole channel after a refused key, in ms. A second refusal confirms it. */
const REFUSED_REST_MS = 60_000;
const REFUSALS_TO_BELIEVE = 2;
/** Time after which another request may find out whether the key is accepted again, in ms. */
const REFUSED_PROBE_MS = 15_000;
/** Models limited within the window below, with no answer in between, that mean a limit of the account. */
const LIMITED_MODELS_TO_BELIEVE = 3;
const LIMITED_WINDOW_MS = 60_000;

/** Kinds of failure that say something about the channel rather than the request. */
const COUNTS_AGAINST_CHANNEL: ReadonlySet<FailureKind> = new Set([
  "overloaded",
  "server-error",
  "connection",
  "tls",
  "timeout",
  "bad-answer",
  "broken-stream",
]);

/**
 * Codes and types of limits of the whole account, in lower case. Sources: error pages of Volcengine Ark (AccountRateLimitExceeded), Zhipu (1308,
 * 1310, 1313), MiniMax (2056) and Moonshot (all models share one limit).
 */
const ACCOUNT_LIMITS: ReadonlySet<string> = new Set([
  "accountratelimitexceeded",
  "1308",
  "1310",
  "1313",
  "2056",
  "rate_limit_reached_error",
]);

/** Weight of a new measurement in the running mean of latencies. */
const LATENCY_WEIGHT = 0.2;

/** Record of one channel, in times of the monotonic clock: setting the time of day back prolongs no cooldown. */
interface Record {
  models: Map<string, Cooldown>;
  whole: Cooldown | undefined;
  readonly circuit: Circuit;
  /** Models limited since the last answer, and when. */
  limitedAtMs: Map<string, number>;
  refusals: number;
  calls: number;
  errors: number;
  answers: Map<string, Mutable<AnswerTimes>>;
  unanswered: Map<string, UnansweredRequests>;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Consequence of a failure beyond a cooldown: none, a cooldown of the account, or a disabled channel. */
type HealthVerdict = { readonly action: "none" | "disable" } | { readonly action: "sleep"; readonly untilMs: number };

/** Recent results of all channels, as seen by this process, and of the keys of each. */
export interface ChannelHealth extends Health {
  /** Results of a channel's keys, by their ids. A key is refused or limited, but never failing. */
  keysOf(channelId: number): Health;
}

/** Results by channel, or by key. Decisions go by status and code, never by texts. */
interface Health {
  cooldownOf(channelId: number, model: string): Cooldown | undefined;
  /** Returns the share of its requests that a channel may receive while it recovers, 0 to 1. */
  share(channelId: number): number;
  /** A request is sent. After failures it is the probe that the others wait for. */
  recordSent(channelId: number): void;
  recordSuccess(channelId: number, model: string): void;
  recordLatency(channelId: number, model: string, latencyMs: number): void;
  /** Returns `disable` after a repeated refusal of the key: the channel cannot recover alone. */
  recordFailure(channelId: number, model: string, failure: Failure): HealthVerdict;
  /** Records a caller that disconnected before any answer. Returns the end of the cooldown that follows, in Unix ms. */
  recordUnanswered(channelId: number, model: string, call: UnansweredRequest): number | undefined;
  /** Models in cooldown because of a limit or of unanswered requests, with its end in Unix ms. */
  modelsInCooldown(channelId: number): { model: string; untilMs: number }[];
  channelsInCooldown(): number[];
  /** Share of recent requests that failed, 0 to 1. */
  errorRate(channelId: number): number;
  /** Running mean of the latency, in ms; undefined before the first answer. */
  latencyMs(channelId: number, model: string): number | undefined;
  forget(channelId: number): void;
  /** Forgets the channel's failures and lets it begin with a small share of its requests. */
  recover(channelId: number): void;
}

export function createChannelHealth(clock: Clock): ChannelHealth {
  const health = createHealth(clock);
  const keys = new Map<number, Health>();
  return {
    ...health,
    keysOf(channelId) {
      const known = keys.get(channelId) ?? createHealth(clock);
      keys.set(channelId, known);
      return known;
    },
    forget(channelId) {
      keys.delete(channelId);
      health.forget(channelId);
    },
    recover(channelId) {
      keys.delete(channelId);
      health.recover(channelId);
    },
  };
}

function createHealth(clock: Clock): Health {
  const records = new Map<number, Record>();
  const recordOf = (channelId: number): Record => {
    const known = records.get(channelId);
    if (known !== undefined) return known;
    const record = newRecord();
    records.set(channelId, record);
    return record;
  };
  const toUnixMs = (untilMs: number) => clock.nowMs() + untilMs - clock.monotonicMs();
  const modelsInCooldown = (channelId: number) => {
    const now = clock.monotonicMs();
    return [...(records.get(channelId)?.models ?? [])]
      .filter(([, rest]) => !awakeAt(rest, now))
      .map(([model, rest]) => ({ model, untilMs: toUnixMs(rest.untilMs) }));
  };
  return {
    cooldownOf(channelId, model) {
      const record = records.get(channelId);
      if (record === undefined) return undefined;
      const now = clock.monotonicMs();
      const rest =
        stillCooling(record.whole, now) ?? openCircuit(record, now) ?? stillCooling(record.models.get(model), now);
      return rest && { reason: rest.reason, untilMs: toUnixMs(rest.untilMs) };
    },
    share: (channelId) => records.get(channelId)?.circuit.share(clock.monotonicMs()) ?? 1,
    recordSent(channelId) {
      const record = records.get(channelId);
      if (record !== undefined) sendAt(record, clock.monotonicMs());
    },
    recordSuccess: (channelId, model) => succeedAt(recordOf(channelId), model, clock.monotonicMs()),
    recordLatency(channelId, model, latencyMs) {
      const { answers } = recordOf(channelId);
      const beganAtMs = clock.monotonicMs();
      const known = answers.get(model);
      if (known === undefined) return void answers.set(model, { meanMs: latencyMs, beganAtMs });
      known.meanMs += (latencyMs - known.meanMs) * LATENCY_WEIGHT;
      known.beganAtMs = beganAtMs;
    },
    recordFailure(channelId, model, failure) {
      const verdict = judgeFailure(recordOf(channelId), model, failure, clock.monotonicMs());
      return verdict.action === "sleep" ? { action: "sleep", untilMs: toUnixMs(verdict.untilMs) } : verdict;
    },
    recordUnanswered(channelId, model, call) {
      const untilMs = judgeSilence(recordOf(channelId), model, call, clock.monotonicMs());
      return untilMs === undefined ? undefined : toUnixMs(untilMs);
    },
    modelsInCooldown,
    channelsInCooldown: () => [...records.keys()].filter((channelId) => modelsInCooldown(channelId).length > 0),
    errorRate(channelId) {
      const record = records.get(channelId);
      return record === undefined || record.calls === 0 ? 0 : record.errors / record.calls;
    },
    latencyMs: (channelId, model) => records.get(channelId)?.answers.get(model)?.meanMs,
    forget: (channelId) => void records.delete(channelId),
    recover(channelId) {
      records.delete(channelId);
      recordOf(channelId).circuit.recover(clock.monotonicMs());
    },
  };
}

function newRecord(): Record {
  return {
    models: new Map(),
    whole: undefined,
    circuit: new Circuit(),
    limitedAtMs: new Map(),
    refusals: 0,
    calls: 0,
    errors: 0,
    answers: new Map(),
    unanswered: new Map(),
  };
}

/** After a refusal the request is the one that tries the key again. */
function sendAt(record: Record, now: number): void {
  record.circuit.send(now);
  if (record.whole?.reason === "refused" && awakeAt(record.whole, now))
    record.whole = { reason: "refused", untilMs: now + REFUSED_PROBE_MS };
}

function succeedAt(record: Record, model: string, now: number): void {
  record.refusals = 0;
  record.circuit.answer(now);
  // Clearing an empty collection allocates a new one.
  if (record.limitedAtMs.size > 0) record.limitedAtMs.clear();
  // An answer that began before the limit does not end its cooldown.
  if (record.whole?.reason !== "rate-limited") record.whole = undefined;
  const rest = record.models.get(model);
  if (rest?.reason === "failing" || awakeAt(rest, now)) record.models.delete(model);
  countCall(record, false);
}

function openCircuit({ circuit }: Record, nowMs: number): Cooldown | undefined {
  const untilMs = circuit.openUntil(nowMs);
  return untilMs === undefined ? undefined : { reason: "failing", untilMs };
}

function stillCooling(rest: Cooldown | undefined, nowMs: number): Cooldown | undefined {
  return awakeAt(rest, nowMs) ? undefined : rest;
}

function awakeAt(rest: Cooldown | undefined, nowMs: number): boolean {
  return rest === undefined || rest.untilMs <= nowMs;
}

function judgeFailure(record: Record, model: string, failure: Failure, now: number): HealthVerdict {
  if (failure.kind === "rate-limited") return judgeLimit(record, model, failure, now);
  if (failure.kind === "bad-credential" || failure.kind === "out-of-credit") {
    record.refusals += 1;
    record.whole = { reason: "refused", untilMs: now + REFUSED_REST_MS };
    countCall(record, true);
    return { action: record.refusals >= REFUSALS_TO_BELIEVE ? "disable" : "none" };
  }
  if (!COUNTS_AGAINST_CHANNEL.has(failure.kind)) {
    record.circuit.refuse(now);
    return { action: "none" };
  }
  countCall(record, true);
  record.circuit.fail(now);
  return { action: "none" };
}

/** Starts the cooldown of a model; of the channel for a limit of the account, or of several models in a row. */
function judgeLimit(record: Record, model: string, failure: Failure, now: number): HealthVerdict {
  const waitMs = Math.min(failure.retryAfterMs ?? DEFAULT_SLEEP_MS, LONGEST_SLEEP_MS);
  const untilMs = now + waitMs;
  record.models.set(model, { reason: "rate-limited", untilMs });
  record.limitedAtMs.set(model, now);
  const limited = [...record.limitedAtMs].filter(([, at]) => at > now - LIMITED_WINDOW_MS).map(([name]) => name);
  const ofAccount = [failure.code, failure.type].some((name) => ACCOUNT_LIMITS.has(name.toLowerCase()));
  if (!ofAccount && limited.length < LIMITED_MODELS_TO_BELIEVE) return { action: "none" };
  // The account's limit is only inferred, so the cooldown ends with that of the first model.
  const firstAwakeMs = Math.min(...limited.map((name) => record.models.get(name)?.untilMs ?? untilMs));
  record.whole = { reason: "rate-limited", untilMs: ofAccount ? untilMs : firstAwakeMs };
  return { action: "sleep", untilMs: record.whole.untilMs };
}

/** Returns the end of the cooldown that this request causes; undefined where it causes none. */
function judgeSilence(record: Record, model: string, call: UnansweredRequest, now: number): number | undefined {
  const known = record.unanswered.get(model);
  const silence = afterUnanswered(known, call, now, record.answers.get(model));
  if (silence === undefined) record.unanswered.delete(model);
  else record.unanswered.set(model, silence);
  const untilMs = silence?.restsUntilMs ?? 0;
  if (untilMs <= now || untilMs === known?.restsUntilMs || !awakeAt(record.models.get(model), now)) return undefined;
  countCall(record, true);
  record.models.set(model, { reason: "failing", untilMs });
  return untilMs;
}

/** Error rate of about the last hundred requests; older ones lose half of their weight. */
function countCall(record: Record, failed: boolean): void {
  record.calls += 1;
  record.errors += failed ? 1 : 0;
  if (record.calls >= 100) {
    record.calls /= 2;
    record.errors /= 2;
  }
}
