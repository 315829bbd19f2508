import { parseArgs } from "node:util";
import { DatabaseStartError } from "@one-api/database/database-errors";
import { ConfigError, readConfig, StartError } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { importOldServer } from "./import-old-server.ts";

// npm run import -- FILE-OR-ADDRESS: brings users, tokens, channels, codes, settings and the log of One API or new-api into a new database. Ends with 1
// when it does nothing.
const USAGE = `Name the old database: a SQLite file such as one-api.db, or postgres://user:password@host/name.

  npm run import -- ../one-api/one-api.db             brings it into DATA_DIR or DATABASE_URL, which must be new
  npm run import -- --dry-run ../one-api/one-api.db   only says what would come over
  npm run import -- --log ../one-api/log.db ../one-api/one-api.db   where the log is kept apart (LOG_SQL_DSN there)
  npm run import -- --without-log ../one-api/one-api.db             leaves the log where it is`;
/** So often it says how far it is, in entries of the log. */
const TOLD_EVERY = 100_000;

try {
  const lines = await importOldServer(readConfig(), systemClock, { ...readArguments(), onProgress: tellProgress });
  process.stdout.write(`${lines.join("\n")}\n`);
} catch (error) {
  const forOperator = [ConfigError, StartError, DatabaseStartError].some((kind) => error instanceof kind);
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
    const isDoubtful = values["without-log"] && values.log !== undefined;
    if (source !== undefined && source !== "" && more.length === 0 && values.log !== "" && !isDoubtful) {
      const log = values.log === undefined ? undefined : { source: values.log };
      return { source, isDryRun: values["dry-run"], log: values["without-log"] ? "none" : log };
    }
  } catch {
    // An option that there is not.
  }
  throw new StartError(USAGE);
}

function tellProgress(entries: number): void {
  if (entries % TOLD_EVERY === 0) process.stderr.write(`${entries} entries of the log\n`);
}

/** Without the values of a statement, which may be secrets. */
function describe(error: unknown): string {
  return `The import failed, and nothing of it was kept: ${error instanceof Error ? error.message : String(error)}`;
}
