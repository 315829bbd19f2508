import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../core/clock.ts";

/** A process that has not beaten for this long is taken for dead, in seconds. */
export const DEAD_AFTER_SECONDS = 30;

/** Registers this process, so that others can tell when it dies. */
export async function registerInstance(database: OpenDatabase, clock: Clock, instanceId: string): Promise<void> {
  const now = nowSeconds(clock);
  await database.db.insertInto("instances").values({ id: instanceId, started_at: now, beat_at: now }).execute();
}

/** Tells the others that this process lives. */
export async function beatInstance(database: OpenDatabase, clock: Clock, instanceId: string): Promise<void> {
  await database.db
    .updateTable("instances")
    .set({ beat_at: nowSeconds(clock) })
    .where("id", "=", instanceId)
    .execute();
}

/** Removes this process after its last reservation is settled. */
export async function unregisterInstance(database: OpenDatabase, instanceId: string): Promise<void> {
  await database.db.deleteFrom("instances").where("id", "=", instanceId).execute();
}

/** Processes that died this long ago have nothing open any more, in seconds. */
const FORGOTTEN_AFTER_SECONDS = 24 * 60 * 60;

/** Removes the rows of processes that died long ago. */
export async function forgetDeadInstances(database: OpenDatabase, clock: Clock): Promise<void> {
  await database.db
    .deleteFrom("instances")
    .where("beat_at", "<", nowSeconds(clock) - FORGOTTEN_AFTER_SECONDS)
    .execute();
}
