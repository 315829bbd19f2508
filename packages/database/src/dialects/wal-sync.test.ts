import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it, type TestContext } from "node:test";
import { sql } from "kysely";
import { CommitOutcomeUnknownError, DatabaseUnavailableError } from "../database-errors.ts";
import type { OpenDatabase } from "../open-database.ts";
import { removeTemporaryFolder, temporaryFolder } from "../testing/temporary-folder.ts";
import { SQLITE_FILE } from "./sqlite-folder.ts";
import { openSqlite } from "./sqlite.ts";
import type { SyncFile } from "./wal-sync.ts";

const INSERT = "insert into kept (name) values (?)";

/** Every way in which something is written. */
const WAYS: readonly ((database: OpenDatabase, name: string) => Promise<unknown>)[] = [
  (database, name) => database.writeTransaction(async (run) => run(INSERT, [name])),
  ({ db }, name) => sql`insert into kept (name) values (${name})`.execute(db),
  ({ db }, name) => db.transaction().execute((trx) => sql`insert into kept (name) values (${name})`.execute(trx)),
];

function newFolder(context: TestContext): string {
  const folder = temporaryFolder("one-api-wal-");
  context.after(() => removeTemporaryFolder(folder));
  return folder;
}

async function open(context: TestContext, folder: string, syncFile: SyncFile): Promise<OpenDatabase> {
  const database = await openSqlite(folder, syncFile);
  context.after(() => database.close());
  await sql`create table kept (name text primary key)`.execute(database.db);
  return database;
}

async function namesIn({ db }: OpenDatabase): Promise<string[]> {
  const rows = await db
    .withTables<{ kept: { name: string } }>()
    .selectFrom("kept")
    .select("name")
    .orderBy("name")
    .execute();
  return rows.map(({ name }) => name);
}

/** What a computer would find in these files that starts after a power cut. */
function namesAfterPowerCut(folder: string): Set<unknown> {
  const database = new DatabaseSync(path.join(folder, SQLITE_FILE));
  const names = database.prepare("select name from kept").all();
  database.close();
  return new Set(names.map(({ name }) => name));
}

it("tells nobody of a commit that is not on disk, keeps nobody from the next one, and syncs once for all that wait", async (context) => {
  const syncs: (() => void)[] = [];
  let isHeld = false;
  context.after(() => {
    isHeld = false;
    for (const release of syncs) release();
  });
  const database = await open(context, newFolder(context), async () => {
    if (isHeld) await new Promise<void>((resolve) => syncs.push(resolve));
  });
  isHeld = true;
  const told: string[] = [];
  const writes: Promise<unknown>[] = [];
  for (const [index, write] of [...WAYS, ...WAYS].entries()) {
    const name = `name-${index}`;
    writes.push(write(database, name).then(() => told.push(name)));
    // A connection has one turn after the other: this reads what the write has committed.
    assert.equal((await namesIn(database)).length, index + 1);
  }
  assert.deepEqual(told, []);
  assert.equal(syncs.length, 1);
  syncs[0]?.();
  await writes[0];
  assert.deepEqual(told, ["name-0"]);
  assert.equal(syncs.length, 2, "those that were committed during the first sync wait for the second");
  syncs[1]?.();
  await Promise.all(writes);
  assert.equal(syncs.length, 2);
});

it("does not wait for the disk where nothing was written", async (context) => {
  let syncs = 0;
  const database = await open(context, newFolder(context), async () => void (syncs += 1));
  const before = syncs;
  await namesIn(database);
  await database.writeTransaction(async (run) => run("select name from kept", []));
  assert.equal(syncs, before);
});

it("does not wait for the disk where being in order is enough, and whatever comes behind it waits for both", async (context) => {
  const syncs: (() => void)[] = [];
  let isHeld = false;
  context.after(() => syncs.forEach((release) => release()));
  const database = await open(context, newFolder(context), async () => {
    if (isHeld) await new Promise<void>((resolve) => syncs.push(resolve));
  });
  isHeld = true;
  const first = database.writeTransaction(async (run) => run(INSERT, ["first"]), "in-order");
  assert.deepEqual(await namesIn(database), ["first"]);
  assert.equal(syncs.length, 0);
  await first;
  const second = WAYS[0]?.(database, "second");
  assert.deepEqual(await namesIn(database), ["first", "second"]);
  isHeld = false;
  assert.equal(syncs.length, 1);
  syncs[0]?.();
  await second;
});

it("loses nothing in a power cut that anybody was told", async (context) => {
  const folder = newFolder(context);
  let onDisk = "";
  let syncs = 0;
  const database = await open(context, folder, async () => {
    // What is in the files by now is what this sync puts on disk.
    syncs += 1;
    const copy = path.join(folder, `copy-${syncs}`);
    mkdirSync(copy);
    for (const file of [SQLITE_FILE, `${SQLITE_FILE}-wal`])
      copyFileSync(path.join(folder, file), path.join(copy, file));
    await new Promise(setImmediate);
    onDisk = copy;
  });
  const found = new Map<string, string>();
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      for (let turn = 0; turn < index % 7; turn += 1) await new Promise(setImmediate);
      const name = `name-${index}`;
      await WAYS[index % WAYS.length]?.(database, name);
      found.set(name, onDisk);
    }),
  );
  assert.ok(syncs > 5, "there were several moments to lose something");
  const copies = new Map([...new Set(found.values())].map((copy) => [copy, namesAfterPowerCut(copy)]));
  for (const [name, copy] of found) assert.ok(copies.get(copy)?.has(name), `${name} was told and is not in ${copy}`);
});

it("says that an outcome is unknown when the disk fails, and lets the log begin anew before it believes the disk again", async (context) => {
  const folder = newFolder(context);
  let fails = false;
  const database = await open(context, folder, async () => {
    if (fails) throw new Error("EIO: i/o error, fdatasync");
  });
  for (const write of WAYS) {
    const [lost, next] = [`lost-${WAYS.indexOf(write)}`, `next-${WAYS.indexOf(write)}`];
    fails = true;
    await assert.rejects(write(database, lost), CommitOutcomeUnknownError);
    fails = false;
    await write(database, next);
    // The log lost something: what counts must be in the file itself, or after the log's new beginning.
    const copy = path.join(folder, lost);
    mkdirSync(copy);
    copyFileSync(path.join(folder, SQLITE_FILE), path.join(copy, SQLITE_FILE));
    assert.ok(namesAfterPowerCut(copy).has(lost));
  }
  assert.equal((await namesIn(database)).length, 2 * WAYS.length);
});

it("has in the file itself, once it is open, what a killed process may have left on no disk", async (context) => {
  const [folder, left] = [newFolder(context), newFolder(context)];
  let fails = false;
  const killed = await open(context, folder, async () => {
    if (fails) throw new Error("EIO: i/o error, fdatasync");
  });
  await WAYS[0]?.(killed, "told");
  fails = true;
  await assert.rejects(WAYS[0]?.(killed, "untold") ?? Promise.resolve(), CommitOutcomeUnknownError);
  for (const file of [SQLITE_FILE, `${SQLITE_FILE}-wal`]) copyFileSync(path.join(folder, file), path.join(left, file));
  const next = await openSqlite(left);
  context.after(() => next.close());
  const copy = path.join(left, "copy");
  mkdirSync(copy);
  copyFileSync(path.join(left, SQLITE_FILE), path.join(copy, SQLITE_FILE));
  assert.deepEqual(namesAfterPowerCut(copy), new Set(["told", "untold"]));
  assert.equal(statSync(path.join(left, `${SQLITE_FILE}-wal`)).size, 0);
});

it("stays unavailable after the disk has failed for as long as the log cannot begin anew", async (context) => {
  const folder = newFolder(context);
  let fails = false;
  const database = await open(context, folder, async () => {
    if (fails) throw new Error("EIO: i/o error, fdatasync");
  });
  await sql`pragma busy_timeout = 10`.execute(database.db);
  const reader = new DatabaseSync(path.join(folder, SQLITE_FILE));
  context.after(() => reader.close());
  reader.exec("begin; select name from kept");
  fails = true;
  await assert.rejects(WAYS[0]?.(database, "lost") ?? Promise.resolve(), CommitOutcomeUnknownError);
  fails = false;
  for (const write of WAYS)
    await assert.rejects(
      write(database, "refused"),
      (error) => error instanceof DatabaseUnavailableError && !(error instanceof CommitOutcomeUnknownError),
    );
  reader.exec("commit");
  await WAYS[0]?.(database, "kept");
  assert.deepEqual(await namesIn(database), ["kept", "lost"]);
});
