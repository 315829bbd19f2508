import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import { type RawBuilder, sql } from "kysely";

const STEP = 500;

const DELIVERY_SECONDS = 30 * 86_400;
/** An alert that waits so long is of a later release, which serves no more. */
const PENDING_SECONDS = 7 * 86_400;

interface ExpiringTable {
  readonly table: keyof Tables;
  readonly keys: readonly string[];
  readonly isOver: (now: number) => RawBuilder<boolean>;
}

const after = (column: string) => (now: number) => sql<boolean>`${sql.ref(column)} <= ${now}`;

const ALERT_TABLES = [
  ["users", ["user-quota"]],
  ["channels", ["channel-asleep", "channel-balance"]],
  ["channel_keys", ["channel-key-balance"]],
  ["alert_rules", ["alert-rule"]],
] as const;

/** Rows that mean nothing after a time, or without the row that they are about. */
const EXPIRING: readonly ExpiringTable[] = [
  { table: "sessions", keys: ["id_hash"], isOver: after("expires_at") },
  { table: "login_steps", keys: ["id_hash"], isOver: after("expires_at") },
  { table: "oauth_states", keys: ["state_hash"], isOver: after("expires_at") },
  { table: "email_codes", keys: ["purpose", "email", "requester"], isOver: after("expires_at") },
  { table: "request_counts", keys: ["subject"], isOver: after("ends_at") },
  { table: "idempotent_answers", keys: ["user_id", "key_hash"], isOver: after("expires_at") },
  {
    table: "alert_deliveries",
    keys: ["id"],
    isOver: (now) => sql<boolean>`status <> 'waiting' and created_at <= ${now - DELIVERY_SECONDS}`,
  },
  { table: "pending_alerts", keys: ["id"], isOver: (now) => after("created_at")(now - PENDING_SECONDS) },
  ...ALERT_TABLES.map(([table, kinds]) => ({
    table: "alert_states" as const,
    keys: ["kind", "id"],
    isOver: () =>
      sql<boolean>`kind in (${sql.join([...kinds])}) and not exists (select 1 from ${sql.table(table)} as of where of.id = alert_states.id)`,
  })),
];

/** Removes rows that are over, in small steps. `now` in Unix seconds. */
export async function forgetExpiredRows({ db }: OpenDatabase, now: number, isStopping: () => boolean): Promise<void> {
  for (const { table, keys, isOver } of EXPIRING) {
    const key = sql`(${sql.join(keys.map((name) => sql.ref(name)))})`;
    let removed = STEP;
    while (removed === STEP && !isStopping()) {
      const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${key} in (
        select ${sql.join(keys.map((name) => sql.ref(name)))} from ${sql.table(table)} where ${isOver(now)} limit ${STEP})
        and ${isOver(now)}`.execute(db);
      removed = Number(numAffectedRows ?? 0);
    }
  }
}
