import type { Log, LogResult } from "@one-api/contract/logs/log";
import { type LogDetail, logDetailSchema } from "@one-api/contract/logs/log-detail";
import { LOG_ENDS, type LogEnd } from "@one-api/contract/logs/log-end";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { RESULT_TONES } from "../../lib/values/result-looks.ts";
import { useRefusalWords } from "./refusals/refusal-words.ts";

/** Cache: half a dozen cells of a row need the entry's detail. */
const read = new WeakMap<Log, ReturnType<typeof logDetailSchema.safeParse>>();

/** The entry's detail; undefined when there is none or another version wrote it in a shape that this one does not know. */
export function readLogDetail(log: Log): LogDetail | undefined {
  const known = read.get(log);
  if (known !== undefined) return known.data;
  const result = logDetailSchema.safeParse(log.detail);
  read.set(log, result);
  return result.data;
}

function knownEnd(end: string): LogEnd | undefined {
  return LOG_ENDS.find((known) => known === end);
}

function toneOfEnd(end: string): StatusTone {
  if (end === "complete") return "good";
  if (end === "cancelled") return "neutral";
  const known = knownEnd(end);
  return RESULT_TONES[(known && RESULT_OF_END[known]) || "provider-failed"];
}

/** A failed attempt's kind and the provider's own words, from `kind: words`. */
export function splitFailure(failure: string): { kind: LogEnd | undefined; message: string } {
  const [first = "", ...rest] = failure.split(": ");
  const kind = knownEnd(first);
  return kind === undefined ? { kind, message: failure } : { kind, message: rest.join(": ") };
}

/** Refusals that the console has words for, by the code that the caller got. */
const REFUSALS = [
  "insufficient_quota",
  "model_not_allowed",
  "model_not_found",
  "model_unavailable",
  "rate_limit_exceeded",
] as const;

/** The result of an entry; old entries, which have none, are read from how they ended. */
function resultOf(log: Log): LogResult {
  if (log.result !== "" && Object.hasOwn(RESULT_TONES, log.result)) return log.result;
  const end = readLogDetail(log)?.end ?? "";
  if (end === "complete") return "ok";
  const known = knownEnd(end);
  return known === undefined ? "" : (RESULT_OF_END[known] ?? "provider-failed");
}

/** Results of entries that were written before there were results, where the provider did not simply fail. */
const RESULT_OF_END: Partial<Record<LogEnd, LogResult>> = {
  "caller-gone": "caller-gone",
  "caller-stalled": "caller-gone",
  "broken-stream": "cut",
  "rate-limited": "provider-limited",
  "bad-credential": "provider-refused",
  "bad-request": "provider-refused",
  "kept-elsewhere": "provider-refused",
  "out-of-credit": "provider-refused",
  "unknown-model": "provider-refused",
  connection: "connection",
  tls: "connection",
  timeout: "timeout",
  internal: "gateway-failed",
  unbooked: "gateway-failed",
};

/** HTTP status that "Rate limited" says already. */
const TOO_MANY = 429;

function useResultText(): (log: Log) => string | undefined {
  const { t } = useTranslation("logs");
  return (log) => {
    const result = resultOf(log);
    if (result === "") return undefined;
    const refusal = REFUSALS.find((known) => known === readLogDetail(log)?.refusal);
    if (result === "refused" && refusal !== undefined) return t(`refusals.${refusal}`);
    const isTold = result === "provider-limited" && log.status_code === TOO_MANY;
    const hasStatus = result.startsWith("provider-") && log.status_code >= 400 && !isTold;
    return hasStatus
      ? t("results.withStatus", { result: t(`results.${result}`), status: log.status_code })
      : t(`results.${result}`);
  };
}

export function LogResultBadge({ log }: { log: Log }) {
  const text = useResultText()(log);
  const result = resultOf(log);
  if (text === undefined || result === "") return "–";
  return <StatusBadge tone={RESULT_TONES[result]}>{text}</StatusBadge>;
}

/** End of a request, if the result does not say it already. */
export function RequestEndBadge({ log, end }: { log: Log; end: string }) {
  const { t } = useTranslation("logs");
  const result = useResultText()(log);
  const words = useRefusalWords();
  const known = knownEnd(end);
  const text = known === undefined ? (words(log, { refusal: end })?.sentence ?? end) : t(`end.${known}`);
  if (end === "" || end === "complete" || end === "refused" || text === result) return null;
  return <StatusBadge tone={toneOfEnd(end)}>{text}</StatusBadge>;
}

/** Why requests failed, and the HTTP status: "Rate limited · HTTP 429". */
export function FaultBadge({ kind, status }: { kind: string; status: number }) {
  const { t } = useTranslation("logs");
  const known = knownEnd(kind);
  const refusal = REFUSALS.find((code) => code === kind);
  const text = known === undefined ? (refusal === undefined ? kind : t(`refusals.${refusal}`)) : t(`end.${known}`);
  const tone = known === undefined ? RESULT_TONES.refused : toneOfEnd(known);
  return <StatusBadge tone={tone}>{status < 400 ? text : `${text} · ${t("attempts.status", { status })}`}</StatusBadge>;
}
