import { setTimeout as wait } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import { removeGroups } from "./group-texts.repository.ts";
import { BATCHES_PER_BLOCK, LEVEL } from "./log-groups.ts";

const PAUSE_MS = 5;

/**
 * Removes the groups of batches that are gone with entries that were removed: the shorter log will never make them again. One batch a
 * statement, so that requests come in between. A batch that is just being made loses its groups too and is made again.
 */
export async function removeForgottenGroups({ db }: OpenDatabase, isStopping: () => boolean): Promise<void> {
  for (const [level, perGroup] of [
    [LEVEL.batch, 1],
    [LEVEL.block, BATCHES_PER_BLOCK],
  ] as const) {
    while (!isStopping()) {
      const last = await db
        .selectFrom("log_batches")
        .select((select) => select.fn.max("batch").as("batch"))
        .executeTakeFirst();
      const forgotten = await db
        .selectFrom("log_group_texts")
        .select("batch")
        .where("level", "=", level)
        // The one after the last may be in the making.
        .where("batch", ">", Math.floor((last?.batch ?? 0) / perGroup) + 1)
        .orderBy("batch")
        .limit(1)
        .executeTakeFirst();
      if (forgotten === undefined) break;
      await removeGroups(db, level, forgotten.batch);
      await wait(PAUSE_MS);
    }
  }
}
