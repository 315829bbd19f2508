import { readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { SQLITE_FILE } from "../dialects/sqlite-folder.ts";
import { createTestDatabase, type DatabaseKind, type TestDatabase } from "../test-databases.ts";

/**
 * Makes a database of the last development version. It has a user with a quota of 1,000, a token with 500 of it and a daily budget of
 * 400. A server died after it had charged 100; its other request had reserved 200 and delivered 50.
 */
export async function createDevelopmentDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const made = await createTestDatabase(kind);
  const statements = readFileSync(new URL(`development-${kind}.sql`, import.meta.url), "utf8");
  if (kind === "sqlite") {
    const database = new DatabaseSync(path.join(made.location.dataDirectory, SQLITE_FILE));
    database.exec(statements);
    database.close();
  } else {
    const client = new pg.Client({ connectionString: made.location.databaseUrl });
    await client.connect();
    await client.query(statements);
    await client.end();
  }
  return made;
}
