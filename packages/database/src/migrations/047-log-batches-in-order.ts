import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * Forgets batches of the log behind a gap, which entries removed while a later batch was made could leave on SQLite: what stood in the gap was
 * neither listed nor added up. They are made again.
 */
export const logBatchesInOrder: Migration = {
  number: 47,
  name: "log-batches-in-order",
  statements: () => [
    sql`delete from log_batches where batch > (
      select min(batch) from (select 0 as batch union all select batch from log_batches) as ended
      where not exists (select 1 from log_batches as following where following.batch = ended.batch + 1))`,
  ],
};
