import { DatabaseStartError } from "@one-api/database/database-errors";
import {
  type Config,
  ConfigError,
  StartError,
  readConfig,
  readWorkerNumber,
  warnOfForeignVariables,
} from "./config.ts";
import { nameInstance } from "./instance-name.ts";
import { openLogStore } from "./open-log-store.ts";
import { createLog } from "./platform/logging/create-log.ts";
import { allocateYoung, keepTicksFast } from "./platform/runtime-tuning.ts";

keepTicksFast();
allocateYoung();
const log = createLog();

process.on("uncaughtException", (error) => {
  log.fatal({ err: error }, "the server failed and ends");
  process.exit(1);
});

try {
  if (readWorkerNumber() === undefined) {
    for (const warning of warnOfForeignVariables()) process.stderr.write(`Warning: ${warning}\n`);
  }
  await start(readConfig());
} catch (error) {
  const forOperator =
    error instanceof ConfigError || error instanceof StartError || error instanceof DatabaseStartError;
  if (forOperator) process.stderr.write(`${error.message}\n`);
  else log.fatal({ err: error }, "the server could not start");
  process.exitCode = 1;
  // The channel to the process that started a worker keeps it alive.
  if (process.connected) process.disconnect();
}

/** A process that only starts workers loads nothing else. */
async function start(config: Config): Promise<void> {
  log.level = config.logLevel;
  log.setBindings({ instance: nameInstance(config) });
  if (readWorkerNumber() === undefined && config.workers > 1) {
    const { runWorkers } = await import("./workers/run-workers.ts");
    process.exit(await runWorkers({ workers: config.workers, openLogStore: () => openLogStore(config, log), log }));
  }
  const { runServer } = await import("./run-server.ts");
  await runServer(config, log);
}
