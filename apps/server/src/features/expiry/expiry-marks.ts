import { EXPIRY_DAYS } from "@one-api/contract/notifications/notification-constants";
import type { ExpiryWindow } from "./expiry.repository.ts";

type ExpiryDays = (typeof EXPIRY_DAYS)[number];

const DAY_SECONDS = 86_400;

/** Ends that are longer past are not reported, for example after the server was off. */
const STALE_SECONDS = 7 * DAY_SECONDS;

/** The first mark is the longest time before an end. */
export function expiryWindow(now: number): ExpiryWindow {
  const marks = EXPIRY_DAYS.map((days) => ({ before: now + days * DAY_SECONDS, level: levelOf(days) })).toReversed();
  return { since: now - STALE_SECONDS, soon: now + EXPIRY_DAYS[0] * DAY_SECONDS, marks };
}

/** Returns the last mark that an end has reached; undefined before the first, without an end, and long after it. */
export function markOf(expiresAt: number, now: number): ExpiryDays | undefined {
  const { since, soon } = expiryWindow(now);
  if (expiresAt <= 0 || expiresAt < since || expiresAt > soon) return undefined;
  return EXPIRY_DAYS.findLast((days) => expiresAt - now <= days * DAY_SECONDS);
}

/**
 * The same for a certificate. A mark of more than a third of its lifetime does not count: short-lived certificates are
 * renewed after it.
 */
export function markOfCertificate(
  { validFrom, expiresAt }: { readonly validFrom: number; readonly expiresAt: number },
  now: number,
): ExpiryDays | undefined {
  const days = markOf(expiresAt, now);
  return days !== undefined && days * DAY_SECONDS * 3 <= expiresAt - validFrom ? days : undefined;
}

/** Severity of a mark: 1 for the first. */
export function levelOf(days: ExpiryDays): number {
  return EXPIRY_DAYS.indexOf(days) + 1;
}
