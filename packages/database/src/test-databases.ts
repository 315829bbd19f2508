import { copyFileSync } from "node:fs";
import path from "node:path";
import { after, describe } from "node:test";
import { migrate } from "./migrate.ts";
import { connectDatabase } from "./connect-database.ts";
import type { DatabaseLocation, OpenDatabase } from "./open-database.ts";
import { SQLITE_FILE } from "./dialects/sqlite-folder.ts";
import {
  createPostgresDatabase,
  dropPostgresDatabase,
  findPostgresTemplate,
  postgresMissing,
} from "./testing/postgres-test-server.ts";
import { removeTemporaryFolder, temporaryFolder } from "./testing/temporary-folder.ts";

export type DatabaseKind = OpenDatabase["kind"];

export const DATABASE_KINDS: readonly DatabaseKind[] = ["sqlite", "postgres"];

export interface TestDatabase {
  readonly kind: DatabaseKind;
  /** For `connectDatabase`, or as DATABASE_URL and DATA_DIR of a server. */
  readonly location: DatabaseLocation;
  /** Removes it; close it first. The end of the process removes all. */
  remove(): Promise<void>;
}

/**
 * Returns why this machine lacks databases of the kind, for the person who runs the tests; undefined if it has them.
 */
export function whyMissing(kind: DatabaseKind): string | undefined {
  return kind === "postgres" ? postgresMissing() : undefined;
}

/** Creates an empty database: a temporary folder, or a database on the test server, which the first call starts. */
export function createTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  return kind === "sqlite" ? createOnSqlite() : createOnPostgres();
}

async function createOnSqlite(): Promise<TestDatabase> {
  const folder = temporaryFolder("one-api-data-");
  return {
    kind: "sqlite",
    location: { databaseUrl: "", dataDirectory: folder },
    remove: async () => removeTemporaryFolder(folder),
  };
}

async function createOnPostgres(template?: string): Promise<TestDatabase> {
  const folder = temporaryFolder("one-api-data-");
  const databaseUrl = await createPostgresDatabase(template);
  return {
    kind: "postgres",
    location: { databaseUrl, dataDirectory: folder },
    remove: async () => {
      await dropPostgresDatabase(databaseUrl);
      removeTemporaryFolder(folder);
    },
  };
}

let sqliteTemplate: Promise<string> | undefined;

/** Creates a migrated database as a copy of a cached one: migrating takes longer than many tests. */
export async function createMigratedDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  if (kind === "postgres") {
    const template = await findPostgresTemplate((databaseUrl) => migrateDatabase({ databaseUrl, dataDirectory: "" }));
    const made = await createOnPostgres(template);
    if (template === undefined) await migrateDatabase(made.location);
    return made;
  }
  sqliteTemplate ??= createOnSqlite().then(async ({ location }) => {
    await migrateDatabase(location);
    return path.join(location.dataDirectory, SQLITE_FILE);
  });
  const [template, made] = [await sqliteTemplate, await createOnSqlite()];
  copyFileSync(template, path.join(made.location.dataDirectory, SQLITE_FILE));
  return made;
}

export async function migrateDatabase(location: DatabaseLocation): Promise<void> {
  const database = await connectDatabase(location);
  await migrate(database);
  await database.close();
}

/** Creates and opens a migrated database; `close` also removes it. */
export async function openTestDatabase(kind: DatabaseKind): Promise<OpenDatabase> {
  const made = await createMigratedDatabase(kind);
  const database = await connectDatabase(made.location);
  return {
    ...database,
    close: async () => {
      await database.close();
      await made.remove();
    },
  };
}

/**
 * Runs a suite on SQLite and on PostgreSQL, which is skipped if missing. Each `open` returns a new migrated database,
 * closed and removed after the suite.
 */
export function eachDatabase(suite: (open: () => Promise<OpenDatabase>, kind: DatabaseKind) => void): void {
  for (const kind of DATABASE_KINDS) {
    describe(`on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
      const opened: OpenDatabase[] = [];
      suite(async () => {
        const database = await openTestDatabase(kind);
        opened.push(database);
        return database;
      }, kind);
      after(async () => {
        for (const database of opened) await database.close();
      });
    });
  }
}
