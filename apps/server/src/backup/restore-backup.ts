import { existsSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { type BackupHeader, readBackupHeader } from "@one-api/database/backup/backup-file";
import { emptyPostgres, postgresLoader, type RowLoader, sqliteLoader } from "@one-api/database/backup/load-rows";
import { replaceSqliteFile } from "@one-api/database/backup/replace-sqlite-file";
import { connectDatabase } from "@one-api/database/connect-database";
import {
  findRealFile,
  lockDataDirectory,
  prepareDataDirectory,
  SQLITE_FILE,
} from "@one-api/database/dialects/sqlite-folder";
import { migrate } from "@one-api/database/migrate";
import { allMigrations } from "@one-api/database/migrations/all-migrations";
import type { OpenDatabase } from "@one-api/database/open-database";
import { absorbOwners } from "@one-api/ledger/recover";
import { checkBalances } from "@one-api/ledger/check-balances";
import { sql } from "kysely";
import { type Config, StartError } from "../config.ts";
import { hasRunningServer } from "../core/running-server.ts";
import { openStoredSecrets } from "../open-secrets.ts";
import { type OnProgress, readPages } from "./backup-pages.ts";

export interface RestoreRequest {
  readonly file: string;
  readonly replace: boolean;
  readonly onProgress: OnProgress;
}

export interface Restored {
  readonly header: BackupHeader;
  readonly keyFits: boolean;
}

/** Folder in DATA_DIR in which a SQLite file is filled before it takes its place. */
const RESTORE_FOLDER = "one-api.restore";

/**
 * Brings the rows of a backup into an empty database, all or none. Throws BackupFileError, StartError and DatabaseStartError
 * for the operator.
 */
export async function restoreBackup(config: Config, request: RestoreRequest): Promise<Restored> {
  const header = await readBackupHeader(request.file);
  const newest = allMigrations.at(-1)?.number ?? 0;
  if (header.schema > newest)
    throw new StartError(
      `The backup is of a newer version: its last migration is ${header.schema}, this program's is ${newest}. Restore it with version ${header.program} or newer.`,
    );
  const keyFits = config.databaseUrl === "" ? restoreSqlite : restorePostgres;
  return { header, keyFits: await keyFits(config, header, request) };
}

async function restoreSqlite(config: Config, header: BackupHeader, request: RestoreRequest): Promise<boolean> {
  const { dataDirectory } = config;
  prepareDataDirectory(dataDirectory);
  const file = findRealFile(path.join(dataDirectory, SQLITE_FILE));
  const unlock = lockDataDirectory(path.dirname(file));
  const folder = path.join(path.dirname(file), RESTORE_FOLDER);
  try {
    if (!request.replace && existsSync(file) && statSync(file).size > 0) throw notEmpty(`DATA_DIR (${file})`);
    rmSync(folder, { recursive: true, force: true });
    const database = await connectDatabase({ databaseUrl: "", dataDirectory: folder });
    let keyFits: boolean;
    try {
      await migrateTo(database, header);
      await loadAll(sqliteLoader(database), header, request);
      await absorbOwners(database);
      await migrate(database);
      await refuseNewDifferences(database, header);
      keyFits = await opensWith(config, database);
    } finally {
      await database.close();
    }
    replaceSqliteFile(dataDirectory, path.join(folder, SQLITE_FILE));
    return keyFits;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    unlock();
  }
}

async function restorePostgres(config: Config, header: BackupHeader, request: RestoreRequest): Promise<boolean> {
  const database = await connectDatabase(config);
  try {
    await migrateTo(database, header);
    if (await hasRunningServer(database))
      throw new StartError(
        "A server runs on this database, or ended less than a minute ago. Stop it, and try again then.",
      );
    await database.migrationDb.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = 0`.execute(transaction);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
      const user = await transaction.selectFrom("users").select("id").limit(1).executeTakeFirst();
      const option = await transaction.selectFrom("options").select("key").limit(1).executeTakeFirst();
      if (!request.replace && (user ?? option) !== undefined) throw notEmpty("DATABASE_URL");
      await emptyPostgres(transaction);
      await loadAll(postgresLoader(transaction), header, request);
      await refuseNewDifferences({ db: transaction }, header);
    });
    await migrate(database);
    return await opensWith(config, database);
  } finally {
    await database.close();
  }
}

function notEmpty(where: string): StartError {
  return new StartError(
    `The database of ${where} is not empty. Name an empty one, or add --replace to delete all that is in it.`,
  );
}

async function migrateTo(database: OpenDatabase, { schema }: BackupHeader): Promise<void> {
  await migrate(
    database,
    allMigrations.filter(({ number }) => number <= schema),
  );
}

async function loadAll(loader: RowLoader, header: BackupHeader, { file, onProgress }: RestoreRequest): Promise<void> {
  for await (const { table, columns, rows } of readPages(file, header, onProgress)) {
    await (rows.length === 0 ? loader.clear(table) : loader.load(table, columns, rows));
  }
  await loader.finish(new Map(Object.entries(header.sequences)));
}

/** A backup of a database with wrong balances is restored as it was. */
async function refuseNewDifferences(database: Pick<OpenDatabase, "db">, header: BackupHeader): Promise<void> {
  const differences = await checkBalances(database);
  if (differences.length > header.differences)
    throw new StartError(
      `${differences.length} balances of the backup differ from its ledger, and ${header.differences} did when it was made. Nothing was restored. Use another backup.`,
    );
}

async function opensWith(config: Config, database: OpenDatabase): Promise<boolean> {
  try {
    await openStoredSecrets(config, database);
    return true;
  } catch (error) {
    if (error instanceof StartError) return false;
    throw error;
  }
}
