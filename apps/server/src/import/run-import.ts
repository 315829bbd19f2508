import { parseArgs } from "node:util";
import { DatabaseStartError } from "@one-api/database/database-errors";
import { ImportError } from "@one-api/importer/import-error";
import { ConfigError, readConfig, StartError } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { compareOldServer } from "./compare-old-server.ts";
import { importOldServer } from "./import-old-server.ts";

// npm run import -- FILE-OR-ADDRESS: imports users, tokens, channels, codes, settings and the log of One API or new-api into a new database. Exit code 1 if it
// imports nothing. With --compare it only compares balances and prices: exit code 1 for differences, 2 if they cannot be compared.
const USAGE = `Name the old database: a SQLite file such as one-api.db, postgres://user:password@host/name or mysql://user:password@host/name.

  npm run import -- ../one-api/one-api.db             brings it into DATA_DIR or DATABASE_URL, which must be new
  npm run import -- --dry-run ../one-api/one-api.db   only says what would come over
  npm run import -- --log ../one-api/log.db ../one-api/one-api.db   where the log is kept apart (LOG_SQL_DSN there)
  npm run import -- --without-log ../one-api/one-api.db             leaves the log where it is
  npm run import -- --compare ../one-api/one-api.db   afterwards: compares balances, and prices of the last charges`;
const PROGRESS_INTERVAL = 100_000;

let compares = false;
try {
  const { compare, ...request } = readArguments();
  compares = compare;
  const { lines, exitCode } = compare ? await runComparison(request) : await runImport(request);
  process.stdout.write(`${lines.join("\n")}\n`);
  process.exitCode = exitCode;
} catch (error) {
  const forOperator = [ConfigError, StartError, DatabaseStartError, ImportError].some((kind) => error instanceof kind);
  process.stderr.write(`${forOperator && error instanceof Error ? error.message : describe(error)}\n`);
  process.exitCode = compares ? 2 : 1;
}

type Request = Pick<Parameters<typeof importOldServer>[2], "source" | "isDryRun" | "log">;

async function runImport(request: Request) {
  const lines = await importOldServer(readConfig(), systemClock, { ...request, onProgress: printProgress });
  return { lines, exitCode: 0 };
}

async function runComparison(request: Request) {
  const { lines, agrees } = await compareOldServer(readConfig(), systemClock, request);
  return { lines, exitCode: agrees ? 0 : 1 };
}

function readArguments(): Request & { readonly compare: boolean } {
  try {
    const options = {
      "dry-run": { type: "boolean", default: false },
      compare: { type: "boolean", default: false },
      "without-log": { type: "boolean", default: false },
      log: { type: "string" },
    } as const;
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    const [source, ...more] = positionals;
    const { compare } = values;
    const contradicts = (values["without-log"] && values.log !== undefined) || (compare && values["dry-run"]);
    if (source !== undefined && source !== "" && more.length === 0 && values.log !== "" && !contradicts) {
      const log = values.log === undefined ? undefined : { source: values.log };
      return { source, isDryRun: values["dry-run"], log: values["without-log"] ? "none" : log, compare };
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
  const what = compares ? "The comparison failed" : "The import failed, and nothing of it was kept";
  return `${what}: ${error instanceof Error ? error.message : String(error)}`;
}
