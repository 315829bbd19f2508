import assert from "node:assert/strict";
import { after, before } from "node:test";
import { connectDatabase } from "@one-api/database/connect-database";
import type { OpenDatabase } from "@one-api/database/open-database";
import { createMigratedDatabase, type TestDatabase } from "@one-api/database/test-databases";
import { type RelayTest, startRelayTest } from "./start-relay-test.ts";

/** Starts two servers on one PostgreSQL before the suite's tests and stops them after. Returns a getter of both. */
export function startTwoServers(): () => readonly [RelayTest, RelayTest] {
  const environment = { SECRET_KEY: "the same key of both of the servers" };
  let made: TestDatabase;
  const databases: OpenDatabase[] = [];
  const servers: RelayTest[] = [];
  before(async () => {
    made = await createMigratedDatabase("postgres");
    for (let server = 0; server < 2; server += 1) {
      const database = await connectDatabase(made.location);
      databases.push(database);
      servers.push(await startRelayTest({ database, environment }));
    }
  });
  after(async () => {
    for (const server of servers) await server.close();
    for (const database of databases) await database.close();
    await made.remove();
  });
  return () => {
    const [one = assert.fail(), other = assert.fail()] = servers;
    return [one, other];
  };
}
