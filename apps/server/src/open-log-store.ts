import { join } from "node:path";
import { makeFolder } from "@one-api/database/make-folder";
import type { LogStore } from "@one-api/log-store/log-store";
import { NO_LOG_STORE } from "@one-api/log-store/no-log-store";
import { startLogStore } from "@one-api/log-store/start-log-store";
import type { Logger } from "pino";
import type { Config } from "./config.ts";

const LOG_STORE_FILE = "log-store.duckdb";

/** Starts the log store with its file in DATA_DIR, unless it is switched off. */
export function openLogStore({ dataDirectory, databaseUrl, logStore }: Config, log: Logger): LogStore {
  if (logStore === undefined) return NO_LOG_STORE;
  // With PostgreSQL and SECRET_KEY nothing else makes it.
  makeFolder(dataDirectory);
  const file = join(dataDirectory, LOG_STORE_FILE);
  return startLogStore({ start: { file, location: { dataDirectory, databaseUrl }, settings: logStore }, log });
}
