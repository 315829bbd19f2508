import { LOG_TYPE, type LogDetail, type LogResult } from "@one-api/contract/log";
import type { Usage } from "@one-api/providers/usage";
import type { LogRow, Settlement } from "../ledger/ledger-operation.ts";
import type { PricedRoute } from "./channels/route-plans.ts";
import { computeCharge, describeCharge } from "./pricing/compute-charge.ts";
import type { Price } from "./pricing/price-model.ts";
import type { Booking, SettleCallback } from "./promised-booking.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";
import type { RelayJob } from "./relay-job.ts";
import type { WrittenRequest } from "./translate/translation.ts";

/** How a request ended. */
export interface JobEnd {
  readonly route: PricedRoute | undefined;
  /** Undefined when nothing was delivered. */
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
  /** What was sent to the provider. */
  readonly written: WrittenRequest | undefined;
}

/** Returns what the ledger books at the end of a request: its charge and its row of the log. */
export function toSettlement(deps: RelayDependencies, job: RelayJob, end: JobEnd): Settlement {
  const { caller } = job;
  const price = end.usage === undefined ? undefined : end.route?.price;
  const charge = price === undefined || end.usage === undefined ? undefined : computeCharge(end.usage, price);
  return {
    requestId: job.requestId,
    userId: caller.userId,
    tokenId: caller.tokenId,
    tokenUnlimited: caller.unlimitedQuota,
    channelId: end.route?.id ?? 0,
    charge,
    at: job.at,
    log: deps.options.flag("LogConsumeEnabled") ? toLogRow(deps, job, end, price, charge ?? 0) : undefined,
  };
}

function toLogRow(
  deps: RelayDependencies,
  job: RelayJob,
  end: JobEnd,
  price: Price | undefined,
  charge: number,
): LogRow {
  const detail: LogDetail = {
    end: end.end,
    first_byte_ms: end.firstByteMs,
    upstream_model: end.route?.upstreamModel ?? "",
    attempts: job.attempts,
    ...(end.written?.systemPrompt === undefined ? {} : { system_prompt: end.written.systemPrompt }),
    ...(price === undefined || end.usage === undefined
      ? {}
      : { charge: toChargeDetail(end.usage, price, charge, end.rule) }),
  };
  return {
    user_id: job.caller.userId,
    created_at: job.at,
    type: LOG_TYPE.consumption,
    content: price === undefined ? `Nothing was charged: ${end.end}.` : describeRatios(price, end.rule),
    username: job.caller.username,
    token_name: job.caller.tokenName,
    model_name: job.ask.model,
    prompt_tokens: end.usage?.promptTokens ?? 0,
    completion_tokens: end.usage?.completionTokens ?? 0,
    channel_id: end.route?.id ?? job.attempts.at(-1)?.channel ?? 0,
    request_id: job.requestId,
    elapsed_time: Math.round(deps.clock.monotonicMs() - job.startedMs),
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

/** The charge is not booked: it could not be committed in time, or there was nothing left to settle. */
export class NotSettledError extends Error {
  override name = "NotSettledError";
}

/**
 * Settles, and keeps trying while the database is out of reach. Calls back once: after the commit, or with NotSettledError after `timeoutMs`,
 * while the attempts go on for as long as the process lives. Settling twice is harmless: the ledger does it once. From then on it is `late`
 * that is tried, for answers that the caller will never get.
 */
export function settleSurely(
  ledger: Pick<Booking, "settle">,
  settlement: Settlement,
  late: Settlement,
  timeoutMs: number,
  done: SettleCallback,
): void {
  ledger.settle(settlement, (error, outcome) => {
    if (error === undefined) return done(undefined, outcome);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      done(new NotSettledError("The charge could not be booked in time."), undefined);
    }, timeoutMs);
    const retry = (pauseMs: number) => {
      const wasLate = isLate;
      ledger.settle(wasLate ? late : settlement, (failure, settled) => {
        // What was booked just when the caller was told otherwise is put right by the late settlement.
        if (failure !== undefined || (isLate && !wasLate && late !== settlement)) {
          setTimeout(retry, pauseMs, Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
        } else if (!isLate) {
          clearTimeout(timer);
          done(undefined, settled);
        }
      });
    };
    setTimeout(retry, FIRST_PAUSE_MS, FIRST_PAUSE_MS * 2);
  });
}
