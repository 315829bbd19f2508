import { parseArgs } from "node:util";
import { DatabaseStartError } from "@one-api/database/database-errors";
import { ImportError } from "@one-api/importer/import-error";
import { ConfigError, readConfig, StartError } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { importOldServer } from "./import-old-server.ts";

// npm run import -- FILE-OR-ADDRESS: imports users, tokens, channels, codes, settings and the log of One API or new-api into a new database. Exits with 1 if
// it imports nothing.
const USAGE = `Name the old database: a SQLite file such as one-api.db, or postgres://user:password@host/name.

  npm run import -- ../one-api/one-api.db             brings it into DATA_DIR or DATABASE_URL, which must be new
  npm run import -- --dry-run ../one-api/one-api.db   only says what would come over
  npm run import -- --log ../one-api/log.db ../one-api/one-api.db   where the log is kept apart (LOG_SQL_DSN there)
  npm run import -- --without-log ../one-api/one-api.db             leaves the log where it is`;
/** Log entries between two lines of progress. */
const PROGRESS_INTERVAL = 100_000;

try {
  const lines = await importOldServer(readConfig(), systemClock, { ...readArguments(), onProgress: printProgress });
  process.stdout.write(`${lines.join("\n")}\n`);
} catch (error) {
  const forOperator = [ConfigError, StartError, DatabaseStartError, ImportError].some((kind) => error instanceof kind);
  process.stderr.write(`${forOperator && error instanceof Error ? error.message : describe(error)}\n`);
  process.exitCode = 1;
}

type Arguments = Pick<Parameters<typeof importOldServer>[2], "source" | "isDryRun" | "log">;

function readArguments(): Arguments {
  try {
    const options = {
      "dry-run": { type: "boolean", default: false },
      "without-log": { type: "boolean", default: false },
      log: { type: "string" },
    } as const;
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    const [source, ...more] = positionals;
    const contradicts = values["without-log"] && values.log !== undefined;
    if (source !== undefined && source !== "" && more.length === 0 && values.log !== "" && !contradicts) {
      const log = values.log === undefined ? undefined : { source: values.log };
      return { source, isDryRun: values["dry-run"], log: values["without-log"] ? "none" : log };
    }
  } catch {
    // An unknown option.
  }
  throw new StartError(USAGE);
}

function printProgress(entries: number): void {
  if (entries % PROGRESS_INTERVAL === 0) process.stderr.write(`${entries} entries of the log\n`);
}

/** The message alone: other properties of a database error may contain secrets. */
function describe(error: unknown): string {
  return `The import failed, and nothing of it was kept: ${error instanceof Error ? error.message : String(error)}`;
}
