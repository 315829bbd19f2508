import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation } from "@one-api/database/open-database";

/** Where several gateways may share a database, a dead one is waited for; nobody waits here. */
export async function forgetDeadGateways(location: DatabaseLocation): Promise<void> {
  const database = await connectDatabase(location);
  await database.db.updateTable("instances").set({ beat_at: 0 }).execute();
  await database.close();
}
