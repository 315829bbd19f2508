import { DatabaseStartError } from "./database-errors.ts";
import type { Migration } from "./migrations/migration.ts";

/** A row of the table `schema_migrations`; times in Unix seconds. */
export interface MigrationRecord {
  number: number;
  name: string;
  checksum: string;
  started_at: number;
  /** Null when it was left half done, which only somebody else's hand can do: a migration and its record are one transaction. */
  finished_at: number | null;
}

const RESTORE = "Restore the database from a backup, or start the program version that made it.";

/** Throws `DatabaseStartError` unless the records, in order of number, are the first of this program's migrations, each finished and unchanged. */
export function checkMigrationHistory(
  records: readonly MigrationRecord[],
  planned: readonly { migration: Pick<Migration, "number" | "name">; checksum: string }[],
): void {
  for (const [index, record] of records.entries()) {
    const plan = planned[index];
    if (plan === undefined) {
      throw new DatabaseStartError(
        `The database is newer than this program: it has migration ${record.number} (${record.name}), this program ends at ${planned.length}. Start the newer version, or restore a backup.`,
      );
    }
    const { number, name } = plan.migration;
    if (record.number !== number || record.name !== name) {
      throw new DatabaseStartError(
        `The database has migration ${record.number} (${record.name}) where this program has ${number} (${name}). ${RESTORE}`,
      );
    }
    if (record.finished_at === null)
      throw new DatabaseStartError(`Migration ${number} (${name}) was left half done. ${RESTORE}`);
    if (record.checksum !== plan.checksum) {
      throw new DatabaseStartError(
        `Migration ${number} (${name}) ran with other statements than this program has for it. ${RESTORE}`,
      );
    }
  }
}
