export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;

export function headerOf(headers: AnswerHeaders, name: string): string {
  const value = headers[name];
  return (typeof value === "string" ? value : (value?.[0] ?? "")).trim();
}

/**
 * Returns the wait that an upstream requests, in ms; null without. Reads `retry-after-ms`, then `retry-after` (seconds or a date: RFC 9110,
 * 10.2.3). At most `MAX_RETRY_AFTER_MS`.
 */
export function readRetryAfter(headers: AnswerHeaders, now: Date): number | null {
  return (
    plausible(numberIn(headerOf(headers, "retry-after-ms"))) ??
    plausible(seconds(numberIn(headerOf(headers, "retry-after")))) ??
    untilDate(headerOf(headers, "retry-after"), headerOf(headers, "date"), now)
  );
}

/**
 * Returns the time until the limit of a refused call resets, in ms; null without. Headers: `x-ratelimit-reset-tokens`,
 * `anthropic-ratelimit-requests-reset`, `ratelimit-reset`, `ratelimit: limit=20, remaining=0, reset=7` and similar. Every answer has them, so
 * call this only after a 429. The longest with remainder 0 counts, else the shortest. Source:
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function readLimitReset(headers: AnswerHeaders, now: Date): number | null {
  const resets = Object.keys(headers).flatMap((name) => {
    if (!name.includes("ratelimit")) return [];
    const isList = name === "ratelimit";
    if (!isList && !name.includes("reset")) return [];
    const text = headerOf(headers, name);
    const waitMs = resetToMs(isList ? (/\b(?:reset|t)=(\d+)/.exec(text)?.[1] ?? "") : text, now);
    const left = isList
      ? /\b(?:remaining|r)=(\d+)/.exec(text)?.[1]
      : headerOf(headers, name.replace("reset", "remaining"));
    return waitMs === null ? [] : [{ waitMs, isUsedUp: numberIn(left ?? "") === 0 }];
  });
  const usedUp = resets.filter((reset) => reset.isUsedUp);
  if (usedUp.length > 0) {
    return Math.max(...usedUp.map((reset) => reset.waitMs));
  }
  return resets.length > 0 ? Math.min(...resets.map((reset) => reset.waitMs)) : null;
}

/** Fields of a refusal with a wait, and the unit of their numbers, in ms. */
const WAIT_FIELDS: readonly (readonly [name: string, unitMs: number])[] = [
  ["retry_after_ms", 1],
  ["retry_after_seconds", 1_000],
  ["retry_after", 1_000],
  ["retryAfter", 1_000],
  ["resets_in_seconds", 1_000],
];

/** Returns the wait in the fields of a refusal, in ms, from numbers or duration texts; null without. */
export function readWaitField(error: Readonly<Record<string, unknown>>): number | null {
  for (const [name, unitMs] of WAIT_FIELDS) {
    const value = error[name];
    const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
    const count = numberIn(text);
    const waitMs = count === null ? durationToMs(text) : plausible(count * unitMs);
    if (waitMs !== null) return waitMs;
  }
  return null;
}

const WORD_MS: ReadonlyMap<string, number> = new Map([
  ["second", 1_000],
  ["minute", 60_000],
  ["hour", 3_600_000],
]);

/**
 * Returns the wait in the text of a refusal, in ms; null without. Examples: "try again in 7m12.48s", "retry after 2 minutes", and Zhipu's time
 * of day, in Beijing.
 */
export function readWaitInText(message: string, now: Date): number | null {
  const duration = /(?:try again|retry) (?:in|after) (\d[\d.]*(?:ms|s|m|h)(?:[\d.]+(?:ms|s|m))*)(?![a-z])/i.exec(
    message,
  )?.[1];
  const [, count = "", word = ""] =
    /(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?) (second|minute|hour)s?\b/i.exec(message) ?? [];
  const [, day = "", time = ""] = /(?:reset at|将在) ?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(message) ?? [];
  return (
    durationToMs((duration ?? "").replace(/\.$/, "")) ??
    plausible(count === "" ? null : Number(count) * (WORD_MS.get(word.toLowerCase()) ?? 0)) ??
    resetToMs(day === "" ? "" : `${day}T${time}+08:00`, now)
  );
}

/** Parses a wait such as `20ms`, `7.66s`, `6m0s` or `1h2m3s`, in ms; null for anything else. */
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

/** Parses a reset: a duration, seconds, or a point in time (seconds or ms since 1970, or RFC 3339). */
function resetToMs(text: string, now: Date): number | null {
  const value = numberIn(text);
  if (value === null) {
    const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(at) ? durationToMs(text) : plausible(at - now.getTime());
  }
  if (value > 1e11) {
    return plausible(value - now.getTime());
  }
  return value > 1e8 ? plausible(value * 1_000 - now.getTime()) : plausible(value * 1_000);
}

/** Uses the upstream's clock where it sends one, so that a wrong clock here does no harm. */
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
