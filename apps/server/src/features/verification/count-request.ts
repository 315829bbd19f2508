import type { OpenDatabase } from "@one-api/database/open-database";
import { AppError } from "../../core/app-error.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";

interface RequestLimit {
  readonly subject: string;
  readonly most: number;
  readonly windowSeconds: number;
}

/**
 * Counts a request for each limit, in the database for all servers. Throws `too-many-requests` with the
 * seconds to wait at the first exceeded limit; later limits are not counted then.
 */
export async function countRequest(
  database: OpenDatabase,
  limits: readonly RequestLimit[],
  now: number,
): Promise<void> {
  const waitSeconds = await inTransaction(database, async (transaction) => {
    await transaction.deleteFrom("request_counts").where("ends_at", "<=", now).execute();
    for (const limit of limits) {
      const { made, ends_at } = await countOne(transaction, limit, now);
      if (made > limit.most) return Math.max(1, ends_at - now);
    }
    return 0;
  });
  if (waitSeconds > 0) throw tooMany(waitSeconds);
}

/** Throws `too-many-requests` at the limit. Counts nothing. */
export async function requireWithinLimit(queryable: Queryable, limit: RequestLimit, now: number): Promise<void> {
  const seconds = await secondsUntilMore(queryable, limit, now);
  if (seconds > 0) throw tooMany(seconds);
}

/** Seconds until another request is allowed; 0 for now. Counts nothing. */
export async function secondsUntilMore(
  queryable: Queryable,
  { subject, most }: RequestLimit,
  now: number,
): Promise<number> {
  const row = await queryable
    .selectFrom("request_counts")
    .select("ends_at")
    .where("subject", "=", subject)
    .where("ends_at", ">", now)
    .where("made", ">=", most)
    .executeTakeFirst();
  return row === undefined ? 0 : row.ends_at - now;
}

function tooMany(seconds: number): AppError {
  return new AppError("too-many-requests", `Too many requests. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
    values: { seconds },
  });
}

/** Counts a request and returns whether it is within the limit, for callers that must not reveal it. */
export async function isWithinLimit(queryable: Queryable, limit: RequestLimit, now: number): Promise<boolean> {
  return (await countTowards(queryable, limit, now)) >= 0;
}

/** Counts a request and returns the number left; negative beyond the limit. */
export async function countTowards(queryable: Queryable, limit: RequestLimit, now: number): Promise<number> {
  const { subject, most } = limit;
  await queryable.deleteFrom("request_counts").where("subject", "=", subject).where("ends_at", "<=", now).execute();
  return most - (await countOne(queryable, limit, now)).made;
}

function countOne(queryable: Queryable, { subject, windowSeconds }: RequestLimit, now: number) {
  return queryable
    .insertInto("request_counts")
    .values({ subject, made: 1, ends_at: now + windowSeconds })
    .onConflict((conflict) =>
      conflict.column("subject").doUpdateSet((counted) => ({ made: counted("request_counts.made", "+", 1) })),
    )
    .returning(["made", "ends_at"])
    .executeTakeFirstOrThrow();
}

export async function forgetRequests(queryable: Queryable, subjects: readonly string[]): Promise<void> {
  await queryable.deleteFrom("request_counts").where("subject", "in", subjects).execute();
}
