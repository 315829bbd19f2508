import type { Queryable } from "../core/transaction.ts";

/** True while the reservation is not settled: what settles it takes its row away in the same commit. */
export async function isHeld(queryable: Queryable, requestId: string): Promise<boolean> {
  const query = queryable.selectFrom("relay_holds").select("request_id").where("request_id", "=", requestId);
  return (await query.executeTakeFirst()) !== undefined;
}
