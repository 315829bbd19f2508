import { rmSync } from "node:fs";
import { join } from "node:path";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type DatabaseKind, openTestDatabase } from "@one-api/database/test-databases";
import { makeTemporaryFolder } from "@one-api/database/testing/temporary-folder";
import type { FastifyInstance } from "fastify";
import { type AppDeps, buildApp } from "../app.ts";
import { readConfig } from "../config.ts";
import { type Clock, nowSeconds } from "../platform/clock.ts";
import { createLog } from "../platform/logging/create-log.ts";
import { startSession } from "../features/sessions/index.ts";
import type { LogStore } from "@one-api/log-store/log-store";
import { createLocalLogStore } from "@one-api/log-store/testing/local-log-store";
import type { LedgerParts } from "@one-api/ledger/create-server-ledger";
import { wireParts } from "../wire.ts";
import { createTestUser, testHasher, type TestRole, type TestUser, type TestUserOptions } from "./create-test-user.ts";
import { createTestClient, type TestClient } from "./test-client.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";
import type { RelayTimeouts } from "../relay/relay-timeouts.ts";

export interface TestLogin {
  readonly user: TestUser;
  readonly client: TestClient;
}

/** A complete app with its own database. Calls are injected; nothing listens. */
export interface TestApp {
  readonly app: FastifyInstance;
  readonly database: OpenDatabase;
  readonly deps: AppDeps;
  readonly clock: TestClock;
  readonly logLines: readonly string[];
  client(): TestClient;
  /** A new user of the role, logged in. For root, the user of the first start. */
  logInAs(role: TestRole, options?: TestUserOptions): Promise<TestLogin>;
  clientOf(userId: number): Promise<TestClient>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  readonly kind?: DatabaseKind;
  readonly environment?: Readonly<Record<string, string>>;
  /** Folder of a built console; none by default. */
  readonly consoleDirectory?: string;
  readonly clock?: Clock;
  readonly timeouts?: Partial<RelayTimeouts>;
  readonly aroundStorage?: LedgerParts["aroundStorage"];
  /** Replaces the in-process log store. */
  readonly logStore?: LogStore;
  /** A migrated database, which the test closes; a new one by default. */
  readonly database?: OpenDatabase;
}

/**
 * Builds the app like the server, with a new database (SQLite by default) and a clock that stands still.
 * Close it after the test.
 */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = makeTemporaryFolder("one-api-test-");
  const database = options.database ?? (await openTestDatabase(options.kind ?? "sqlite"));
  const testClock = createTestClock();
  const clock = options.clock ?? testClock;
  const logLines: string[] = [];
  const log = createLog("debug", { write: (line) => void logLines.push(line) });
  const config = readConfig({ DATA_DIR: folder, ...options.environment });
  const { deps, close } = await wireParts({
    config,
    database,
    clock,
    log,
    consoleDirectory: options.consoleDirectory ?? join(folder, "no-console"),
    logStore: options.logStore ?? createLocalLogStore(database),
    hasher: testHasher,
    timeouts: options.timeouts ?? {},
    ...(options.aroundStorage === undefined ? {} : { aroundStorage: options.aroundStorage }),
  });
  const app = buildApp(deps);
  await app.ready();
  const clientOf = async (userId: number) => {
    const session = { userId, address: "127.0.0.1", userAgent: "test", now: nowSeconds(clock) };
    return createTestClient(app, { sessionId: await startSession(database.db, session) });
  };
  return {
    app,
    database,
    deps,
    clock: testClock,
    logLines,
    client: () => createTestClient(app),
    clientOf,
    logInAs: async (role, userOptions) => {
      const user = await createTestUser(database, clock, role, userOptions);
      return { user, client: await clientOf(user.id) };
    },
    close: async () => {
      await app.close();
      await close();
      if (options.database === undefined) await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
