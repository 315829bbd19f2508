import type { StatusTone } from "../../components/status-badge.tsx";

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
export function knownEnd(end: string): KnownEnd | undefined {
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
