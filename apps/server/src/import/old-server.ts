import { DatabaseStartError } from "@one-api/database/database-errors";
import { type ForeignDatabase, type ForeignRow, openForeignDatabase } from "@one-api/database/foreign-database";
import { StartError } from "../config.ts";

/** The products that can be left behind. */
export type OldProduct = "One API" | "new-api";

/** Everything of an old server that may come over. */
export interface OldServer {
  readonly product: OldProduct;
  readonly users: readonly ForeignRow[];
  readonly tokens: readonly ForeignRow[];
  readonly channels: readonly ForeignRow[];
  readonly redemptions: readonly ForeignRow[];
  readonly options: readonly ForeignRow[];
  /** Authenticator apps of new-api. */
  readonly apps: readonly ForeignRow[];
}

/** An old server's database, open. */
export interface OpenOldServer {
  readonly server: OldServer;
  /** Its log, from the first entry on, some thousand at a time; undefined where it has none. */
  readonly log: AsyncIterable<readonly ForeignRow[]> | undefined;
  close(): Promise<void>;
}

const MYSQL = /^mysql:|@tcp\(|@unix\(/i;

/** What both products say of a request, and what either says beside it. */
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
 * Opens the database of an old server, a SQLite file or `postgres://…`, and reads all but its log. `logSource` is where the log is kept, if elsewhere. Throws
 * StartError or DatabaseStartError, meant for the operator, when one of them cannot be read or is another program's.
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
    throw new StartError("There is no log of One API or new-api in the database that --log names.");
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
    throw new StartError(
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

/** Which product made the database: both have the same tables, and new-api more columns. Throws for any other program's. */
async function findProduct(database: ForeignDatabase): Promise<OldProduct> {
  if ((await database.columnsOf("schema_migrations")).includes("checksum"))
    throw new StartError(
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
    throw new StartError(
      "This is a database of one-hub, whose kinds of channels have other numbers: it cannot be read.",
    );
  return tokens.includes("model_limits_enabled") || channels.includes("auto_ban") ? "new-api" : "One API";
}
