import type { OpenDatabase } from "@one-api/database/open-database";
import { AppError } from "../../core/app-error.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";

/** How many requests of one kind somebody may make. */
interface RequestLimit {
  /** What is counted for whom, for example `mail:<address>`. */
  readonly subject: string;
  readonly most: number;
  readonly windowSeconds: number;
}

/**
 * Counts one request for each limit, in the database: a restart forgets nothing and every replica counts. Throws `too-many-requests`
 * with the seconds to wait once there were too many in a window; then nothing is counted for the limits behind that one.
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

/** Throws `too-many-requests` where as many as are allowed have been counted, and counts nothing. */
export async function requireWithinLimit(queryable: Queryable, limit: RequestLimit, now: number): Promise<void> {
  const seconds = await secondsUntilMore(queryable, limit, now);
  if (seconds > 0) throw tooMany(seconds);
}

/** Seconds until more are allowed, 0 for now; counts nothing. */
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

/** Counts one request and says whether it is within the limit, for who must not be told that it is not. */
export async function isWithinLimit(queryable: Queryable, limit: RequestLimit, now: number): Promise<boolean> {
  return (await countTowards(queryable, limit, now)) >= 0;
}

/** Counts one request and returns how many more are within the limit: 0 for the last one, less for those beyond. */
export async function countTowards(queryable: Queryable, limit: RequestLimit, now: number): Promise<number> {
  const { subject, most } = limit;
  await queryable.deleteFrom("request_counts").where("subject", "=", subject).where("ends_at", "<=", now).execute();
  return most - (await countOne(queryable, limit, now)).made;
}

/** Counts one request, and returns how many that makes until when, in Unix seconds. */
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

/** Forgets what was counted: the request that it was about turned out right. */
export async function forgetRequests(queryable: Queryable, subjects: readonly string[]): Promise<void> {
  await queryable.deleteFrom("request_counts").where("subject", "in", subjects).execute();
}
