import { BACKUP_TABLES, type BackupTable } from "@one-api/database/backup/backup-tables";
import { BackupFileError, type BackupHeader, readBackupLines } from "@one-api/database/backup/backup-file";
import type { Snapshot, StoredValue } from "@one-api/database/backup/snapshot";
import { z } from "zod";

export interface BackupPage {
  readonly table: BackupTable;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly StoredValue[])[];
}

export type OnProgress = (rows: number) => void;

/** Yields the lines of a backup and counts the rows of each table in `counts`. */
export async function* writeLines(
  snapshot: Snapshot,
  counts: Map<string, number>,
  onProgress: OnProgress,
): AsyncGenerator<string> {
  let total = 0;
  for (const table of BACKUP_TABLES) {
    const columns = await snapshot.columnsOf(table);
    counts.set(table, 0);
    yield line({ table, columns });
    for await (const rows of snapshot.pagesOf(table, columns)) {
      counts.set(table, (counts.get(table) ?? 0) + rows.length);
      total += rows.length;
      onProgress(total);
      yield line(rows);
    }
  }
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

const tableLine = z.object({ table: z.enum(BACKUP_TABLES), columns: z.array(z.string()) });
const rowsLine = z.array(z.array(z.union([z.string(), z.number(), z.null()])));

/** Yields all tables, an empty page first for each. Throws BackupFileError unless the rows are those that the header counts. */
export async function* readPages(
  file: string,
  header: BackupHeader,
  onProgress: OnProgress,
): AsyncGenerator<BackupPage> {
  const counts = new Map<string, number>();
  let total = 0;
  let current: z.infer<typeof tableLine> | undefined;
  for await (const text of readBackupLines(file)) {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) {
      current = tableLine.parse(value);
      counts.set(current.table, 0);
      yield { ...current, rows: [] };
      continue;
    }
    if (current === undefined) throw new BackupFileError(`The backup ${file} has rows without a table.`);
    const rows = rowsLine.parse(value);
    counts.set(current.table, (counts.get(current.table) ?? 0) + rows.length);
    total += rows.length;
    onProgress(total);
    yield { ...current, rows };
  }
  for (const table of new Set([...counts.keys(), ...Object.keys(header.rows)])) {
    const [found, expected] = [counts.get(table) ?? 0, header.rows[table] ?? 0];
    if (found !== expected)
      throw new BackupFileError(`The backup ${file} has ${found} rows of ${table}, and its header counts ${expected}.`);
  }
}
