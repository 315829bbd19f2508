import { LOG_TYPE } from "@one-api/contract/logs/log";
import { INPUT_ONLY } from "@one-api/contract/logs/log-detail";
import { type UsageDetail, writeDetail } from "../../features/logs/index.ts";
import {
  type Ledger,
  LedgerClosedError,
  type LogRow,
  type SettleCallback,
  type Settlement,
} from "@one-api/ledger/ledger";
import { NotSettledError } from "../errors/index.ts";
import { payerOf } from "../callers/index.ts";
import { type Outcome, undelivered } from "./outcome.ts";
import { computeCharge, computeCost, toUsageCharge } from "../pricing/index.ts";
import type { ReservedRequest } from "./reserved-request.ts";
import { toEndedRequest } from "./to-ended-request.ts";
import type { ChargingServices } from "./charging-services.ts";

function toJournalEntry(services: ChargingServices, job: ReservedRequest, end: Outcome): Settlement {
  const { caller } = job;
  const { usage, route } = end;
  const charge = usage === undefined || route === undefined ? undefined : computeCharge(usage, route.price);
  return {
    ...payerOf(caller),
    requestId: job.requestId,
    channelId: route?.id ?? 0,
    charge,
    at: job.at,
    log: services.isLogged() ? toLogRow(services, job, end) : undefined,
  };
}

/** The outcome of a request, and the one that applies once the caller was told that the commit failed. */
export interface Outcomes {
  readonly end: Outcome;
  /** Called when a commit fails or takes too long. */
  readonly late: () => Outcome;
}

/** Settles a request. Calls back once: after the commit, or with the error because of which the end of the answer must not leave. */
export function settle(
  services: ChargingServices,
  job: ReservedRequest,
  { end, late }: Outcomes,
  done: (error: Error | undefined) => void,
): void {
  const settlement = toJournalEntry(services, job, end);
  const settleLate = () => {
    const lateEnd = late();
    return lateEnd === end ? settlement : toJournalEntry(services, job, lateEnd);
  };
  settleWithRetries(services.ledger, settlement, settleLate, services.timeouts.settleMs, (error, outcome) => {
    // After the commit, since a settlement that is retried must not count twice.
    if (error === undefined && end.usage !== undefined) {
      job.admission.settle(end.usage.promptTokens + end.usage.completionTokens);
    }
    if (error === undefined && end.route !== undefined && end.route.channel.softLimitUsd > 0) {
      services.checkSpending(end.route.id);
    }
    const isGone = error === undefined && outcome?.settled === false;
    done(isGone ? new NotSettledError("What was set aside had been given back to its owner.", false) : error);
    if (!services.telemetry.isOn) return;
    const isSettled = error === undefined && !isGone;
    services.telemetry.ended(
      toEndedRequest(job, isSettled ? end : undelivered(end), outcome?.charged ?? 0, services.clock.monotonicMs()),
    );
  });
}

/** Numbers and names only: texts are made when the row is read. */
function toLogRow(services: ChargingServices, job: ReservedRequest, end: Outcome): LogRow {
  const { route, usage, rule, written } = end;
  const detail: UsageDetail = {
    end: end.end,
    upstream_model: route?.upstreamModel ?? "",
    group: (route ?? job.routes[0])?.group ?? "",
    attempts: job.attempts,
  };
  const inputOnly = INPUT_ONLY.find((endpoint) => endpoint === job.parsed.endpoint);
  if (inputOnly !== undefined) detail.input_only = inputOnly;
  if (route !== undefined && route.model !== job.parsed.model) detail.alias = job.parsed.model;
  if (job.caller.keyHint !== "") detail.key_hint = job.caller.keyHint;
  if (written?.systemPrompt !== undefined) detail.system_prompt = written.systemPrompt;
  if (written !== undefined && written.dropped.length > 0) detail.dropped = [...written.dropped];
  if (route !== undefined && usage !== undefined && rule !== "none") {
    detail.charge = toUsageCharge(usage, route.price, rule);
  }
  if (end.notes.length > 0) detail.notes = [...end.notes];
  const row = {
    user_id: job.caller.userId,
    created_at: job.at,
    type: LOG_TYPE.consumption,
    content: "",
    username: job.caller.username,
    token_name: job.caller.tokenName,
    model_name: route?.model ?? job.parsed.model,
    prompt_tokens: usage?.promptTokens ?? 0,
    cached_tokens: usage === undefined ? 0 : usage.cachedTokens + usage.cachedAudioTokens,
    completion_tokens: usage?.completionTokens ?? 0,
    channel_id: route?.id ?? job.attempts.at(-1)?.channel ?? 0,
    request_id: job.requestId,
    elapsed_time: Math.round(services.clock.monotonicMs() - job.startedMs),
    is_stream: job.parsed.stream ? 1 : 0,
    detail: "",
    result: end.result,
    status_code: end.statusCode,
    cost: usage === undefined || route === undefined ? 0 : computeCost(usage, route.costPrice),
    first_byte_ms: end.firstByteMs,
    alias: job.alias,
    first_model: "",
    alias_facts: job.aliasFacts,
  } satisfies LogRow;
  const first = job.attempts[0]?.model ?? "";
  if (job.alias !== "" && first !== row.model_name) row.first_model = first;
  row.detail = writeDetail(detail, row);
  return row;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Settles, and retries while the database is unavailable, until the ledger is closed. Calls back once: after the commit, or with NotSettledError
 * after `timeoutMs`.
 * From then on it settles what `settleLate` returns, which is called once; the ledger settles once, so retries are harmless.
 */
export function settleWithRetries(
  ledger: Pick<Ledger, "settle">,
  settlement: Settlement,
  settleLate: () => Settlement,
  timeoutMs: number,
  done: SettleCallback,
): void {
  let late: Settlement | undefined;
  let isLate = false;
  // The timer starts with the first attempt: a database that hangs neither commits nor refuses.
  const timer = setTimeout(() => {
    late ??= settleLate();
    isLate = true;
    done(new NotSettledError("The charge could not be booked in time.", true), undefined);
  }, timeoutMs);
  const isToldSo = () => isLate;
  const attempt = (pauseMs: number) => {
    const wasLate = isLate;
    const booked: SettleCallback = (failure, settled) => {
      if (failure === undefined && !isLate) {
        clearTimeout(timer);
        return done(undefined, settled);
      }
      late ??= settleLate();
      if (failure instanceof LedgerClosedError) return;
      // A commit just after the caller was told otherwise is corrected at once, since a closing ledger waits for the settlement.
      const isToCorrect = isLate && !wasLate && late !== settlement;
      if (failure === undefined && isToCorrect) return attempt(pauseMs);
      if (failure !== undefined) setTimeout(attempt, pauseMs, Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
    };
    ledger.settle(wasLate && late !== undefined ? late : settlement, booked, isToldSo);
  };
  attempt(FIRST_PAUSE_MS);
}
