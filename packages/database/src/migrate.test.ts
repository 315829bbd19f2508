import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { sql } from "kysely";
import { DatabaseStartError } from "./database-errors.ts";
import { migrate } from "./migrate.ts";
import { allMigrations } from "./migrations/all-migrations.ts";
import { text } from "./migrations/column.ts";
import { createTable } from "./migrations/create-table.ts";
import type { Migration } from "./migrations/migration.ts";
import { connectDatabase } from "./connect-database.ts";
import type { DatabaseLocation, OpenDatabase } from "./open-database.ts";
import { createTestDatabase, eachDatabase } from "./test-databases.ts";
import { waitUntil } from "./testing/wait-until.ts";

const NEXT_NUMBER = Math.max(...allMigrations.map((migration) => migration.number)) + 1;

/** A migration to come after those of the program. */
function following(name: string, table: string): Migration {
  return {
    number: NEXT_NUMBER,
    name,
    statements: (builder) => [createTable(builder, table, { word: text })],
  };
}

async function tablesNamed(database: OpenDatabase, name: string): Promise<number> {
  const tables = await database.db.introspection.getTables();
  return tables.filter((table) => table.name === name).length;
}

async function history(database: OpenDatabase): Promise<unknown> {
  const { rows } =
    await sql`select number, name, finished_at >= started_at as finished from schema_migrations order by number`.execute(
      database.db,
    );
  return rows;
}

async function waitingForLocks({ db }: OpenDatabase): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from pg_locks where not granted and relation = 'options'::regclass`.execute(db);
  return rows[0]?.waiting ?? 0;
}

async function setHistory(database: OpenDatabase, change: ReturnType<typeof sql>): Promise<void> {
  await sql`update schema_migrations set ${change} where number = 1`.execute(database.db);
}

async function refusal(database: OpenDatabase, migrations?: readonly Migration[]): Promise<string> {
  try {
    await migrate(database, migrations);
  } catch (error) {
    assert.ok(error instanceof DatabaseStartError);
    return error.message;
  }
  return "";
}

it("numbers its migrations upwards from 1, each number once", () => {
  const numbers = allMigrations.map((migration) => migration.number);
  assert.equal(numbers[0], 1);
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].toSorted((left, right) => left - right),
  );
});

eachDatabase((open, kind) => {
  async function createUnmigrated(context: TestContext): Promise<DatabaseLocation> {
    const made = await createTestDatabase(kind);
    context.after(() => made.remove());
    return made.location;
  }

  it("says what it applied, and applies nothing the second time", async (context) => {
    const database = await connectDatabase(await createUnmigrated(context));
    assert.deepEqual(
      await migrate(database),
      allMigrations.map(({ number, name }) => ({ number, name })),
    );
    assert.deepEqual(await migrate(database), []);
    await database.close();
  });

  it("runs each migration once when several servers start at the same time", async (context) => {
    const location = await createUnmigrated(context);
    const first = await connectDatabase(location);
    const second = kind === "postgres" ? await connectDatabase(location) : first;
    const applied = await Promise.all([migrate(first), migrate(second), migrate(first), migrate(second)]);
    await first.close();
    await second.close();
    assert.deepEqual(
      applied
        .flat()
        .map((migration) => migration.number)
        .toSorted((left, right) => left - right),
      allMigrations.map((migration) => migration.number),
    );
  });

  it("brings an older database forward and keeps its rows", async () => {
    const database = await open();
    await database.db.insertInto("options").values({ key: "kept", value: "yes" }).execute();
    const number = NEXT_NUMBER;
    assert.deepEqual(await migrate(database, [...allMigrations, following("more", "more")]), [
      { number, name: "more" },
    ]);
    assert.equal(await tablesNamed(database, "more"), 1);
    assert.deepEqual(await database.db.selectFrom("options").select("value").execute(), [{ value: "yes" }]);
  });

  it("keeps nothing of a migration that fails half way, and can try again", async () => {
    const database = await open();
    const before = await history(database);
    const broken: Migration = {
      number: NEXT_NUMBER,
      name: "broken",
      statements: (builder) => [
        createTable(builder, "half", { word: text }),
        createTable(builder, "users", { word: text }),
      ],
    };
    assert.match(
      await refusal(database, [...allMigrations, broken]),
      /^Migration \d+ \(broken\) failed, nothing of it was kept: .*users.* already exists/,
    );
    assert.equal(await tablesNamed(database, "half"), 0);
    assert.deepEqual(await history(database), before);
    await migrate(database, [...allMigrations, following("mended", "half")]);
    assert.equal(await tablesNamed(database, "half"), 1);
  });

  it("refuses a database that a newer version has migrated", async () => {
    const database = await open();
    await migrate(database, [...allMigrations, following("newer", "newer")]);
    assert.match(
      await refusal(database),
      new RegExp(
        `newer than this program: it has migration \\d+ \\(newer\\), this program ends at ${allMigrations.at(-1)?.number}\\.`,
      ),
    );
  });

  it("refuses a migration that was left half done", async () => {
    const database = await open();
    await setHistory(database, sql`finished_at = null`);
    assert.match(await refusal(database), /Migration 1 \(baseline\) was left half done\. Restore/);
  });

  it("refuses a history with another name in it", async () => {
    const database = await open();
    await setHistory(database, sql`name = 'other'`);
    assert.match(await refusal(database), /has migration 1 \(other\) where this program has 1 \(baseline\)/);
  });

  it("refuses a history with a gap", async () => {
    const database = await open();
    await sql`delete from schema_migrations where number = 1`.execute(database.db);
    assert.match(await refusal(database), /has migration 2 \([a-z-]+\) where this program has 1 \(baseline\)/);
  });

  it("refuses a migration that ran with other statements", async () => {
    const database = await open();
    await setHistory(database, sql`checksum = 'other'`);
    assert.match(await refusal(database), /Migration 1 \(baseline\) ran with other statements/);
  });

  it("changes nothing when it refuses", async () => {
    const database = await open();
    await setHistory(database, sql`name = 'other'`);
    await refusal(database, [...allMigrations, following("more", "more")]);
    assert.equal(await tablesNamed(database, "more"), 0);
  });

  it(
    "lets requests pass while a long reader, such as a backup, holds a table that it changes",
    { skip: kind === "sqlite" ? "SQLite has one process" : false },
    async (context) => {
      const location = await createUnmigrated(context);
      const [migrating, reading] = [await connectDatabase(location), await connectDatabase(location)];
      await migrate(migrating);
      const [isRead, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const reader = reading.db.transaction().execute(async (trx) => {
        await trx.selectFrom("options").select("key").execute();
        isRead.resolve();
        await release.promise;
      });
      await isRead.promise;
      const widened: Migration = {
        number: NEXT_NUMBER,
        name: "widened",
        statements: () => [sql`alter table options add column more text`],
      };
      let waits = 0;
      const migrated = migrate(migrating, [...allMigrations, widened], () => (waits += 1));
      await waitUntil(async () => (await waitingForLocks(reading)) > 0);
      await reading.db.insertInto("options").values({ key: "saved", value: "meanwhile" }).execute();
      await waitUntil(() => waits > 0);
      release.resolve();
      await reader;
      assert.deepEqual(await migrated, [{ number: NEXT_NUMBER, name: "widened" }]);
      await migrating.close();
      await reading.close();
    },
  );

  it(
    "is not cut off by the time limits that requests have",
    { skip: kind === "sqlite" ? "SQLite has none" : false },
    async () => {
      const database = await open();
      const slow: Migration = {
        number: NEXT_NUMBER,
        name: "slow",
        statements: () => [sql`do $$ begin assert current_setting('statement_timeout') = '0'; end $$`],
      };
      assert.equal((await migrate(database, [...allMigrations, slow])).length, 1);
    },
  );
});
