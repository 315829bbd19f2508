import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";

/** The longest period, twice, in seconds: requests that began in a window have long ended. */
const RETENTION_SECONDS = 62 * 86_400;

/** Removes budget windows that are over or whose budget was removed, with their accounts. */
export async function forgetOldWindows({ db }: OpenDatabase): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: number }>`
      delete from budget_windows where id in (
        select old.id from budget_windows as old
        where old.window_start < (select coalesce(max(created_at), 0) from logs where id = (select max(id) from logs)) - ${RETENTION_SECONDS}
          and not exists (select 1 from budgets where budgets.id = old.budget_id and old.id = (
            select max(newest.id) from budget_windows as newest where newest.budget_id = old.budget_id)))
      returning id`.execute(transaction);
    for (const { id } of rows) await sql`delete from shares where kind = 3 and account = ${id}`.execute(transaction);
  });
}
