import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connectDatabase, connectDatabaseToRead } from "@one-api/database/connect-database";
import { DatabaseStartError } from "@one-api/database/database-errors";
import { migrate } from "@one-api/database/migrate";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type Config, ConfigError, readConfig, StartError } from "../config.ts";
import { contextOfGateway } from "../core/call-context.ts";
import { createChangeFeed } from "../core/change-feed.ts";
import { changeMasterKey, findMasterKey } from "../features/options/index.ts";
import { openStoredSecrets } from "../open-secrets.ts";
import { systemClock } from "../platform/clock.ts";
import { countKeyUses, rotateSecrets } from "./rotate-key.ts";

// npm run rotate-key: encrypts all secrets with SECRET_KEY instead of SECRET_KEY_PREVIOUS. Exit code 1 if rows need another
// key, 2 if the command failed.
const USAGE = `npm run rotate-key             encrypts all secrets with SECRET_KEY instead of SECRET_KEY_PREVIOUS
npm run rotate-key -- --check  counts the rows that still need SECRET_KEY_PREVIOUS`;

const FOLLOW_MS = 3_000;
const MOST_PASSES = 10;

try {
  process.exitCode = await run();
} catch (error) {
  const forOperator = [ConfigError, StartError, DatabaseStartError].some((kind) => error instanceof kind);
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${forOperator ? reason : `Stopped, run it again to go on: ${reason}`}\n`);
  process.exitCode = 2;
}

async function run(): Promise<number> {
  const isCheck = readArguments();
  const config = readConfig();
  if (!isCheck && config.previousSecretKey === undefined)
    throw new StartError(
      "SECRET_KEY_PREVIOUS is not set. Set it to the present key, and SECRET_KEY to a new one, on every server first. See docs/deployment.md.",
    );
  const database = await (isCheck ? connectDatabaseToRead(config) : connectDatabase(config));
  try {
    return await (isCheck ? check(config, database) : rotate(config, database));
  } finally {
    await database.close();
  }
}

async function rotate(config: Config, database: OpenDatabase): Promise<number> {
  await migrate(database);
  const secrets = await openStoredSecrets(config, database);
  const context = contextOfGateway({ database, clock: systemClock, secrets, changes: createChangeFeed() });
  const isChanged = await changeMasterKey(context);
  let total = 0;
  const onPage = (rotated: number) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${total + rotated} rows`);
  };
  for (let pass = 1; ; pass += 1) {
    const { rotated, unreadable } = await rotateSecrets(database, secrets, onPage);
    total += rotated;
    if (pass === 1 && isChanged && database.kind === "postgres") await wait(FOLLOW_MS);
    else if (rotated === 0 || pass === MOST_PASSES) return report(total, unreadable);
  }
}

function report(total: number, unreadable: readonly string[]): number {
  for (const line of unreadable) print(line);
  print(`${total} rows were encrypted with SECRET_KEY.`);
  if (unreadable.length === 0)
    print("Check again with --check, then remove SECRET_KEY_PREVIOUS from one server after the other.");
  else print(`${unreadable.length} rows need another key. Type those secrets again in the console.`);
  return unreadable.length === 0 ? 0 : 1;
}

async function check(config: Config, database: OpenDatabase): Promise<number> {
  const secrets = await openStoredSecrets(config, database);
  const uses = await countKeyUses(database, secrets);
  for (const { table, rows, withPrevious, unreadable } of uses) {
    print(`${table}: ${withPrevious} of ${rows} rows need SECRET_KEY_PREVIOUS.`);
    for (const place of unreadable) print(`${place} needs another key.`);
  }
  const isRotated = (await findMasterKey(database, secrets)) === "current";
  if (!isRotated) print("The database belongs to SECRET_KEY_PREVIOUS: run npm run rotate-key.");
  return isRotated && uses.every(({ withPrevious, unreadable }) => withPrevious + unreadable.length === 0) ? 0 : 1;
}

function readArguments(): boolean {
  try {
    return parseArgs({ options: { check: { type: "boolean", default: false } } }).values.check;
  } catch {
    throw new StartError(USAGE);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
