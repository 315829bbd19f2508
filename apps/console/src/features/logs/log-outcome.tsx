import { type Log, type LogDetail, logDetailSchema } from "@one-api/contract/log";
import { useTranslation } from "react-i18next";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";

/** The entry's detail; undefined when there is none or another version wrote it in a shape that this one does not know. */
export function readLogDetail(log: Log): LogDetail | undefined {
  return logDetailSchema.safeParse(log.detail).data;
}

const ENDS = [
  "bad-answer",
  "bad-credential",
  "bad-request",
  "broken-stream",
  "caller-gone",
  "caller-stalled",
  "complete",
  "connection",
  "internal",
  "out-of-credit",
  "overloaded",
  "rate-limited",
  "server-error",
  "timeout",
  "tls",
  "too-large",
  "unknown-model",
] as const;

type KnownEnd = (typeof ENDS)[number];

/** The ways to end that the console has words for. */
function knownEnd(end: string): KnownEnd | undefined {
  return ENDS.find((known) => known === end);
}

/** What an end means: served, left by the caller, or failed. */
export function toneOfEnd(end: string): StatusTone {
  if (end === "complete") return "good";
  return end.startsWith("caller-") ? "warning" : "danger";
}

/** A failed attempt's kind and the provider's own words, from `kind: words`. */
export function splitFailure(failure: string): { kind: KnownEnd | undefined; message: string } {
  const [first = "", ...rest] = failure.split(": ");
  const kind = knownEnd(first);
  return kind === undefined ? { kind, message: failure } : { kind, message: rest.join(": ") };
}

/** How a request ended. */
export function RequestEndBadge({ end }: { end: string }) {
  const { t } = useTranslation("logs");
  const known = knownEnd(end);
  return <StatusBadge tone={toneOfEnd(end)}>{known === undefined ? end : t(`end.${known}`)}</StatusBadge>;
}
