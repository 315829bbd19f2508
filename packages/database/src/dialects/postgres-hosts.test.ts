import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { DatabaseStartError, DatabaseUnavailableError } from "../database-errors.ts";
import type { OpenDatabase, StatementConnection } from "../open-database.ts";
import { createTestDatabase, openTestDatabase, whyMissing } from "../test-databases.ts";
import { adminOf, startSilentNetwork } from "../testing/silent-network.ts";
import { openPostgres } from "./postgres.ts";
import { redactDatabaseUrl } from "./postgres-errors.ts";
import { splitHosts } from "./postgres-hosts.ts";

it("makes an address of each host, with and without port, name and options", () => {
  assert.deepEqual(splitHosts("postgres://us:p%40ss@a:5432,b:5433/one?target_session_attrs=read-write"), [
    "postgres://us:p%40ss@a:5432/one?target_session_attrs=read-write",
    "postgres://us:p%40ss@b:5433/one?target_session_attrs=read-write",
  ]);
  assert.deepEqual(splitHosts("postgresql://a,[::1]:5433/one"), ["postgresql://a/one", "postgresql://[::1]:5433/one"]);
  assert.deepEqual(splitHosts("postgres://us@localhost/one?host=/run/postgresql"), [
    "postgres://us@localhost/one?host=/run/postgresql",
  ]);
});

it("shows all hosts, without secrets", () => {
  assert.equal(redactDatabaseUrl("postgres://us:hunter2@a:1,b:2/one?password=hunter3"), "postgres://us@a:1,b:2/one");
});

for (const [databaseUrl, says] of [
  ["postgres://us:hunter2@a:1,b:x/one", /^DATABASE_URL is not a valid address/],
  ["postgres://us:hunter2@a:1,/one", /^DATABASE_URL is not a valid address/],
  ["postgres://us:hunter2@a/one?target_session_attrs=standby", /target_session_attrs=standby, and One API must write/],
  ["postgres://us:hunter2@a,b/one?target_session_attrs=read-only", /read-only, and One API must write/],
] as const) {
  it(`refuses ${databaseUrl.replace(":hunter2", "")}`, () => {
    assert.throws(
      () => splitHosts(databaseUrl),
      (error) => error instanceof DatabaseStartError && says.test(error.message) && !error.message.includes("hunter2"),
    );
  });
}

describe("with servers", { skip: whyMissing("postgres") ?? false }, () => {
  it("goes to the host that answers, and to the other one once that is gone", async (context) => {
    const first = await openTestDatabase("postgres");
    const made = await createTestDatabase("postgres");
    context.after(() => Promise.all([first.close(), made.remove()]));
    const admin = await adminOf(first);
    const [one, other] = [
      await startSilentNetwork(admin, made.location.databaseUrl),
      await startSilentNetwork(admin, made.location.databaseUrl),
    ];
    await one.close();
    const database = await openPostgres(bothHosts(one.databaseUrl, other.databaseUrl));
    context.after(() => database.close());
    const statements = database.openStatements?.();
    context.after(() => statements?.close());
    await writes(database, statements);
    const back = await startSilentNetwork(admin, made.location.databaseUrl, Number(new URL(one.databaseUrl).port));
    context.after(() => back.close());
    await other.close();
    await writes(database, statements);
  });

  it("refuses hosts of which none writes, and names each", async (context) => {
    const made = await createTestDatabase("postgres");
    context.after(() => made.remove());
    const name = new URL(made.location.databaseUrl).pathname.slice(1);
    const database = await openPostgres(made.location.databaseUrl);
    const network = await startSilentNetwork(await adminOf(database), made.location.databaseUrl);
    context.after(() => network.close());
    await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(database.db);
    await database.close();
    const unused = net.createServer().listen(0, "127.0.0.1");
    await once(unused, "listening");
    const address = unused.address();
    unused.close();
    const closed = new URL(network.databaseUrl);
    closed.port = String(typeof address === "object" ? address?.port : 0);
    await assert.rejects(
      openPostgres(bothHosts(closed.href, network.databaseUrl)),
      (error) =>
        error instanceof DatabaseStartError && /ECONNREFUSED/.test(error.message) && /only reads/.test(error.message),
    );
  });
});

function bothHosts(one: string, other: string): string {
  return one.replace(/(127\.0\.0\.1:\d+)/, `$1,${new URL(other).host}`);
}

/** Resolves once the database takes writes on each path. Until a lost server is noticed it may not. */
async function writes(database: OpenDatabase, statements: StatementConnection | undefined): Promise<void> {
  const write = "create temporary table if not exists written (one integer)";
  for (const attempt of [
    () => sql`create temporary table if not exists written (one integer)`.execute(database.db),
    async () => database.writeTransaction(async (run) => run(write, [])),
    async () => statements?.run(write, []),
  ]) {
    for (let isDone = false; !isDone;) {
      isDone = await attempt().then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof DatabaseUnavailableError)) throw error;
          return false;
        },
      );
    }
  }
}
