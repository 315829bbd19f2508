import { parseArgs } from "node:util";
import { DatabaseStartError } from "@one-api/database/database-errors";
import { ConfigError, readConfig, StartError } from "../config.ts";
import { systemClock } from "../core/clock.ts";
import { importOldServer } from "./import-old-server.ts";

// npm run import -- FILE-OR-ADDRESS: brings users, tokens, channels, codes and settings of One API or new-api into a new database. Ends with 1
// when it does nothing.
const USAGE = `Name the old database: a SQLite file such as one-api.db, or postgres://user:password@host/name.

  npm run import -- ../one-api/one-api.db             brings it into DATA_DIR or DATABASE_URL, which must be new
  npm run import -- --dry-run ../one-api/one-api.db   only says what would come over`;

try {
  const { source, isDryRun } = readArguments();
  const lines = await importOldServer(readConfig(), systemClock, { source, isDryRun });
  process.stdout.write(`${lines.join("\n")}\n`);
} catch (error) {
  const forOperator = [ConfigError, StartError, DatabaseStartError].some((kind) => error instanceof kind);
  process.stderr.write(`${forOperator && error instanceof Error ? error.message : describe(error)}\n`);
  process.exitCode = 1;
}

function readArguments(): { readonly source: string; readonly isDryRun: boolean } {
  try {
    const options = { "dry-run": { type: "boolean", default: false } } as const;
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    const [source, ...more] = positionals;
    if (source !== undefined && source !== "" && more.length === 0) return { source, isDryRun: values["dry-run"] };
  } catch {
    // An option that there is not.
  }
  throw new StartError(USAGE);
}

/** Without the values of a statement, which may be secrets. */
function describe(error: unknown): string {
  return `The import failed, and nothing of it was kept: ${error instanceof Error ? error.message : String(error)}`;
}
