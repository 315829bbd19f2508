import { DatabaseUnavailableError } from "@one-api/database/database-errors";

/** Timeout of a caller. Shorter than the driver's, which also runs longer work. */
export const DATABASE_SILENT_MS = 10_000;

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
