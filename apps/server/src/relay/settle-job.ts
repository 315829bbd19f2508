import { setTimeout as wait } from "node:timers/promises";
import { LOG_TYPE, type LogDetail, type LogResult } from "@one-api/contract/log";
import type { Usage } from "@one-api/providers/usage";
import type { LogRow, SettleOutcome } from "../ledger/ledger-operation.ts";
import type { Route } from "./channels/pick-channel.ts";
import { computeCharge, describeCharge } from "./pricing/compute-charge.ts";
import type { Price } from "./pricing/price-model.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";
import type { RelayJob } from "./relay-job.ts";
import { effectOfSystemPrompt } from "./upstream/attempt-upstream.ts";

/** How a request ended. `usage` is undefined when nothing was delivered. */
export interface JobEnd {
  readonly route: Route | undefined;
  readonly usage: Usage | undefined;
  /** How the usage is known. */
  readonly rule: "usage" | "estimated" | "partial" | "none";
  /** complete, caller-gone, or the kind of failure. */
  readonly end: string;
  readonly result: LogResult;
  /** HTTP status that the provider gave; 0 when none came. */
  readonly statusCode: number;
  /** From arrival to the first byte of the answer, in ms; 0 without. */
  readonly firstByteMs: number;
}

/** Books what the request cost, gives back the rest of its reservation and writes its log row, in one commit. */
export async function settleJob(deps: RelayDependencies, job: RelayJob, end: JobEnd): Promise<SettleOutcome> {
  const price = end.route === undefined || end.usage === undefined ? undefined : job.priceOf(end.route);
  const charge = price === undefined || end.usage === undefined ? undefined : computeCharge(end.usage, price);
  const { caller } = job;
  const outcome = await deps.ledger.settle({
    requestId: job.requestId,
    userId: caller.userId,
    tokenId: caller.tokenId,
    tokenUnlimited: caller.unlimitedQuota,
    channelId: end.route?.id ?? 0,
    charge,
    at: job.arrival.at,
    log: deps.options.flag("LogConsumeEnabled") ? toLogRow(deps, job, end, price, charge ?? 0) : undefined,
  });
  // After the commit: a settlement that is tried again must not count twice.
  if (end.usage !== undefined) job.admission.settle(end.usage.promptTokens + end.usage.completionTokens);
  if (end.route !== undefined && end.route.channel.softLimitUsd > 0) deps.checkSpending(end.route.id);
  return outcome;
}

function toLogRow(
  deps: RelayDependencies,
  job: RelayJob,
  end: JobEnd,
  price: Price | undefined,
  charge: number,
): LogRow {
  const systemPrompt = end.route === undefined ? undefined : effectOfSystemPrompt(job.ask, end.route);
  const detail: LogDetail = {
    end: end.end,
    first_byte_ms: end.firstByteMs,
    upstream_model: end.route?.upstreamModel ?? "",
    attempts: job.attempts,
    ...(systemPrompt === undefined ? {} : { system_prompt: systemPrompt }),
    ...(price === undefined || end.usage === undefined
      ? {}
      : { charge: toChargeDetail(end.usage, price, charge, end.rule) }),
  };
  return {
    user_id: job.caller.userId,
    created_at: job.arrival.at,
    type: LOG_TYPE.consumption,
    content: price === undefined ? `Nothing was charged: ${end.end}.` : describeRatios(price, end.rule),
    username: job.caller.username,
    token_name: job.caller.tokenName,
    model_name: job.ask.model,
    prompt_tokens: end.usage?.promptTokens ?? 0,
    completion_tokens: end.usage?.completionTokens ?? 0,
    channel_id: end.route?.id ?? job.attempts.at(-1)?.channel ?? 0,
    request_id: job.requestId,
    elapsed_time: Math.round(deps.clock.monotonicMs() - job.arrival.startedMs),
    is_stream: job.ask.stream ? 1 : 0,
    detail: JSON.stringify(detail),
    result: end.result,
    status_code: end.statusCode,
  };
}

function toChargeDetail(usage: Usage, price: Price, charge: number, rule: JobEnd["rule"]): LogDetail["charge"] {
  return {
    model_ratio: price.modelRatio,
    completion_ratio: price.completionRatio,
    group_ratio: price.groupRatio,
    cached_tokens: usage.cachedTokens,
    rule,
    formula: describeCharge(usage, price, charge),
  };
}

const RULE_NOTES: Record<JobEnd["rule"], string> = {
  usage: "",
  estimated: " Counted here: the provider reported no usage.",
  partial: " The answer was cut off: charged for what was delivered.",
  none: "",
};

function describeRatios(price: Price, rule: JobEnd["rule"]): string {
  const unknown = price.source === "fallback" ? " No price is known for this model: set one in ModelRatio." : "";
  return `Model ratio ${price.modelRatio} × group ratio ${price.groupRatio}, completion ratio ${price.completionRatio}.${RULE_NOTES[rule]}${unknown}`;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** The settlement could not be committed in time; it goes on being tried. */
export class NotSettledError extends Error {
  override name = "NotSettledError";
}

/**
 * Settles, and keeps trying while the database is out of reach. Resolves after the commit; throws NotSettledError after `timeoutMs`, while the
 * attempts go on in the background for as long as the process lives. Settling twice is harmless: the ledger does it once. From then on it is
 * `settleLate` that is tried, for answers that the caller will never get.
 */
export async function settleSurely(
  timeoutMs: number,
  settle: () => Promise<SettleOutcome>,
  settleLate: () => Promise<SettleOutcome> = settle,
): Promise<SettleOutcome> {
  try {
    return await settle();
  } catch {
    let attempt = settle;
    const settled = retryForever(() => attempt());
    const late = new AbortController();
    const timeout = wait(timeoutMs, undefined, { signal: late.signal, ref: false }).then(() => {
      attempt = settleLate;
      throw new NotSettledError("The charge could not be booked in time.");
    });
    timeout.catch(() => undefined);
    const outcome = await Promise.race([settled, timeout]);
    late.abort();
    return outcome;
  }
}

async function retryForever(settle: () => Promise<SettleOutcome>): Promise<SettleOutcome> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await settle();
    } catch {
      await wait(pauseMs);
    }
  }
}
