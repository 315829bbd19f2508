import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { connectDatabase } from "@one-api/database/connect-database";
import { SQLITE_FILE } from "@one-api/database/dialects/sqlite-folder";
import { migrate } from "@one-api/database/migrate";
import { type Config, StartError } from "../config.ts";
import { contextOfGateway } from "../core/call-context.ts";
import { createChangeFeed } from "../core/change-feed.ts";
import { type Clock, nowSeconds } from "../core/clock.ts";
import { createSecrets } from "../core/secrets/secrets.ts";
import { hasMasterKey, masterKeyFits } from "../features/options/index.ts";
import { createPasswordHasher } from "../features/users/index.ts";
import { loadMasterKey } from "../master-key.ts";
import { hasRunningServer } from "./import.repository.ts";
import { reportImport } from "./import-report.ts";
import { readOldServer } from "./old-server.ts";
import { type ImportPlan, planImport } from "./plan-import.ts";
import { writeImport } from "./write-import.ts";

interface ImportRequest {
  /** A SQLite file, or `postgres://…`. */
  readonly source: string;
  /** Reads and plans, and leaves the own database alone. */
  readonly isDryRun: boolean;
}

/**
 * Brings what an old server has into the configured database, which nobody may have used: all of it or nothing. Returns what is to be said of it, line by
 * line. Throws StartError and DatabaseStartError, meant for the operator.
 */
export async function importOldServer(
  config: Config,
  clock: Clock,
  { source, isDryRun }: ImportRequest,
): Promise<string[]> {
  const plan = planImport(await readOldServer(source), nowSeconds(clock));
  if (!isDryRun) {
    refuseOwnFile(config, source);
    await writeInto(config, clock, plan);
  }
  return reportImport(plan, isDryRun);
}

/** The old file where the new one is to be made. */
function refuseOwnFile({ databaseUrl, dataDirectory }: Config, source: string): void {
  const own = path.join(dataDirectory, SQLITE_FILE);
  if (databaseUrl !== "" || !existsSync(own) || !existsSync(source) || realpathSync(own) !== realpathSync(source))
    return;
  throw new StartError(
    `The old database ${source} lies where the new one is to be made. Move it elsewhere, for example to old.db, and name it there.`,
  );
}

async function writeInto(config: Config, clock: Clock, plan: ImportPlan): Promise<void> {
  const database = await connectDatabase(config);
  try {
    await migrate(database);
    if (await hasRunningServer(database))
      throw new StartError(
        "A server runs on this database, or ended less than a minute ago. Stop it, and try again then.",
      );
    const { dataDirectory, secretKey } = config;
    const secrets = createSecrets(loadMasterKey({ dataDirectory, secretKey, inUse: await hasMasterKey(database) }));
    if (!(await masterKeyFits(database, secrets)))
      throw new StartError(
        "The database belongs to another master key. Set SECRET_KEY or DATA_DIR as its server has them.",
      );
    const context = contextOfGateway({ database, clock, secrets, changes: createChangeFeed() });
    await writeImport(context, plan, createPasswordHasher());
  } finally {
    await database.close();
  }
}
