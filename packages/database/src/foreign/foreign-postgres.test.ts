import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createPostgresDatabase,
  dropPostgresDatabase,
  postgresMissing,
  runAsAdmin,
} from "../testing/postgres-test-server.ts";
import { openForeignDatabase } from "./open-foreign-database.ts";

test("a database whose idle connection is lost fails with the next read", { skip: postgresMissing() ?? false }, async (t) => {
  const url = await createPostgresDatabase();
  t.after(() => dropPostgresDatabase(url));
  const database = await openForeignDatabase(url);
  assert.deepEqual(await database.tables(), []);
  await runAsAdmin(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}'`,
  );
  // The client notices while it is idle, during these round trips.
  for (let trips = 0; trips < 5; trips += 1) await runAsAdmin("select 1");
  await assert.rejects(async () => {
    for (;;) await database.tables();
  }, /terminat|not queryable|closed/i);
  await database.close();
}); // prettier-ignore
