import type { ForeignDatabase, ForeignRow } from "@one-api/database/foreign/foreign-database";

/** Table or column with values that are not imported. */
export interface UnreadPart {
  readonly kind: "table" | "column";
  readonly name: string;
  readonly rows: number;
}

/** Tables that are read, and those that repeat others: the models of groups, sums of the log, progress of migrations. */
const KNOWN_TABLES = new Set(
  "users tokens channels redemptions options two_fas logs abilities quota_data migrations setups".split(" "),
);

type ReadTable = "users" | "tokens" | "channels" | "redemptions";

/** Columns that are read, and those that repeat others. */
const KNOWN_COLUMNS: Readonly<Record<ReadTable, string>> = {
  users: `id username password display_name role status email github_id lark_id wechat_id oidc_id access_token quota used_quota request_count group
    aff_code inviter_id created_at deleted_at aff_quota aff_count aff_history`,
  tokens: `id user_id key status name created_time accessed_time expired_time remain_quota unlimited_quota used_quota models subnet rpm_limit dpm_limit
    tpm_limit email custom_contact moderations_enable model_limits_enabled model_limits allow_ips group deleted_at`,
  channels: `id type key status name weight created_time test_time response_time base_url other balance balance_updated_time models group used_quota
    model_mapping priority config system_prompt openai_organization organization soft_limit_usd tag test_model setting param_override header_override
    status_code_mapping channel_info`,
  redemptions: "id user_id key status name quota created_time redeemed_time used_user_id expired_time deleted_at",
};

/** Values that mean none. */
const EMPTY = new Set(["", "0", "f", "false", "{}", "[]", "null"]);
/** Other defaults. new-api disables channels automatically if `auto_ban` is 1, as this product does. */
const DEFAULTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([["channels.auto_ban", new Set(["", "1"])]]);

/** Returns the tables and columns with values that are not imported, so that the report names them. */
export async function findUnreadParts(
  database: ForeignDatabase,
  tables: Readonly<Record<ReadTable, readonly ForeignRow[]>>,
): Promise<UnreadPart[]> {
  const found: UnreadPart[] = [];
  for (const name of await database.tables()) {
    const rows = KNOWN_TABLES.has(name) ? 0 : await database.countRows(name);
    if (rows > 0) found.push({ kind: "table", name, rows });
  }
  for (const table of ["users", "tokens", "channels", "redemptions"] as const)
    found.push(...unreadColumns(table, tables[table]));
  return found;
}

function unreadColumns(table: ReadTable, rows: readonly ForeignRow[]): UnreadPart[] {
  const known = new Set(KNOWN_COLUMNS[table].split(/\s+/));
  const columns = Object.keys(rows[0] ?? {}).filter((column) => !known.has(column));
  return columns.flatMap((column) => {
    const name = `${table}.${column}`;
    const empty = DEFAULTS.get(name) ?? EMPTY;
    const count = rows.filter((row) => !empty.has((row[column] ?? "").trim())).length;
    return count === 0 ? [] : [{ kind: "column" as const, name, rows: count }];
  });
}
