import { setTimeout as wait } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";

/** A running server sends a heartbeat at least this often, in ms. */
const HEARTBEAT_MS = 6_000;

/** True if a server runs on a PostgreSQL database. */
export async function hasRunningServer({ kind, db }: OpenDatabase): Promise<boolean> {
  if (kind === "sqlite") return false;
  const readHeartbeats = () =>
    db.selectFrom("owners").select(["id", "heartbeat"]).where("state", "=", "live").execute();
  const before = new Map((await readHeartbeats()).map(({ id, heartbeat }) => [id, heartbeat]));
  if (before.size === 0) return false;
  // The row of a killed server stays for half a minute; only a running one changes its heartbeat.
  await wait(HEARTBEAT_MS);
  return (await readHeartbeats()).some(({ id, heartbeat }) => before.get(id) !== heartbeat);
}
