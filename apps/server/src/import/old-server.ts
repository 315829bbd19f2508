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

const MYSQL = /^mysql:|@tcp\(|@unix\(/i;

/**
 * Reads the database of an old server: a SQLite file or `postgres://…`. Throws StartError or DatabaseStartError, meant for the operator, when it cannot
 * be read or is another program's.
 */
export async function readOldServer(source: string): Promise<OldServer> {
  if (MYSQL.test(source))
    throw new StartError(
      "MySQL cannot be read directly. Copy the database into a SQLite file first, for example with the tool mysql-to-sqlite3 (pip install mysql-to-sqlite3): mysql2sqlite -f old.db -d DATABASE -u USER -p -h HOST. Then name old.db here.",
    );
  const database = await openForeignDatabase(source);
  try {
    const product = await findProduct(database);
    return {
      product,
      users: await database.rowsOf("users", "id"),
      tokens: await database.rowsOf("tokens", "id"),
      channels: await database.rowsOf("channels", "id"),
      redemptions: await rowsIfThere(database, "redemptions", "id"),
      options: await rowsIfThere(database, "options", "key"),
      apps: await rowsIfThere(database, "two_fas", "id"),
    };
  } finally {
    await database.close();
  }
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
