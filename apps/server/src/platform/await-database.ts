import { DatabaseUnavailableError } from "@one-api/database/database-errors";

/** How long a caller waits for the database, in ms: less than the driver does, which also has work that may take longer. */
export const DATABASE_SILENT_MS = 10_000;

/** What the database answers. Rejects with DatabaseUnavailableError where it says nothing for so long; what it says then is not heard. */
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
