import type { OpenDatabase, RunStatement } from "@one-api/database/open-database";
import { isOfDeadInstance } from "../instance.ts";
import { returnLeases } from "./lease-statements.ts";

/** Most leases that are looked at at once. */
const BATCH = 200;

/** Gives back what processes that died had set aside in advance; after their requests are settled, which may need some of it. For PostgreSQL alone. */
export async function recoverLeases(database: OpenDatabase, statement: RunStatement): Promise<void> {
  for (;;) {
    const found = await database.db
      .selectFrom("quota_leases")
      .select(["instance_id", "user_id", "token_id", "token_amount"])
      .where(isOfDeadInstance(database.kind))
      .orderBy("instance_id")
      .limit(BATCH)
      .execute();
    const instanceId = found[0]?.instance_id;
    if (instanceId === undefined) return;
    const ofOne = found.filter(({ instance_id }) => instance_id === instanceId);
    const ofUsers = new Map(ofOne.map((row) => [row.user_id, row]));
    const returns = [...ofUsers.values()].map((row) => ({
      userId: row.user_id,
      tokenId: row.token_id,
      tokenUnlimited: row.token_amount === 0,
      amount: undefined,
    }));
    await returnLeases(statement, instanceId, returns, "alone");
  }
}
