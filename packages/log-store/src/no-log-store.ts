import { type LogStore, LogStoreError } from "./log-store.ts";

export const NO_LOG_STORE: LogStore = {
  ask: () => Promise.reject(new LogStoreError("unavailable", "This server has no log store.")),
  status: () => Promise.resolve({ state: "off", progress: 0, behind: 0 }),
  close: () => Promise.resolve(),
};
