import { join } from "node:path";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import type { OpenDatabase } from "@one-api/database/open-database";
import { LogEngine } from "../engine.ts";
import type { LogStore } from "../log-store.ts";
import { LogSource } from "../source/log-source.ts";

export const TEST_SETTINGS = { memoryMegabytes: 64, threads: 1 } as const;

/** A log store in this process, for tests. It opens with the first question. */
export function createLocalLogStore(database: OpenDatabase): LogStore {
  let opening: Promise<LogEngine> | undefined;
  const open = () => {
    opening ??= LogEngine.open(
      join(temporaryFolder("one-api-log-store-"), "replica.duckdb"),
      new LogSource(database),
      TEST_SETTINGS,
    );
    return opening;
  };
  return {
    ask: async (question) => (await open()).ask(question),
    status: () => Promise.resolve({ state: "following", progress: 1, behind: 0 }),
    close: async () => (await opening)?.close(),
  };
}
