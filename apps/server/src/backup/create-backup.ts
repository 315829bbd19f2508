import { type BackupHeader, readBackupHeader, writeBackupFile } from "@one-api/database/backup/backup-file";
import { withSnapshot } from "@one-api/database/backup/snapshot";
import type { DatabaseLocation } from "@one-api/database/open-database";
import { type BalanceDifference, checkBalances } from "@one-api/ledger/check-balances";
import { type OnProgress, readPages, writeLines } from "./backup-pages.ts";

export interface BackupRequest {
  readonly file: string;
  readonly program: string;
  /** Unix time in ms. */
  readonly nowMs: number;
  readonly onProgress: OnProgress;
}

export interface Backup {
  readonly header: BackupHeader;
  readonly differences: readonly BalanceDifference[];
}

/**
 * Writes all rows of one moment into a file, beside running servers, and reads the file again to check it. Throws
 * BackupFileError and DatabaseStartError.
 */
export async function createBackup(location: DatabaseLocation, request: BackupRequest): Promise<Backup> {
  const { file, program, nowMs, onProgress } = request;
  const backup = await withSnapshot(location, async (snapshot) => {
    const differences = await checkBalances(snapshot);
    const sequences = Object.fromEntries(await snapshot.sequences());
    const counts = new Map<string, number>();
    const header = await writeBackupFile(file, writeLines(snapshot, counts, onProgress), () => ({
      program,
      database: snapshot.kind,
      schema: snapshot.schemaNumber,
      createdAt: new Date(nowMs).toISOString(),
      rows: Object.fromEntries(counts),
      sequences,
      differences: differences.length,
    }));
    return { header, differences };
  });
  await readAgain(file);
  return backup;
}

async function readAgain(file: string): Promise<void> {
  const pages = readPages(file, await readBackupHeader(file), () => undefined);
  while ((await pages.next()).done !== true);
}
