import type { Tables } from "../tables.ts";

type View = "user_balances" | "token_balances" | "budget_uses";

export type BackupTable = Exclude<keyof Tables, View>;

/** Every table, each after those that its rows refer to. `schema_migrations` is missing: `migrate` writes it. */
export const BACKUP_TABLES = [
  "users",
  "channels",
  "tokens",
  "budgets",
  "saved_views",
  "default_views",
  "sessions",
  "login_failures",
  "totp_factors",
  "recovery_codes",
  "passkeys",
  "login_steps",
  "email_codes",
  "oauth_states",
  "idempotent_answers",
  "management_keys",
  "invitations",
  "request_counts",
  "outbox",
  "pending_alerts",
  "price_lists",
  "alert_states",
  "alert_receivers",
  "alert_rules",
  "alert_deliveries",
  "known_identities",
  "channel_keys",
  "channel_decisions",
  "channel_models",
  "redemptions",
  "options",
  "owners",
  "servers",
  "shares",
  "checkpoints",
  "budget_windows",
  "ledger_entries",
  "batches",
  "stored_objects",
  "stored_bodies",
  "audit",
  "audit_seals",
  "audit_checks",
  "log_changes",
  "cleared_usage",
  "logs",
] as const satisfies readonly BackupTable[];

const PAGE_ROWS = 500;
/** Tables with texts of up to several MB. */
const LONG_ROWS: ReadonlySet<BackupTable> = new Set(["stored_bodies", "batches", "price_lists", "audit_seals"]);
const LONG_PAGE_ROWS = 4;

/** Rows that are in memory at once. */
export function pageRowsOf(table: BackupTable): number {
  return LONG_ROWS.has(table) ? LONG_PAGE_ROWS : PAGE_ROWS;
}

export const OWNER_SEQUENCE = "owner_ids";
