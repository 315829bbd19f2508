import { setTimeout as pause } from "node:timers/promises";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { Clock } from "./clock.ts";

const RETRY_MS = 100;

/** Rejects with DatabaseUnavailableError after `silentMs`. A later answer is ignored. */
export async function awaitDatabase<Answer>(asked: Promise<Answer>, silentMs: number): Promise<Answer> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    silence.reject(new DatabaseUnavailableError(`The database has said nothing for ${silentMs} ms.`));
  }, silentMs);
  try {
    return await Promise.race([asked, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns a function that repeats a read while the database is away. After `waitMs` of an outage it fails at the first
 * error, so that requests do not pile up. An outage ends with an answered read, or `waitMs` after the last failure.
 */
export function createOutageRetry(
  clock: Clock,
  waitMs: number,
): <Answer>(read: () => Promise<Answer>) => Promise<Answer> {
  let outage: { readonly sinceMs: number; failedMs: number } | undefined;
  return async (read) => {
    for (;;) {
      const startedMs = clock.monotonicMs();
      try {
        const answer = await read();
        outage = undefined;
        return answer;
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError)) throw error;
        const nowMs = clock.monotonicMs();
        if (outage === undefined || startedMs - outage.failedMs > waitMs) outage = { sinceMs: nowMs, failedMs: nowMs };
        outage.failedMs = nowMs;
        if (nowMs - outage.sinceMs >= waitMs) throw error;
      }
      await pause(RETRY_MS);
    }
  };
}
