import { OPTION_KEYS } from "@one-api/contract/options/option-definitions";
import type { Tables } from "@one-api/database/tables";
import { sql } from "kysely";
import { placeOf, type SecretPurpose } from "../core/secrets.ts";
import type { Queryable } from "../core/transaction.ts";
import { isSecretOption } from "../features/options/index.ts";

export interface SealedColumn {
  readonly table: keyof Tables;
  readonly column: string;
  readonly purpose: SecretPurpose;
  readonly keys: readonly string[];
  readonly name?: string;
}

/** Every column that the master key encrypts. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: "channels", column: "key_cipher", purpose: "channel-key", keys: ["id"], name: "name" },
  { table: "channels", column: "config_cipher", purpose: "channel-config", keys: ["id"], name: "name" },
  { table: "channels", column: "proxy_cipher", purpose: "channel-proxy", keys: ["id"], name: "name" },
  { table: "channel_keys", column: "key_cipher", purpose: "channel-key", keys: ["id"], name: "key_end" },
  { table: "options", column: "value", purpose: "option", keys: ["key"] },
  { table: "tokens", column: "key_cipher", purpose: "token-key", keys: ["id"], name: "name" },
  { table: "redemptions", column: "key_cipher", purpose: "redemption-code", keys: ["id"], name: "name" },
  { table: "invitations", column: "code_cipher", purpose: "invitation", keys: ["id"], name: "name" },
  { table: "alert_receivers", column: "address_cipher", purpose: "receiver-address", keys: ["id"], name: "name" },
  { table: "alert_receivers", column: "secret_cipher", purpose: "receiver-secret", keys: ["id"], name: "name" },
  { table: "totp_factors", column: "key_cipher", purpose: "totp-key", keys: ["user_id"] },
  {
    table: "idempotent_answers",
    column: "answer_cipher",
    purpose: "idempotent-answer",
    keys: ["user_id", "key_hash"],
  },
];

export interface SealedRow {
  readonly keys: readonly (string | number)[];
  readonly sealed: string;
  readonly place: string;
}

type Row = Readonly<Record<string, string | number>>;

const ROWS_AT_ONCE = 200;
const SECRET_OPTIONS = OPTION_KEYS.filter(isSecretOption);

/** Yields all rows with a text in the column, a page at a time. */
export async function* listSealedRows(queryable: Queryable, from: SealedColumn): AsyncGenerator<readonly SealedRow[]> {
  const { table, column, keys, name } = from;
  const keyList = sql.join(keys.map((key) => sql.ref(key)));
  const isSecret = table === "options" ? sql`and key in (${sql.join(SECRET_OPTIONS)})` : sql``;
  let behind = sql``;
  for (;;) {
    const { rows } = await sql<Row>`
      select ${keyList}, ${sql.ref(column)} as sealed, ${name === undefined ? sql.lit("") : sql.ref(name)} as place
      from ${sql.table(table)} where ${sql.ref(column)} <> '' ${isSecret} ${behind}
      order by ${keyList} limit ${ROWS_AT_ONCE}`.execute(queryable);
    const page = rows.map((row) => {
      const values = keys.map((key) => row[key] ?? "");
      return {
        keys: values,
        sealed: String(row["sealed"]),
        place: placeOf(table, values[0] ?? "", String(row["place"])),
      };
    });
    yield page;
    const last = page.at(-1);
    if (last === undefined) return;
    behind = sql`and (${keyList}) > (${sql.join(last.keys)})`;
  }
}

/** Replaces the text unless it has changed since it was read. Returns whether it was replaced. */
export async function replaceSealed(
  queryable: Queryable,
  { table, column, keys }: SealedColumn,
  row: SealedRow,
  anew: string,
): Promise<boolean> {
  const isRow = sql.join(
    keys.map((key, index) => sql`${sql.ref(key)} = ${row.keys[index]}`),
    sql` and `,
  );
  const { numAffectedRows } = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${anew}
    where ${isRow} and ${sql.ref(column)} = ${row.sealed}`.execute(queryable);
  return numAffectedRows === 1n;
}
