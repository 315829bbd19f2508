import { spawn } from "node:child_process";
import { findPostgres } from "../../../../scripts/lib/find-programs.mjs";
import { migrateDatabase } from "../test-databases.ts";
import { SHORT_LIVED, startPostgresCluster, withDatabaseName } from "./postgres-cluster.ts";
import { runAsAdmin } from "./postgres-test-server.ts";

const TEMPLATE = "one_api_template";

/**
 * Runs a command with one PostgreSQL server for all processes that it starts, so that they need not start one each:
 * `node run-with-postgres.ts <command> <arguments>`. Without PostgreSQL on the machine it runs the command as it is. Ends with the command's exit code.
 */
const [command = "", ...commandArguments] = process.argv.slice(2);
const programs = process.env["TEST_POSTGRES_URL"] ? undefined : findPostgres();
const cluster = programs === undefined ? undefined : await startPostgresCluster(programs, SHORT_LIVED);
const environment = cluster === undefined ? process.env : { ...process.env, ...(await makeTemplate(cluster.adminUrl)) };

const child = spawn(command, commandArguments, { stdio: "inherit", env: environment });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.once("error", (error) => {
  console.error(`${command} cannot be started: ${error.message}`);
  process.exitCode = 127;
});
child.once("close", (code) => {
  process.exitCode ??= code ?? 1;
  void cluster?.stop().then(() => process.exit());
});

/** Migrates one database, of which the tests' databases are copies; returns what tells tests of it. */
async function makeTemplate(adminUrl: string): Promise<NodeJS.ProcessEnv> {
  await runAsAdmin(`create database ${TEMPLATE}`, adminUrl);
  await migrateDatabase({ databaseUrl: withDatabaseName(adminUrl, TEMPLATE), dataDirectory: "" });
  return { TEST_POSTGRES_URL: adminUrl, TEST_POSTGRES_TEMPLATE: TEMPLATE };
}
