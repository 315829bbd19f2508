import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import { allMigrations } from "./all-migrations.ts";
import { connectDatabase } from "../connect-database.ts";
import { DatabaseStartError } from "../database-errors.ts";
import { migrate } from "../migrate.ts";
import type { OpenDatabase } from "../open-database.ts";
import { eachDatabase } from "../test-databases.ts";
import { createDevelopmentDatabase } from "../testing/development-database.ts";

eachDatabase((open, kind) => {
  it("carries the last development version over to the schema of a new database", async (t) => {
    const made = await createDevelopmentDatabase(kind);
    const database = await connectDatabase(made.location);
    t.after(async () => {
      await database.close();
      await made.remove();
    });
    assert.deepEqual(
      await migrate(database),
      allMigrations.map(({ number, name }) => ({ number, name })),
    );
    assert.deepEqual(await migrate(database), []);
    const created = await open();
    assert.deepEqual(await describeSchema(database), await describeSchema(created));
    const { db } = database;
    assert.deepEqual(
      await db.selectFrom("stored_bodies").select(["request_id", "answer", "answer_is_truncated"]).execute(),
      [{ request_id: "a", answer: "yo", answer_is_truncated: 1 }],
    );
    const object = {
      kind: "file" as const,
      user_id: 1,
      token_id: 1,
      channel_id: 1,
      size: 1,
      created_at: 1,
      expires_at: 0,
      data: "",
    };
    await db
      .insertInto("stored_objects")
      .values({ ...object, object_id: "file-2" })
      .execute();
    assert.deepEqual(await db.selectFrom("stored_objects").select(["id", "object_id"]).orderBy("id").execute(), [
      { id: 7, object_id: "file-1" },
      { id: 8, object_id: "file-2" },
    ]);
  });

  it("refuses an earlier development version, and names the version that migrates it", async (t) => {
    const made = await createDevelopmentDatabase(kind);
    const database = await connectDatabase(made.location);
    t.after(async () => {
      await database.close();
      await made.remove();
    });
    await sql`delete from schema_migrations where number = 55`.execute(database.db);
    await assert.rejects(migrate(database), (error) => {
      assert.ok(error instanceof DatabaseStartError);
      assert.match(error.message, /before 1\.0 \(migration 54\)\. Start the last development version with it once/);
      return true;
    });
    assert.equal((await sql`select 1 from kept_bodies`.execute(database.db)).rows.length, 1);
  });
});

/** Tables, columns, checks, indexes, triggers, views and functions, sorted; column order aside. */
async function describeSchema(database: OpenDatabase): Promise<readonly string[]> {
  const texts = database.kind === "sqlite" ? await describeSqlite(database) : await describePostgres(database);
  return texts.map((text) => text.replaceAll('"', "").replaceAll(/\s+/g, " ")).toSorted();
}

async function describeSqlite({ db }: OpenDatabase): Promise<string[]> {
  const { rows } = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_schema where sql is not null and name not like 'sqlite_%'`.execute(db);
  return rows.flatMap((row) => (row.type === "table" ? partsOfTable(row.sql) : [row.sql]));
}

/** Columns and constraints of a table, each with its name. */
function partsOfTable(statement: string): string[] {
  const [head = "", body = ""] = statement.split(/\((.*)\)/s);
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < body.length; index += 1) {
    const letter = body[index];
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter !== "," || depth > 0) continue;
    parts.push(body.slice(start, index));
    start = index + 1;
  }
  return [...parts, body.slice(start)].map((part) => `${head}: ${part.trim()}`);
}

async function describePostgres({ db }: OpenDatabase): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default, identity_generation) as text
      from information_schema.columns where table_schema = 'public'
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select concat_ws(' ', relname, relkind, reloptions) from pg_class where relnamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select pg_get_viewdef(oid) from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`.execute(db);
  return rows.map(({ text }) => text);
}
