import { LOG_TYPE } from "@one-api/contract/logs/log";
import { DatabaseStartError } from "@one-api/database/database-errors";
import type { ForeignDatabase, ForeignRow } from "@one-api/database/foreign/foreign-database";
import { openForeignDatabase } from "@one-api/database/foreign/open-foreign-database";
import { findUnreadParts, type UnreadPart } from "./find-unread-parts.ts";
import { ImportError } from "./import-error.ts";

export type OldProduct = "One API" | "new-api";

/** Tables of an old server, without its log. */
export interface OldServer {
  readonly product: OldProduct;
  readonly users: readonly ForeignRow[];
  readonly tokens: readonly ForeignRow[];
  readonly channels: readonly ForeignRow[];
  readonly redemptions: readonly ForeignRow[];
  readonly options: readonly ForeignRow[];
  readonly apps: readonly ForeignRow[];
  readonly unread: readonly UnreadPart[];
}

export interface OpenOldServer {
  readonly server: OldServer;
  /** Pages of the log, oldest entry first; undefined without a log. */
  readonly log: AsyncIterable<readonly ForeignRow[]> | undefined;
  /** Returns the last charges of the log, the newest first. */
  lastCharges(count: number): Promise<readonly ForeignRow[]>;
  close(): Promise<void>;
}

/** The form in which the old servers read the address of MySQL, in SQL_DSN. */
const GO_ADDRESS = /@(?:tcp|unix)\(/i;

const LOG_COLUMNS = [
  "user_id",
  "created_at",
  "type",
  "content",
  "username",
  "token_name",
  "model_name",
  "quota",
  "prompt_tokens",
  "completion_tokens",
  "channel_id",
  "request_id",
  "elapsed_time",
  "use_time",
  "is_stream",
];
const ENTRIES_PER_PAGE = 2_000;
const CHARGE_COLUMNS = [
  "user_id",
  "content",
  "model_name",
  "quota",
  "prompt_tokens",
  "completion_tokens",
  "channel_id",
  "group",
  "other",
];

/**
 * Opens the database of an old server, a SQLite file, `postgres://…` or `mysql://…`, and reads all tables but the log. `logSource` is the log's own database, if it has
 * one. Throws ImportError or DatabaseStartError if one cannot be read or belongs to another program.
 */
export async function openOldServer(source: string, logSource?: string): Promise<OpenOldServer> {
  const database = await openSource(source);
  const opened = [database];
  const close = async () => {
    for (const each of opened) await each.close();
  };
  try {
    const server = await readServer(database);
    if (logSource === undefined) return { server, ...(await openLog(database)), close };
    const other = await openSource(logSource);
    opened.push(other);
    const opensLog = await openLog(other);
    if (opensLog.log !== undefined) return { server, ...opensLog, close };
    throw new ImportError("There is no log of One API or new-api in the database that --log names.");
  } catch (error) {
    await close();
    throw error;
  }
}

async function readServer(database: ForeignDatabase): Promise<OldServer> {
  const product = await findProduct(database);
  const tables = {
    users: await database.rowsOf("users", "id"),
    tokens: await database.rowsOf("tokens", "id"),
    channels: await database.rowsOf("channels", "id"),
    redemptions: await rowsIfThere(database, "redemptions", "id"),
  };
  return {
    product,
    ...tables,
    options: await rowsIfThere(database, "options", "key"),
    apps: await rowsIfThere(database, "two_fas", "id"),
    unread: await findUnreadParts(database, tables),
  };
}

async function openSource(source: string): Promise<ForeignDatabase> {
  if (GO_ADDRESS.test(source))
    throw new ImportError(
      "Write the address of MySQL as mysql://user:password@host:3306/database, with a password's @ as %40, : as %3A, / as %2F, # as %23 and % as %25.",
    );
  return openForeignDatabase(source);
}

async function openLog(database: ForeignDatabase): Promise<Pick<OpenOldServer, "log" | "lastCharges">> {
  const columns = await database.columnsOf("logs");
  const isLog = ["id", "user_id", "created_at", "type", "quota"].every((column) => columns.includes(column));
  if (!isLog) return { log: undefined, lastCharges: async () => [] };
  return {
    log: database.pagesOf("logs", { key: "id", columns: LOG_COLUMNS, size: ENTRIES_PER_PAGE }),
    lastCharges: (count) =>
      database.lastOf(
        "logs",
        { key: "id", columns: CHARGE_COLUMNS, size: count },
        { column: "type", value: LOG_TYPE.consumption },
      ),
  };
}

async function rowsIfThere(database: ForeignDatabase, table: string, order: string): Promise<readonly ForeignRow[]> {
  return (await database.columnsOf(table)).length === 0 ? [] : database.rowsOf(table, order);
}

/** Distinguishes the products by columns that only new-api has. Throws for a database of another program. */
async function findProduct(database: ForeignDatabase): Promise<OldProduct> {
  if ((await database.columnsOf("schema_migrations")).includes("checksum"))
    throw new ImportError(
      "This is a database of this very program, not of One API or new-api. To move it, copy it together with secret.key; see docs/configuration.md.",
    );
  const [users, tokens, channels] = [
    await database.columnsOf("users"),
    await database.columnsOf("tokens"),
    await database.columnsOf("channels"),
  ];
  const isOne = ["id", "username", "password", "quota"].every((column) => users.includes(column));
  const hasKeys = [tokens, channels].every((columns) => columns.includes("id") && columns.includes("key"));
  if (!isOne || !hasKeys)
    throw new DatabaseStartError(
      "This is no database of One API or new-api: it has not their tables users, tokens and channels.",
    );
  if (["only_chat", "proxy"].some((column) => channels.includes(column)))
    throw new ImportError(
      "This is a database of one-hub, whose kinds of channels have other numbers: it cannot be read.",
    );
  return tokens.includes("model_limits_enabled") || channels.includes("auto_ban") ? "new-api" : "One API";
}
