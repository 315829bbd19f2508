import { type LogStore, LogStoreError } from "./log-store.ts";

/** The log store of a server that has none. */
export const NO_LOG_STORE: LogStore = {
  ask: () => Promise.reject(new LogStoreError("unavailable", "This server has no log store.")),
  status: () => Promise.resolve({ state: "off", progress: 0, behind: 0 }),
  close: () => Promise.resolve(),
};
