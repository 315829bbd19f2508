import { LOG_TYPE } from "@one-api/contract/log";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../core/clock.ts";
import { DEAD_AFTER_SECONDS } from "./instance.ts";
import type { Ledger } from "./ledger.ts";

/**
 * Settles the reservations of processes that died: each is charged for what its last checkpoint says was delivered, and the rest
 * goes back. On SQLite no other process can be alive, so everything that is not this process's own is recovered at once.
 * Returns how many were settled.
 */
export async function recoverReservations(
  database: OpenDatabase,
  ledger: Ledger,
  clock: Clock,
  instanceId: string,
): Promise<number> {
  const now = nowSeconds(clock);
  const abandoned = await findAbandoned(database, instanceId, now - DEAD_AFTER_SECONDS);
  const outcomes = await Promise.all(
    abandoned.map((row) =>
      ledger.settle({
        requestId: row.request_id,
        userId: row.user_id,
        tokenId: row.token_id,
        tokenUnlimited: row.token_unlimited === 1,
        channelId: row.channel_id,
        charge: row.delivered_quota === 0 ? undefined : row.delivered_quota,
        at: now,
        log: {
          user_id: row.user_id,
          created_at: now,
          type: LOG_TYPE.consumption,
          content: "Recovered after the server stopped in the middle of this request.",
          username: row.username ?? "",
          token_name: row.token_name ?? "",
          model_name: "",
          prompt_tokens: 0,
          completion_tokens: 0,
          channel_id: row.channel_id,
          request_id: row.request_id,
          elapsed_time: 0,
          is_stream: 0,
          detail: "",
          result: "gateway-failed",
          status_code: 0,
        },
      }),
    ),
  );
  return outcomes.filter((outcome) => outcome.settled).length;
}

function findAbandoned(database: OpenDatabase, instanceId: string, lastSignOfLife: number) {
  const { db, kind } = database;
  const open = db
    .selectFrom("relay_holds")
    .leftJoin("users", "users.id", "relay_holds.user_id")
    .leftJoin("tokens", "tokens.id", "relay_holds.token_id")
    .select([
      "relay_holds.request_id",
      "relay_holds.user_id",
      "relay_holds.token_id",
      "relay_holds.token_unlimited",
      "relay_holds.delivered_quota",
      "relay_holds.channel_id",
      "users.username",
      "tokens.name as token_name",
    ])
    .where("relay_holds.instance_id", "!=", instanceId);
  if (kind === "sqlite") return open.execute();
  const alive = db.selectFrom("instances").select("id").where("beat_at", ">=", lastSignOfLife);
  return open.where("relay_holds.instance_id", "not in", alive).execute();
}
