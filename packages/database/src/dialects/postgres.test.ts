import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { CommitOutcomeUnknownError, DatabaseStartError, DatabaseUnavailableError } from "../database-errors.ts";
import type { Durability, OpenDatabase, StatementConnection } from "../open-database.ts";
import { createTestDatabase, openTestDatabase, whyMissing } from "../test-databases.ts";
import { adminOf, startSilentNetwork } from "../testing/silent-network.ts";
import { openPostgres } from "./postgres.ts";
import { namedPostgresError, redactDatabaseUrl } from "./postgres-errors.ts";

async function startMessage(databaseUrl: string): Promise<string> {
  try {
    await (await openPostgres(databaseUrl)).close();
  } catch (error) {
    assert.ok(error instanceof DatabaseStartError);
    return error.message;
  }
  return "";
}

it("names DATABASE_URL without the password when the server is out of reach", async () => {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  server.close();
  await once(server, "close");
  const message = await startMessage(`postgres://someone:hunter2@127.0.0.1:${port}/gateway?password=hunter3`);
  assert.match(
    message,
    new RegExp(
      `^Cannot use PostgreSQL at DATABASE_URL \\(postgres://someone@127\\.0\\.0\\.1:${port}/gateway\\): .*ECONNREFUSED`,
    ),
  );
  assert.doesNotMatch(message, /hunter/);
});

it("says what an address looks like when DATABASE_URL is none, without repeating it", async () => {
  const message = await startMessage("postgres://user:pass word@[broken/db");
  assert.match(message, /^DATABASE_URL is not a valid address\. It looks like postgres:\/\/user:password@host/);
  assert.doesNotMatch(message, /pass word/);
});

it("shows an address without its secrets", () => {
  assert.equal(
    redactDatabaseUrl("postgres://u:p%40ss@db.example:6543/name?sslkey=secret"),
    "postgres://u@db.example:6543/name",
  );
  assert.equal(
    redactDatabaseUrl("postgres://u@localhost/name?host=/run/postgresql"),
    "postgres://u@/run/postgresql/name",
  );
});

it("tells a lost connection and a busy server from a wrong statement", () => {
  const named = (code: string) => namedPostgresError(Object.assign(new Error("x"), { code }), "postgres://h/d");
  const unavailable =
    "ECONNRESET EPIPE 08000 08006 57P01 57P02 57P03 57P05 25P03 25P04 25006 28000 28P01 3D000 40001 40P01 53000 53100 53200 53300 53400 55P03 57014 58000 58030";
  for (const code of unavailable.split(" ")) {
    assert.ok(named(code) instanceof DatabaseUnavailableError, code);
  }
  for (const code of ["23505", "42P01", "22003", "25001", "25P01", "25P02", "26000"])
    assert.ok(!(named(code) instanceof DatabaseUnavailableError), code);
});

describe("with a server", { skip: whyMissing("postgres") ?? false }, () => {
  let database: OpenDatabase;
  let statements: StatementConnection;
  before(async () => {
    database = await openTestDatabase("postgres");
    statements = statementsOf(database);
  });
  after(async () => {
    await statements.close();
    await database.close();
  });

  const backend = async (run: (sql: string) => Promise<{ rows: readonly Record<string, unknown>[] }>) =>
    Number((await run("select pg_backend_pid() as pid")).rows[0]?.["pid"]);

  for (const [setting, value] of [
    ["synchronous_commit", "off"],
    ["default_transaction_read_only", "on"],
  ]) {
    it(`refuses a database with ${setting} = ${value}`, async (context) => {
      const made = await createTestDatabase("postgres");
      context.after(() => made.remove());
      const name = new URL(made.location.databaseUrl).pathname.slice(1);
      const first = await openPostgres(made.location.databaseUrl);
      await sql`alter database ${sql.id(name)} set ${sql.ref(setting ?? "")} = ${sql.lit(value)}`.execute(first.db);
      await first.close();
      const seen = setting?.replace("default_", "");
      assert.match(
        await startMessage(made.location.databaseUrl),
        new RegExp(`^DATABASE_URL: PostgreSQL runs with ${seen} = ${value}: `),
      );
    });
  }

  it("waits for the disk with every commit but those for which being in order is enough", async () => {
    const waits = async (durability?: Durability) => {
      const read = "select current_setting('synchronous_commit') as waits";
      const { rows } = await database.writeTransaction(async (run) => run(read, []), durability);
      return rows[0]?.["waits"];
    };
    assert.deepEqual([await waits(), await waits("in-order"), await waits()], ["on", "off", "on"]);
    const { rows } = await statements.run("select current_setting('synchronous_commit') as waits", []);
    assert.deepEqual(rows, [{ waits: "on" }]);
  });

  it("shows up in the server's list under its name, with time limits", async () => {
    const { rows } =
      await sql`select current_setting('application_name') as name, current_setting('statement_timeout') as statement`.execute(
        database.db,
      );
    assert.deepEqual(rows, [{ name: "one-api", statement: "10s" }]);
  });

  it("gives up a statement that takes too long, as unavailable", async (context) => {
    const made = await createTestDatabase("postgres");
    context.after(() => made.remove());
    const impatient = await openPostgres(made.location.databaseUrl, { maxConnections: 1 });
    await sql`set statement_timeout = '50ms'`.execute(impatient.db);
    await assert.rejects(sql`select pg_sleep(30)`.execute(impatient.db), DatabaseUnavailableError);
    await impatient.close();
  });

  it("gives up connections that fall silent, and goes on with new ones; only migrations wait as long as they take", async (context) => {
    const made = await createTestDatabase("postgres");
    context.after(() => made.remove());
    const network = await startSilentNetwork(await adminOf(database), made.location.databaseUrl);
    context.after(() => network.close());
    const patient = await openPostgres(network.databaseUrl, { answerTimeoutMs: 1_000 });
    context.after(() => patient.close());
    const ofPatient = statementsOf(patient);
    context.after(() => ofPatient.close());
    await sql`select pg_sleep(1.2)`.execute(patient.migrationDb);
    const asks = [
      async () => sql`select 1`.execute(patient.db),
      async () => ofPatient.run("select 1 as one", []),
      async () => patient.writeTransaction(async (run) => run("select 1 as one", [])),
    ];
    // At once, so that each has a connection of its own.
    await Promise.all(asks.map((ask) => until(async () => void (await ask()))));
    network.silence();
    await Promise.all(asks.map((ask) => assert.rejects(ask, DatabaseUnavailableError)));
    for (const ask of asks) await until(async () => void (await ask()));
  });

  it("keeps working after the server has cut connections, idle ones and one in a transaction", async () => {
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.01)`.execute(database.db)));
    const other = await openPostgres((await adminOf(database)).href);
    const cut = (pid: number) => sql`select pg_terminate_backend(${pid}::int)`.execute(other.db);
    const work = database.writeTransaction(async (run) => {
      await run("insert into options (key, value) values ($1, $2)", ["cut", ""]);
      await cut(await backend(async (text) => run(text, [])));
      await run("select 1 as one", []);
    });
    await assert.rejects(work, DatabaseUnavailableError);
    // Only this test's own connections: other test files use the same server at the same time.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(other.db);
    await other.close();
    await until(async () => {
      assert.deepEqual(await database.db.selectFrom("options").select("key").execute(), []);
    });
  });

  it("calls a commit whose answer never came unknown", async () => {
    const other = await openPostgres((await adminOf(database)).href);
    const work = database.writeTransaction(async (run) => {
      const pid = await backend(async (text) => run(text, []));
      await sql`select pg_terminate_backend(${pid}::int)`.execute(other.db);
    });
    await assert.rejects(work, CommitOutcomeUnknownError);
    await other.close();
  });

  it("runs a statement that is a transaction of its own, and keeps nothing of one that fails or is cut", async () => {
    const insert = "with kept as (insert into options (key, value) values ($1, '') returning 1) select";
    assert.deepEqual((await statements.run(`${insert} 7 as seven`, ["alone"])).rows, [{ seven: 7 }]);
    await assert.rejects(
      async () => statements.run(`${insert} 1 / (select count(*) - 1 from kept) as one`, ["alone-failed"]),
      /division by zero/,
    );
    await assert.rejects(
      async () => statements.run(`${insert} pg_terminate_backend(pg_backend_pid()) as cut`, ["alone-cut"]),
      CommitOutcomeUnknownError,
    );
    const left = await database.db.selectFrom("options").select("key").where("key", "like", "alone%").execute();
    assert.deepEqual(left, [{ key: "alone" }]);
    await database.db.deleteFrom("options").where("key", "=", "alone").execute();
    const plans = `select current_setting('plan_cache_mode') as mode, current_setting('enable_seqscan') as whole,
      current_setting('enable_bitmapscan') as places`;
    assert.deepEqual(
      (await statements.run(plans, [])).rows,
      [{ mode: "force_generic_plan", whole: "off", places: "off" }],
      "rows are looked up by index and locked in its order",
    );
  });

  it("breaks a connection at once: all its statements are unknown, and the next one runs", async (context) => {
    const broken = statementsOf(database);
    context.after(() => broken.close());
    const pid = await backend(async (text) => broken.run(text, []));
    const underWay = ["select pg_sleep(30)", "select 1 as one"].map(async (text) => broken.run(text, []));
    const answers = Promise.allSettled(underWay);
    await until(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where pid = ${pid} and query like '%pg_sleep%'`.execute(
        database.db,
      );
      if (rows.length === 0) throw new DatabaseUnavailableError("The statement has not begun.");
    });
    broken.disconnect();
    for (const answer of await answers)
      assert.ok(answer.status === "rejected" && answer.reason instanceof CommitOutcomeUnknownError, answer.status);
    assert.notEqual(await backend(async (text) => broken.run(text, [])), pid);
    await sql`select pg_terminate_backend(${pid}::int)`.execute(database.db);
  });

  it("breaks a connection that is not open yet: its statements are not sent", async (context) => {
    const broken = statementsOf(database);
    context.after(() => broken.close());
    const statement = Promise.resolve(broken.run("insert into options (key, value) values ('unsent', '')", []));
    broken.disconnect();
    await assert.rejects(
      statement,
      (error) => error instanceof DatabaseUnavailableError && !(error instanceof CommitOutcomeUnknownError),
    );
    assert.deepEqual((await broken.run("select key from options where key = 'unsent'", [])).rows, []);
    broken.disconnect();
    broken.disconnect();
    assert.deepEqual((await broken.run("select 1 as one", [])).rows, [{ one: 1 }]);
  });

  it("finishes what is under way before it closes a connection, and runs nothing after that", async () => {
    const closed = statementsOf(database);
    const answer = closed.run("select pg_sleep(0.05), 1 as one", []);
    await backend(async (text) => closed.run(text, []));
    await closed.close();
    assert.equal((await answer).rows[0]?.["one"], 1);
    await assert.rejects(async () => closed.run("select 1 as one", []), /closed/);
    await statementsOf(database).close();
  });

  it("leaves an error of the work itself as it is, even one that looks like a lost connection", async () => {
    const own = Object.assign(new Error("upstream connection lost"), { code: "ECONNRESET" });
    const work = database.writeTransaction(async () => {
      throw own;
    });
    await assert.rejects(work, (error) => error === own);
  });

  it("refuses a sum that a number cannot hold", async () => {
    const max = String(Number.MAX_SAFE_INTEGER);
    const { rows } =
      await sql`select ${max}::bigint as one, sum(${max}::bigint) as two, 12.5::numeric as three`.execute(database.db);
    assert.deepEqual(rows, [{ one: Number.MAX_SAFE_INTEGER, two: Number.MAX_SAFE_INTEGER, three: 12.5 }]);
    await assert.rejects(
      sql`select sum(v) as total from (values (${max}::bigint), (1)) as t (v)`.execute(database.db),
      /cannot be read exactly/,
    );
  });
});

function statementsOf({ openStatements }: OpenDatabase): StatementConnection {
  assert.ok(openStatements);
  return openStatements();
}

/** Tries again while the pool finds out which of its connections are gone. */
async function until(check: () => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
    }
  }
  await check();
}
