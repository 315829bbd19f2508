import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { linkSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, it, type TestContext } from "node:test";
import { sql } from "kysely";
import { DatabaseStartError, DatabaseUnavailableError } from "../database-errors.ts";
import { migrate } from "../migrate.ts";
import type { OpenDatabase } from "../open-database.ts";
import { removeTemporaryFolder, temporaryFolder } from "../testing/temporary-folder.ts";
import { SQLITE_FILE } from "./sqlite-folder.ts";
import { isOlder, openSqlite } from "./sqlite.ts";

const HOLDER = path.join(import.meta.dirname, "../testing/hold-sqlite.ts");
const opened: OpenDatabase[] = [];

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

function newFolder(context: TestContext): string {
  const folder = temporaryFolder("one-api-sqlite-");
  context.after(() => removeTemporaryFolder(folder));
  return folder;
}

async function open(folder: string): Promise<OpenDatabase> {
  const database = await openSqlite(folder);
  opened.push(database);
  return database;
}

async function startHolder(context: TestContext, folder: string): Promise<ChildProcess> {
  const holder = spawn(process.execPath, [HOLDER, folder], { stdio: ["ignore", "pipe", "inherit"] });
  context.after(() => holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  return holder;
}

async function pragma(database: OpenDatabase, name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(database.db);
  return Object.values(rows[0] ?? {})[0];
}

it("has a write-ahead log on its connection, which waits for no disk by itself", async (context) => {
  const database = await open(newFolder(context));
  assert.equal(await pragma(database, "journal_mode"), "wal");
  assert.equal(await pragma(database, "synchronous"), 1);
  assert.equal(await pragma(database, "foreign_keys"), 1);
  assert.equal(await pragma(database, "busy_timeout"), 5000);
  assert.equal(await pragma(database, "mmap_size"), 0);
  assert.equal(await pragma(database, "temp_store"), 2);
});

it("[START-23] makes the data folder and its files readable by their owner only", async (context) => {
  const folder = path.join(newFolder(context), "a", "data");
  const database = await open(folder);
  await migrate(database);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  const files = readdirSync(folder);
  assert.deepEqual(files.toSorted(), ["one-api.db", "one-api.db-shm", "one-api.db-wal", "one-api.lock"]);
  for (const file of files) assert.equal(statSync(path.join(folder, file)).mode & 0o777, 0o600, file);
});

it("takes other people's rights away from a file that has too many", async (context) => {
  const folder = newFolder(context);
  writeFileSync(path.join(folder, "one-api.db"), "", { mode: 0o644 });
  await open(folder);
  assert.equal(statSync(path.join(folder, "one-api.db")).mode & 0o777, 0o600);
});

it("refuses a folder that another process uses, and takes it once that process was killed with -9", async (context) => {
  const folder = newFolder(context);
  const holder = await startHolder(context, folder);
  await assert.rejects(openSqlite(folder), (error) => {
    assert.ok(error instanceof DatabaseStartError);
    assert.match(error.message, /^DATA_DIR: the folder .* is in use by another running One API/);
    assert.ok(error.message.includes(folder));
    return true;
  });
  holder.kill("SIGKILL");
  await once(holder, "exit");
  await migrate(await open(folder));
});

it("refuses a second opening in the same process, and the first keeps its lock against others", async (context) => {
  const folder = newFolder(context);
  await open(folder);
  await assert.rejects(openSqlite(folder), /is in use by another running One API/);
  const second = spawn(process.execPath, [HOLDER, folder], { stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  second.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  await once(second, "close");
  assert.equal(second.exitCode, 1);
  assert.match(complaint, /is in use by another running One API/);
});

it("refuses the same file by another way: through a link, under a second name, mounted by itself", async (context) => {
  const folder = newFolder(context);
  const file = path.join(folder, SQLITE_FILE);
  await (await openSqlite(folder)).close();
  const byLink = newFolder(context);
  symlinkSync(file, path.join(byLink, SQLITE_FILE));
  await startHolder(context, folder);
  await assert.rejects(openSqlite(byLink), /is in use by another running One API/);

  const other = newFolder(context);
  await (await openSqlite(other)).close();
  const byName = newFolder(context);
  linkSync(path.join(other, SQLITE_FILE), path.join(byName, SQLITE_FILE));
  for (const way of [other, byName]) await assert.rejects(openSqlite(way), /has several names/);

  const byMount = newFolder(context);
  const mounted = path.join(byMount, SQLITE_FILE);
  writeFileSync(mounted, "");
  try {
    execFileSync("mount", ["--bind", file, mounted], { stdio: "ignore" });
  } catch {
    return context.diagnostic("this process may not mount");
  }
  try {
    await assert.rejects(openSqlite(byMount), /is mounted by itself/);
  } finally {
    execFileSync("umount", [mounted]);
  }
});

it("is free again for the next opening after close, also when close is called twice", async (context) => {
  const folder = newFolder(context);
  const first = await openSqlite(folder);
  await first.close();
  await first.close();
  await open(folder);
});

it("keeps what was committed over a kill -9", async (context) => {
  const folder = newFolder(context);
  const script = `
    import { openSqlite } from ${JSON.stringify(path.join(import.meta.dirname, "sqlite.ts"))};
    import { migrate } from ${JSON.stringify(path.join(import.meta.dirname, "../migrate.ts"))};
    const database = await openSqlite(${JSON.stringify(folder)});
    await migrate(database);
    await database.writeTransaction(async (run) => run("insert into options (key, value) values (?, ?)", ["kept", "yes"]));
    await database.writeTransaction(async (run) => {
      await run("insert into options (key, value) values (?, ?)", ["lost", "yes"]);
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => setInterval(() => undefined, 1000));
    });`;
  const killed = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
  await once(killed, "exit");
  assert.equal(killed.signalCode, "SIGKILL");
  const { db } = await open(folder);
  assert.deepEqual(await db.selectFrom("options").select("key").execute(), [{ key: "kept" }]);
});

it("says what is wrong with a file that is no database, and does not stay locked", async (context) => {
  const folder = newFolder(context);
  writeFileSync(path.join(folder, "one-api.db"), "this is a text file and no database at all ".repeat(50));
  for (const attempt of [1, 2]) {
    await assert.rejects(
      openSqlite(folder),
      /one-api\.db cannot be opened: file is not a database/,
      `attempt ${attempt}`,
    );
  }
});

it("names the folder when it cannot be made", async (context) => {
  const folder = newFolder(context);
  writeFileSync(path.join(folder, "file"), "");
  for (const place of [path.join(folder, "file", "data"), "/proc/no-such-place/data"])
    await assert.rejects(openSqlite(place), /DATA_DIR: the folder .* cannot be made: .*\. Make it and give it/);
});

it("names the folder when the database's name is taken by a folder", async (context) => {
  const folder = newFolder(context);
  mkdirSync(path.join(folder, "one-api.db"));
  await assert.rejects(openSqlite(folder), /DATA_DIR: the database file .* cannot be opened/);
});

it("compares versions by number, not by text", () => {
  assert.equal(isOlder("3.51.2", "3.51.3"), true);
  assert.equal(isOlder("3.51.3", "3.51.3"), false);
  assert.equal(isOlder("3.9.9", "3.51.3"), true);
  assert.equal(isOlder("4.0.0", "3.51.3"), false);
});

it("keeps answering with all columns after a table has changed", async (context) => {
  const database = await open(newFolder(context));
  await sql`create table changing (one integer)`.execute(database.db);
  await sql`insert into changing (one) values (1)`.execute(database.db);
  const read = () => sql`select * from changing`.execute(database.db);
  assert.deepEqual((await read()).rows, [{ one: 1 }]);
  await sql`alter table changing add column two integer default 2`.execute(database.db);
  assert.deepEqual((await read()).rows, [{ one: 1, two: 2 }]);
});

it("says that the disk is full, keeps nothing of that transaction, and goes on once there is room", async (context) => {
  const database = await open(newFolder(context));
  await migrate(database);
  await sql`pragma max_page_count = 80`.execute(database.db);
  const insert = "insert into options (key, value) values (?, ?)";
  const fill = database.writeTransaction(async (run) => {
    await run(insert, ["small", ""]);
    await run(insert, ["large", "x".repeat(10_000_000)]);
  });
  await assert.rejects(fill, DatabaseUnavailableError);
  assert.deepEqual(await database.db.selectFrom("options").select("key").execute(), []);
  await sql`pragma max_page_count = 100000`.execute(database.db);
  await database.writeTransaction(async (run) => run(insert, ["room", ""]));
  assert.deepEqual(await database.db.selectFrom("options").select("key").execute(), [{ key: "room" }]);
});

it("says that the disk only reads, counts the write, and goes on once it writes", async (context) => {
  const database = await open(newFolder(context));
  await migrate(database);
  const insert = () =>
    database.writeTransaction(async (run) => run("insert into options (key, value) values (?, ?)", ["one", ""]));
  await sql`pragma query_only = on`.execute(database.db);
  await assert.rejects(
    insert(),
    (error) => error instanceof DatabaseUnavailableError && /only reads/.test(error.message),
  );
  assert.equal(database.failedWrites(), 1);
  await sql`pragma query_only = off`.execute(database.db);
  await insert();
  assert.equal(database.failedWrites(), 1);
});

it("waits for another program that writes to the file, and says so when it takes too long", async (context) => {
  const folder = newFolder(context);
  const database = await open(folder);
  await migrate(database);
  await sql`pragma busy_timeout = 10`.execute(database.db);
  const foreign = new DatabaseSync(path.join(folder, "one-api.db"));
  context.after(() => foreign.close());
  foreign.exec("begin immediate");
  const write = () => database.db.insertInto("options").values({ key: "a", value: "" }).execute();
  await assert.rejects(
    write(),
    (error) => error instanceof DatabaseUnavailableError && /locked by another program/.test(error.message),
  );
  await assert.rejects(
    database.writeTransaction(async () => undefined),
    DatabaseUnavailableError,
  );
  foreign.exec("rollback");
  await write();
});

it("runs more kinds of statements than it keeps prepared", async (context) => {
  const { db } = await open(newFolder(context));
  for (let number = 0; number < 1200; number += 1) {
    const { rows } = await sql`select ${number} as ${sql.id(`column_${number}`)}`.execute(db);
    assert.deepEqual(rows, [{ [`column_${number}`]: number }]);
  }
});
