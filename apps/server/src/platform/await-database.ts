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
 * Returns a function that repeats a read while the database is away. After `waitMs` without an answered read it fails
 * at the first error, so that requests do not pile up.
 */
export function createOutageRetry(
  clock: Clock,
  waitMs: number,
): <Answer>(read: () => Promise<Answer>) => Promise<Answer> {
  let awaySinceMs: number | undefined;
  return async (read) => {
    for (;;) {
      try {
        const answer = await read();
        awaySinceMs = undefined;
        return answer;
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError)) throw error;
        const nowMs = clock.monotonicMs();
        awaySinceMs ??= nowMs;
        if (nowMs - awaySinceMs >= waitMs) throw error;
      }
      await pause(RETRY_MS);
    }
  };
}
