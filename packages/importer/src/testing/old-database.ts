import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation } from "@one-api/database/open-database";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import { hashSync } from "bcryptjs";
import { sql } from "kysely";
import { NEW_API_ON_MYSQL, ONE_API_ON_MYSQL } from "./old-mysql-tables.ts";

/** Rows of an old server by table. */
export type OldRows = Readonly<Record<string, readonly Readonly<Record<string, string | number | boolean | null>>[]>>;

type OldProductName = "one-api" | "new-api";

/** Tables of One API 0.6, and those of new-api that differ. */
const ONE_API = {
  users: `id integer primary key, username text unique, password text not null, display_name text, role integer default 1, status integer default 1,
    email text, github_id text, wechat_id text, lark_id text, oidc_id text, access_token char(32), quota bigint default 0, used_quota bigint default 0,
    request_count integer default 0, "group" varchar(32) default 'default', aff_code varchar(32), inviter_id integer`,
  tokens: `id integer primary key, user_id integer, "key" char(48), status integer default 1, name text, created_time bigint, accessed_time bigint,
    expired_time bigint default -1, remain_quota bigint default 0, unlimited_quota boolean default false, used_quota bigint default 0, models text, subnet text`,
  channels: `id integer primary key, type integer default 0, "key" text, status integer default 1, name text, weight integer default 0, created_time bigint,
    test_time bigint, response_time integer, base_url text default '', other text, balance real, balance_updated_time bigint, models text,
    "group" varchar(32) default 'default', used_quota bigint default 0, model_mapping text default '', priority bigint default 0, config text, system_prompt text`,
  redemptions: `id integer primary key, user_id integer, "key" char(32), status integer default 1, name text, quota bigint default 100, created_time bigint,
    redeemed_time bigint`,
  options: `"key" varchar(255) primary key, value text`,
  abilities: `"group" varchar(32), model text, channel_id integer, enabled boolean, priority bigint`,
  logs: `id integer primary key, user_id integer, created_at bigint, type integer, content text, username text default '', token_name text default '',
    model_name text default '', quota bigint default 0, prompt_tokens integer default 0, completion_tokens integer default 0, channel_id integer,
    request_id text default '', elapsed_time bigint default 0, is_stream boolean default false, system_prompt_reset boolean default false`,
};
const NEW_API = {
  ...ONE_API,
  users: `${ONE_API.users}, aff_count integer, aff_quota integer default 0, deleted_at text, linux_do_id text, discord_id text,
    created_at bigint`,
  tokens: `id integer primary key, user_id integer, "key" char(48), status integer default 1, name text, created_time bigint, accessed_time bigint,
    expired_time bigint default -1, remain_quota bigint default 0, unlimited_quota boolean, model_limits_enabled boolean, model_limits text, allow_ips text,
    used_quota bigint default 0, "group" text, deleted_at text`,
  channels: `id integer primary key, type integer default 0, "key" text, openai_organization text, test_model text, status integer default 1, name text,
    weight integer default 0, created_time bigint, base_url text default '', other text, balance real, models text, "group" varchar(64) default 'default',
    used_quota bigint default 0, model_mapping text, priority bigint default 0, auto_ban integer default 1, tag text, setting text, param_override text, header_override text,
    channel_info text`,
  logs: `id integer primary key, user_id integer, created_at bigint, type integer, content text, username text default '', token_name text default '',
    model_name text default '', quota integer default 0, prompt_tokens integer default 0, completion_tokens integer default 0, use_time integer default 0,
    is_stream boolean default false, channel_id integer, token_id integer default 0, "group" text, ip text, other text`,
  top_ups: "id integer primary key, user_id integer, amount integer, money real, trade_no text",
  two_fas: "id integer primary key, user_id integer, secret text, is_enabled boolean, deleted_at text",
  redemptions: `${ONE_API.redemptions}, used_user_id integer, deleted_at text, expired_time bigint`,
};

export const OLD_PASSWORD = "old password";

/** Hashes a password as One API does, with fewer rounds. */
export function oldHash(password = OLD_PASSWORD): string {
  return hashSync(password, 4);
}

/** The root user of an old server, unless the rows have a user 1. */
const ROOT = { id: 1, username: "root", password: oldHash("root of old"), role: 100, quota: 500_000_000_000_000 };

/** Creates the SQLite file of an old server and returns its path. */
export function createOldFile(rows: OldRows, product: OldProductName = "one-api"): string {
  const file = path.join(temporaryFolder("old-server-"), "one-api.db");
  const database = new DatabaseSync(file);
  for (const statement of statementsFor(rows, product === "new-api" ? NEW_API : ONE_API)) database.exec(statement);
  database.close();
  return file;
}

/** Fills an empty PostgreSQL database like an old server. */
export async function fillOldDatabase(location: DatabaseLocation, rows: OldRows, product: OldProductName) {
  const database = await connectDatabase(location);
  for (const statement of statementsFor(rows, product === "new-api" ? NEW_API : ONE_API))
    await sql.raw(statement).execute(database.db);
  await database.close();
}

/** Fills an empty database of MySQL like an old server. */
export async function fillOldMysql(
  database: { execute(statements: readonly string[]): Promise<void> },
  rows: OldRows,
  product: OldProductName,
) {
  const modes = "set session sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'";
  await database.execute([modes, ...statementsFor(rows, product === "new-api" ? NEW_API_ON_MYSQL : ONE_API_ON_MYSQL)]);
}

function statementsFor(rows: OldRows, tables: Readonly<Record<string, string>>): string[] {
  const users = rows["users"] ?? [];
  const all: OldRows = { ...rows, users: users.some(({ id }) => id === ROOT.id) ? users : [ROOT, ...users] };
  return [
    ...Object.entries(tables).map(([table, columns]) => `create table ${table} (${columns})`),
    ...Object.entries(all).flatMap(([table, found]) =>
      found.map((row) => {
        const columns = Object.keys(row).map((column) => `"${column}"`);
        return `insert into ${table} (${columns.join(", ")}) values (${Object.values(row).map(literal).join(", ")})`;
      }),
    ),
  ];
}

function literal(value: string | number | boolean | null): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}
