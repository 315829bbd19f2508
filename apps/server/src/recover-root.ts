import { connectDatabase } from "@one-api/database/connect-database";
import { DatabaseStartError } from "@one-api/database/database-errors";
import { migrate } from "@one-api/database/migrate";
import { ConfigError, readConfig, StartError } from "./config.ts";
import { createChangeFeed } from "./core/change-feed.ts";
import { contextOfGateway } from "./core/call-context.ts";
import { systemClock } from "./platform/clock.ts";
import { recoverRoot } from "./features/registration/index.ts";
import { createPasswordHasher } from "./features/users/index.ts";
import { openStoredSecrets } from "./open-secrets.ts";

// npm run recover-root: lets the operator log in as root again, with any options and second factors. Exit
// code 1 on failure.
try {
  await run();
} catch (error) {
  const forOperator = [ConfigError, StartError, DatabaseStartError].some((kind) => error instanceof kind);
  process.stderr.write(`${forOperator && error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const config = readConfig();
  const database = await connectDatabase(config);
  try {
    await migrate(database);
    const secrets = await openStoredSecrets(config, database);
    const context = contextOfGateway({ database, clock: systemClock, secrets, changes: createChangeFeed() });
    const login = await recoverRoot(context, createPasswordHasher());
    if (login === undefined) throw new StartError("There is no root account yet. Start the server: it makes one.");
    process.stdout.write(
      `Login by password is on. Root's second factors and sessions are gone.\nLogin: ${login.username} / ${login.password}\nLog in, correct ServerAddress, and add a passkey or a second factor again.\n`,
    );
  } finally {
    await database.close();
  }
}
