import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it, type TestContext } from "node:test";
import { DatabaseStartError } from "../database-errors.ts";
import { removeTemporaryFolder, temporaryFolder } from "../testing/temporary-folder.ts";
import { checkPages } from "./check-pages.ts";
import { SQLITE_FILE } from "./sqlite-folder.ts";
import { openSqlite } from "./sqlite.ts";

const PAGE_BYTES = 4096;

/** A file with a small and a large table. */
function makeFile(context: TestContext): { readonly folder: string; readonly file: string } {
  const folder = temporaryFolder("one-api-pages-");
  context.after(() => removeTemporaryFolder(folder));
  const file = path.join(folder, SQLITE_FILE);
  const database = new DatabaseSync(file);
  database.exec(
    "create table small (id integer primary key, text text); create table large (id integer primary key, text text)",
  );
  const insert = (table: string, rows: number) => {
    const statement = database.prepare(`insert into ${table} (text) values (?)`);
    for (let row = 0; row < rows; row += 1) statement.run("x".repeat(500));
  };
  insert("small", 100);
  insert("large", 5_000);
  database.close();
  return { folder, file };
}

/** Overwrites a page of the table, but for its header: the root of the small one, one from the middle of the large one. */
function damage(file: string, table: string): void {
  const database = new DatabaseSync(file);
  const root = Number(database.prepare("select rootpage from sqlite_schema where name = ?").get(table)?.["rootpage"]);
  const pages = Number(database.prepare("pragma page_count").get()?.["page_count"]);
  const page = table === "small" ? root : pages - 200;
  database.close();
  const bytes = readFileSync(file);
  bytes.fill(0xab, (page - 1) * PAGE_BYTES + 8, page * PAGE_BYTES);
  writeFileSync(file, bytes);
}

for (const table of ["small", "large"])
  it(`a file with a damaged page of a ${table} table is refused at the start, with what to do`, async (context) => {
    const { folder, file } = makeFile(context);
    damage(file, table);
    await assert.rejects(
      openSqlite(folder),
      (error) =>
        error instanceof DatabaseStartError &&
        error.message.includes(file) &&
        /is damaged: .+restore a backup.+\.recover/.test(error.message),
    );
  });

it("a file without damage is opened, and can be opened again", async (context) => {
  const { folder } = makeFile(context);
  for (const go of [1, 2]) {
    const database = await openSqlite(folder);
    await database.close();
    assert.ok(go);
  }
});

it("of a large file the small tables are read as long as the time allows", (context) => {
  const { file } = makeFile(context);
  damage(file, "large");
  const database = new DatabaseSync(file);
  context.after(() => database.close());
  // A ms is enough for 200 rows, not for 5,000.
  assert.deepEqual(checkPages(database, file, { smallBytes: 0, mostMs: 20 }), ["small"]);
  assert.throws(() => checkPages(database, file, { smallBytes: 0, mostMs: 60_000 }), /is damaged/);
});
