import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation } from "@one-api/database/open-database";
import { sql } from "kysely";

/** Declares gateways that were killed dead, as another one does after half a minute. The next start recovers them. */
export async function forgetDeadGateways(location: DatabaseLocation): Promise<void> {
  const database = await connectDatabase(location);
  await sql`update owners set epoch = epoch + 1, state = 'dead' where state = 'live'`.execute(database.db);
  await database.close();
}
