import { DatabaseStartError } from "@one-api/database/database-errors";
import { type ForeignDatabase, type ForeignRow, openForeignDatabase } from "@one-api/database/foreign-database";
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
  /** Authenticator apps, of new-api only. */
  readonly apps: readonly ForeignRow[];
}

export interface OpenOldServer {
  readonly server: OldServer;
  /** Pages of the log, oldest entry first; undefined without a log. */
  readonly log: AsyncIterable<readonly ForeignRow[]> | undefined;
  close(): Promise<void>;
}

const MYSQL = /^mysql:|@tcp\(|@unix\(/i;

/** Columns of either product. */
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

/**
 * Opens the database of an old server, a SQLite file or `postgres://…`, and reads all tables but the log. `logSource` is the log's own database, if it has
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
    if (logSource === undefined) return { server, log: await openLog(database), close };
    const other = await openSource(logSource);
    opened.push(other);
    const log = await openLog(other);
    if (log !== undefined) return { server, log, close };
    throw new ImportError("There is no log of One API or new-api in the database that --log names.");
  } catch (error) {
    await close();
    throw error;
  }
}

async function readServer(database: ForeignDatabase): Promise<OldServer> {
  return {
    product: await findProduct(database),
    users: await database.rowsOf("users", "id"),
    tokens: await database.rowsOf("tokens", "id"),
    channels: await database.rowsOf("channels", "id"),
    redemptions: await rowsIfThere(database, "redemptions", "id"),
    options: await rowsIfThere(database, "options", "key"),
    apps: await rowsIfThere(database, "two_fas", "id"),
  };
}

async function openSource(source: string): Promise<ForeignDatabase> {
  if (MYSQL.test(source))
    throw new ImportError(
      "MySQL cannot be read directly. Copy the database into a SQLite file first, for example with the tool mysql-to-sqlite3 (pip install mysql-to-sqlite3): mysql2sqlite -f old.db -d DATABASE -u USER -p -h HOST. Then name old.db here.",
    );
  return openForeignDatabase(source);
}

async function openLog(database: ForeignDatabase): Promise<OpenOldServer["log"]> {
  const columns = await database.columnsOf("logs");
  const isLog = ["id", "user_id", "created_at", "type", "quota"].every((column) => columns.includes(column));
  return isLog ? database.pagesOf("logs", { key: "id", columns: LOG_COLUMNS, size: ENTRIES_PER_PAGE }) : undefined;
}

async function rowsIfThere(database: ForeignDatabase, table: string, order: string): Promise<readonly ForeignRow[]> {
  return (await database.columnsOf(table)).length === 0 ? [] : database.rowsOf(table, order);
}

/** Tells the products apart by columns that only new-api has. Throws for a database of another program. */
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
