import { parseArgs } from "node:util";
import { BackupFileError } from "@one-api/database/backup/backup-file";
import { DatabaseStartError } from "@one-api/database/database-errors";
import manifest from "../../package.json" with { type: "json" };
import { ConfigError, readConfig, StartError } from "../config.ts";
import { describeDifference } from "../describe-difference.ts";
import { createBackup } from "./create-backup.ts";
import { printRows } from "./print-rows.ts";

// npm run backup -- FILE: writes the database into a file, beside running servers. Exit code 1 if balances differ from the
// ledger, 2 if there is no backup.
try {
  process.exitCode = await run();
} catch (error) {
  const forOperator = [ConfigError, StartError, DatabaseStartError, BackupFileError].some(
    (kind) => error instanceof kind,
  );
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${forOperator ? reason : `The backup failed, and no file was made: ${reason}`}\n`);
  process.exitCode = 2;
}

async function run(): Promise<number> {
  const file = readFile();
  const { version } = manifest;
  const onProgress = printRows();
  const { header, differences } = await createBackup(readConfig(), {
    file,
    program: version,
    nowMs: Date.now(),
    onProgress,
  });
  const rows = Object.values(header.rows).reduce((sum, count) => sum + count, 0);
  for (const difference of differences) print(describeDifference(difference));
  print(`The backup ${file} has ${rows} rows of ${header.createdAt}, and was read again without an error.`);
  print(
    differences.length === 0
      ? "All balances are what the ledger adds up to."
      : `${differences.length} balances DIFFER from the ledger, in the database too.`,
  );
  print("Keep the master key (SECRET_KEY, or secret.key in DATA_DIR) elsewhere: the backup's secrets need it.");
  return differences.length === 0 ? 0 : 1;
}

function readFile(): string {
  const { positionals } = parseArgs({ allowPositionals: true, strict: false });
  const [file, ...more] = positionals;
  if (file === undefined || file === "" || more.length > 0)
    throw new StartError("Name the file that the backup makes: npm run backup -- /backup/one-api.backup");
  return file;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
