import { parseArgs } from "node:util";
import { connectDatabaseToRead } from "@one-api/database/connect-database";
import { DatabaseStartError } from "@one-api/database/database-errors";
import type { OpenDatabase } from "@one-api/database/open-database";
import { ConfigError, readConfig, StartError } from "./config.ts";
import type { Secrets } from "./core/secrets.ts";
import { type AuditVerdict, type KnownSeal, verifyAudit } from "./features/audit/index.ts";
import { openStoredSecrets } from "./open-secrets.ts";

// npm run verify-audit: checks the audit trail. Exit code 1 if it was changed, 2 if the check failed.
const SEAL = /^(\d{1,15}):([0-9a-f]{64})$/;

const SAYS: Record<AuditVerdict["problems"][number]["kind"], (id: number) => string> = {
  "entry-changed": (id) => `Entry ${id} is not as it was sealed: somebody changed it.`,
  "entry-removed": (id) => `Entry ${id} is gone.`,
  "entry-inserted": (id) => `Entry ${id} was put in after its time was sealed.`,
  "seal-changed": (id) => `Seal ${id} is not as it was made: it, or one before it, was changed.`,
  "seal-removed": (id) => `Seal ${id} is gone.`,
};

try {
  process.exitCode = await run();
} catch (error) {
  const forOperator = [ConfigError, StartError, DatabaseStartError].some((kind) => error instanceof kind);
  process.stderr.write(`${forOperator && error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}

async function run(): Promise<number> {
  const known = readKnownSeal();
  const config = readConfig();
  const database = await connectDatabaseToRead(config);
  try {
    return await report(database, await openStoredSecrets(config, database), known);
  } finally {
    await database.close();
  }
}

function readKnownSeal(): KnownSeal | undefined {
  const [typed] = parseArgs({ allowPositionals: true }).positionals;
  if (typed === undefined) return undefined;
  const [, number, hash] = SEAL.exec(typed) ?? [];
  if (number === undefined || hash === undefined)
    throw new ConfigError(
      `"${typed}" is no seal. Give one as this command printed it: its number, a colon, 64 hex digits.`,
    );
  return { number: Number(number), hash };
}

async function report(database: OpenDatabase, secrets: Secrets, known: KnownSeal | undefined) {
  const verdict = await verifyAudit({ database, secrets }, known);
  for (const { kind, id } of verdict.problems) print(SAYS[kind](id));
  const { entries, seals, unsealed, newest } = verdict;
  print(`Compared ${entries} entries with ${seals} seals. ${unsealed} newer entries are not sealed yet.`);
  if (newest !== undefined) {
    print(`The newest seal, of ${new Date(newest.sealed_at * 1000).toISOString()}, is ${newest.number}:${newest.hash}`);
    print("Keep it somewhere else, and give it to this command later: it tells then when that seal is gone.");
  }
  print(verdict.problems.length === 0 ? "The audit trail is as it was written." : "The audit trail was CHANGED.");
  return verdict.problems.length === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
