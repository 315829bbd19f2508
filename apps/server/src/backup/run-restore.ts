import { parseArgs } from "node:util";
import { BackupFileError } from "@one-api/database/backup/backup-file";
import { DatabaseStartError } from "@one-api/database/database-errors";
import { ConfigError, readConfig, StartError } from "../config.ts";
import { printRows } from "./print-rows.ts";
import { restoreBackup } from "./restore-backup.ts";

// npm run restore -- FILE: brings a backup into an empty database. Exit code 1 if nothing was restored.
const USAGE = `Name the backup:

  npm run restore -- /backup/one-api.backup             into DATA_DIR or DATABASE_URL, which must be empty
  npm run restore -- --replace /backup/one-api.backup   deletes all that is there first`;

try {
  await run();
} catch (error) {
  const forOperator = [ConfigError, StartError, DatabaseStartError, BackupFileError].some(
    (kind) => error instanceof kind,
  );
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${forOperator ? reason : `The restore failed, and nothing of it was kept: ${reason}`}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { file, replace } = readArguments();
  const { header, keyFits } = await restoreBackup(readConfig(), { file, replace, onProgress: printRows() });
  const rows = Object.values(header.rows).reduce((sum, count) => sum + count, 0);
  print(`Restored ${rows} rows of ${header.createdAt}, written by version ${header.program}. The balances add up.`);
  if (!keyFits)
    print(
      "The present master key does not open the restored secrets. Set SECRET_KEY to the key of the server that was backed up, or copy its secret.key into DATA_DIR, before you start.",
    );
}

function readArguments(): { readonly file: string; readonly replace: boolean } {
  try {
    const options = { replace: { type: "boolean", default: false } } as const;
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    const [file, ...more] = positionals;
    if (file !== undefined && file !== "" && more.length === 0) return { file, replace: values.replace };
  } catch {
    // An unknown option.
  }
  throw new StartError(USAGE);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
