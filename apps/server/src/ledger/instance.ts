import { randomUUID } from "node:crypto";
import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";
import { type Clock } from "../core/clock.ts";
import { inTransaction, type Queryable } from "../core/transaction.ts";

/** A process that has not beaten for this long is taken for dead, in seconds of the database's clock. */
export const DEAD_AFTER_SECONDS = 30;
/** A process that has beaten within this time need not ask whether it was taken for dead, in ms. */
const SURELY_ALIVE_MS = 15_000;
/** Processes that died this long ago have nothing open any more, in seconds. */
const FORGOTTEN_AFTER_SECONDS = 24 * 60 * 60;

/** The database's own time in Unix seconds: clocks of machines differ, and only one may say who is dead. */
export function databaseNow(kind: OpenDatabase["kind"]) {
  return kind === "sqlite"
    ? sql<number>`unixepoch()`
    : sql<number>`floor(extract(epoch from clock_timestamp()))::bigint`;
}

/** True for rows with the `instance_id` of a process that is gone, or has not beaten for so long that it is taken for dead. */
export function isOfDeadInstance(kind: OpenDatabase["kind"]) {
  const lastSign = sql<number>`${databaseNow(kind)} - ${sql.lit(DEAD_AFTER_SECONDS)}`;
  return sql<boolean>`instance_id not in (select id from instances where beat_at >= ${lastSign})`;
}

/** This process among those that share the database. */
export interface Instance {
  /** Names it in the rows that hold quota for its requests; another one after it was taken for dead. */
  readonly id: () => string;
  /** Tells the others that it lives. Returns false when they took it for dead: it goes on under a new name, with what they left of its holds. */
  beat(): Promise<boolean>;
  /** Beats when the last time is too long ago to be sure that the others know. */
  ensureAlive(): Promise<void>;
  /** Whether it has beaten so lately that nobody can have taken it for dead. */
  isSurelyAlive(): boolean;
  /** Is called each time that this process learns that it was taken for dead. */
  onTakenForDead(call: () => void): void;
  /** Says goodbye, after its last request is settled. */
  leave(): Promise<void>;
}

/** This process, known to nobody before its first beat. */
export function createInstance(database: OpenDatabase, clock: Clock): Instance {
  const now = databaseNow(database.kind);
  let id: string = randomUUID();
  let isRegistered = false;
  let beatenAtMs = Number.NEGATIVE_INFINITY;
  let underWay: Promise<boolean> | undefined;
  const calls: (() => void)[] = [];

  const beat = async (): Promise<boolean> => {
    const sentAtMs = clock.monotonicMs();
    const wasRegistered = isRegistered;
    const next = await inTransaction(database, (transaction) => beatOrRegister(transaction, now, id));
    const wasAlive = next === id || !wasRegistered;
    [id, isRegistered, beatenAtMs] = [next, true, sentAtMs];
    if (!wasAlive) for (const call of calls) call();
    return wasAlive;
  };
  const beatOnce = () => {
    underWay ??= beat().finally(() => (underWay = undefined));
    return underWay;
  };
  const isSurelyAlive = () => clock.monotonicMs() - beatenAtMs <= SURELY_ALIVE_MS;
  return {
    id: () => id,
    beat: beatOnce,
    async ensureAlive() {
      if (!isSurelyAlive()) await beatOnce();
    },
    isSurelyAlive,
    onTakenForDead: (call) => void calls.push(call),
    async leave() {
      await database.db.deleteFrom("instances").where("id", "=", id).execute();
    },
  };
}

/** Whoever is late gets a new name: the others may be about to settle what stands under the old one. */
async function beatOrRegister(
  transaction: Queryable,
  now: ReturnType<typeof databaseNow>,
  id: string,
): Promise<string> {
  const lastSign = sql<number>`${now} - ${sql.lit(DEAD_AFTER_SECONDS)}`;
  const beaten = await transaction
    .updateTable("instances")
    .set({ beat_at: now })
    .where("id", "=", id)
    .where("beat_at", ">=", lastSign)
    .executeTakeFirst();
  if (beaten.numUpdatedRows > 0n) return id;
  const next = randomUUID();
  await transaction.insertInto("instances").values({ id: next, started_at: now, beat_at: now }).execute();
  await transaction.updateTable("relay_holds").set({ instance_id: next }).where("instance_id", "=", id).execute();
  await transaction.updateTable("quota_leases").set({ instance_id: next }).where("instance_id", "=", id).execute();
  await transaction.deleteFrom("instances").where("id", "=", id).execute();
  return next;
}

/** Removes the rows of processes that died long ago. */
export async function forgetDeadInstances({ db, kind }: OpenDatabase): Promise<void> {
  const longAgo = sql<number>`${databaseNow(kind)} - ${sql.lit(FORGOTTEN_AFTER_SECONDS)}`;
  await db.deleteFrom("instances").where("beat_at", "<", longAgo).execute();
}
