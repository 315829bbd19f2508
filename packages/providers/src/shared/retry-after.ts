/** Headers of an upstream's answer, lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Longest wait that an upstream is believed, in ms. */
export const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;

/** First value of a header; empty when it is absent. */
export function headerOf(headers: AnswerHeaders, name: string): string {
  const value = headers[name];
  return (typeof value === "string" ? value : (value?.[0] ?? "")).trim();
}

/**
 * How long an upstream asks to wait, in ms; null when it does not say. Read from `retry-after-ms`, then `retry-after` (seconds
 * or a date: RFC 9110, 10.2.3). Never more than `MAX_RETRY_AFTER_MS`.
 */
export function readRetryAfter(headers: AnswerHeaders, now: Date): number | null {
  return (
    plausible(numberIn(headerOf(headers, "retry-after-ms"))) ??
    plausible(seconds(numberIn(headerOf(headers, "retry-after")))) ??
    untilDate(headerOf(headers, "retry-after"), headerOf(headers, "date"), now)
  );
}

/**
 * When the limit of a refused call is lifted, in ms, from the `x-ratelimit-reset*` headers; null without. Such headers stand on
 * every answer, so ask only after a 429. Of several the longest whose remainder is 0 counts, else the shortest.
 */
export function readLimitReset(headers: AnswerHeaders, now: Date): number | null {
  const resets = ["-requests", "-tokens", ""].flatMap((suffix) => {
    const waitMs = resetToMs(headerOf(headers, `x-ratelimit-reset${suffix}`), now);
    const isUsedUp = numberIn(headerOf(headers, `x-ratelimit-remaining${suffix}`)) === 0;
    return waitMs === null ? [] : [{ waitMs, isUsedUp }];
  });
  const usedUp = resets.filter((reset) => reset.isUsedUp);
  if (usedUp.length > 0) {
    return Math.max(...usedUp.map((reset) => reset.waitMs));
  }
  return resets.length > 0 ? Math.min(...resets.map((reset) => reset.waitMs)) : null;
}

/** A wait such as `20ms`, `7.66s`, `6m0s` or `1h2m3s`, in ms; null when it is none. */
export function durationToMs(text: string): number | null {
  const match = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/.exec(text);
  if (match === null || text === "") {
    return null;
  }
  const [days, hours, minutes, secs, millis] = match.slice(1).map((part) => Number(part ?? 0));
  return plausible(
    (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60_000 + (secs ?? 0) * 1_000 + (millis ?? 0),
  );
}

/** A reset is a duration, seconds, or a point in time in seconds or ms since 1970. */
function resetToMs(text: string, now: Date): number | null {
  const value = numberIn(text);
  if (value === null) {
    return durationToMs(text);
  }
  if (value > 1e11) {
    return plausible(value - now.getTime());
  }
  return value > 1e8 ? plausible(value * 1_000 - now.getTime()) : plausible(value * 1_000);
}

/** The upstream's own clock is used where it sends one, so that a wrong clock here does no harm. */
function untilDate(text: string, upstreamDate: string, now: Date): number | null {
  const until = text === "" ? Number.NaN : Date.parse(text);
  const from = Date.parse(upstreamDate);
  return Number.isNaN(until) ? null : plausible(until - (Number.isNaN(from) ? now.getTime() : from));
}

function numberIn(text: string): number | null {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

function seconds(value: number | null): number | null {
  return value === null ? null : value * 1_000;
}

function plausible(waitMs: number | null): number | null {
  return waitMs === null ? null : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, Math.ceil(waitMs)));
}
