import { DatabaseStartError } from "@one-api/database/database-errors";
import { buildApp } from "./app.ts";
import { type Config, ConfigError, StartError, readConfig, warnOfForeignVariables } from "./config.ts";
import { createLog } from "./platform/logging/create-log.ts";
import { allocateYoung, keepTicksFast } from "./platform/runtime-tuning.ts";
import { listen, serverAddress } from "./listen.ts";
import { stopOnSignal } from "./stop-on-signal.ts";
import { type Wired, wire } from "./wire.ts";

keepTicksFast();
allocateYoung();
const log = createLog();

process.on("uncaughtException", (error) => {
  log.fatal({ err: error }, "the server failed and ends");
  process.exit(1);
});

try {
  for (const warning of warnOfForeignVariables()) process.stderr.write(`Warning: ${warning}\n`);
  await start(readConfig());
} catch (error) {
  const forOperator =
    error instanceof ConfigError || error instanceof StartError || error instanceof DatabaseStartError;
  if (forOperator) process.stderr.write(`${error.message}\n`);
  else log.fatal({ err: error }, "the server could not start");
  process.exitCode = 1;
}

async function start(config: Config): Promise<void> {
  log.level = config.logLevel;
  const wired = await wire(config, log);
  const app = buildApp(wired.deps);
  const stop = stopOnSignal(app, wired, { ...config, log });
  try {
    await listen(app, config);
  } catch (error) {
    await stop();
    throw error;
  }
  print(`One API is ready at ${serverAddress(app)}`);
  announceLogin(wired);
  if (config.redisUrl !== "") {
    process.stderr.write(
      "Warning: REDIS_URL is set, but limits are not shared through Redis yet: each process counts alone.\n",
    );
  }
}

function announceLogin({ firstLogin, hasDefaultPassword }: Wired): void {
  if (firstLogin?.password !== undefined) print(`First login: ${firstLogin.username} / ${firstLogin.password}`);
  if (hasDefaultPassword) process.stderr.write("Warning: root still has the default password. Log in and change it.\n");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
