import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createMariadbDatabase, mariadbMissing } from "@one-api/database/testing/mariadb-test-server";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import { readConfig } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { importOldServer } from "./import-old-server.ts";
import { createOldFile, fillOldMysql, oldHash, type OldRows } from "@one-api/importer/testing/old-database";

const COMMAND = fileURLToPath(new URL("run-import.ts", import.meta.url));
const SERVER = fileURLToPath(new URL("../main.ts", import.meta.url));
const MANY = 3_000;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function environment(dataDirectory: string): Record<string, string | undefined> {
  const { NODE_COMPILE_CACHE } = process.env;
  return { NODE_COMPILE_CACHE, DATA_DIR: dataDirectory, PORT: "0" };
}

function run(file: string, args: readonly string[], dataDirectory: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [file, ...args],
      { env: environment(dataDirectory) },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

describe("npm run import", () => {
  test("prints its usage, its report or the reason of a refusal, without a stack trace", async () => {
    const folder = path.join(temporaryFolder("import-"), "new");
    const usage = await run(COMMAND, ["--all", "old.db"], folder);
    assert.deepEqual([usage.code, usage.stdout], [1, ""]);
    assert.match(usage.stderr, /^Name the old database/);
    const refused = await run(COMMAND, ["postgres://me:hidden@127.0.0.1:1/old"], folder);
    assert.deepEqual([refused.code, existsSync(folder)], [1, false]);
    assert.match(refused.stderr, /^Cannot read PostgreSQL at postgres:\/\/me@127\.0\.0\.1:1\/old: [^\n]+\n$/);
    const done = await run(COMMAND, [createOldFile({})], folder);
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /^Brought over from One API:[^]*log in as root/);
  });

  test("refuses databases of other programs", async () => {
    const folder = temporaryFolder("import-");
    const config = readConfig({ DATA_DIR: path.join(folder, "new") });
    const empty = path.join(folder, "empty.db");
    new DatabaseSync(empty).close();
    for (const [source, message] of [
      [path.join(folder, "none.db"), /^There is no file /],
      [fileURLToPath(import.meta.url), /cannot be read as a SQLite database/],
      [empty, /^This is no database of One API or new-api/],
      [changedFile("create table schema_migrations (number integer, checksum text)"), /^This is a database of this very program/],
      [changedFile("alter table channels add column only_chat boolean"), /^This is a database of one-hub/],
      [changedFile("update users set status = 2"), /^The old database has no super administrator/],
      ["root:123456@tcp(localhost:3306)/oneapi", /^Write the address of MySQL as mysql:\/\/user:password@host:3306\/database/],
    ] as const)
      await assert.rejects(importOldServer(config, systemClock, { source, isDryRun: false }), { message });
    assert.equal(existsSync(path.join(folder, "new")), false);
  }); // prettier-ignore

  test("server and command refuse the old file in the place of the new one", async () => {
    const folder = temporaryFolder("import-");
    const file = path.join(folder, "one-api.db");
    copyFileSync(createOldFile({ users: [{ id: 2, username: "alice", password: oldHash() }] }), file);
    const server = await run(SERVER, [], folder);
    assert.equal(server.code, 1);
    assert.match(server.stderr, /^This is the database of another program[^]*npm run import -- old\.db\n$/);
    const command = await run(COMMAND, [file], folder);
    assert.match(command.stderr, /lies where the new one is to be made\. Move it elsewhere/);
    const database = new DatabaseSync(file, { readOnly: true });
    const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
    database.close();
    assert.ok(!tables.some(({ name }) => name === "schema_migrations"));
    assert.equal(tables.length, 7);
  });

  for (const kind of ["SQLite", "MySQL"] as const)
    test(`killed in its transaction, it leaves nothing and can be run again, from ${kind}`, { skip: (kind === "MySQL" && mariadbMissing()) || false }, async () => {
      const folder = path.join(temporaryFolder("import-"), "data");
      mkdirSync(folder);
      const hash = oldHash();
      const numbers = Array.from({ length: MANY }, (_, index) => index + 2);
      const rows = { users: numbers.map((id) => ({ id, username: `user${id}`, password: hash, quota: id, aff_code: `c${id}` })) };
      const source = kind === "SQLite" ? createOldFile(rows) : await createOldMysql(rows);
      const child = spawn(process.execPath, [COMMAND, source], { env: environment(folder), stdio: "ignore" });
      const ended = once(child, "exit");
      // The key is created after the migrations: the next lock is that of the import's transaction.
      await waitUntil(async () => existsSync(path.join(folder, "secret.key")));
      await waitUntil(async () => isLocked(folder));
      child.kill("SIGKILL");
      assert.deepEqual(await ended, [null, "SIGKILL"], "it had ended before the kill");
      assert.equal(countUsers(folder), 0);
      const again = await run(COMMAND, [source], folder);
      assert.equal(again.code, 0, again.stderr);
      assert.equal(countUsers(folder), MANY + 1);
      const compared = await run(COMMAND, ["--compare", source], folder);
      assert.deepEqual([compared.code, compared.stderr], [0, ""]);
    }); // prettier-ignore

  test("--compare exits with 0 if all agrees, 1 for a difference, 2 if it cannot compare", async () => {
    const folder = path.join(temporaryFolder("import-"), "data");
    const source = createOldFile({
      options: [{ key: "ModelRatio", value: '{"gpt-4o":1.25}' }],
      logs: [{ id: 1, user_id: 1, type: 2, model_name: "gpt-4o", prompt_tokens: 100, quota: 125 }],
    });
    const compare = async () => (await run(COMMAND, ["--compare", source], folder)).code;
    assert.equal(await compare(), 2);
    assert.equal((await run(COMMAND, [source], folder)).code, 0);
    assert.equal(await compare(), 0);
    change(path.join(folder, "one-api.db"), "update options set value = '{\"gpt-4o\":2}' where key = 'ModelRatio'");
    assert.equal(await compare(), 1);
    change(path.join(folder, "one-api.db"), "update options set value = '{\"gpt-4o\":1.25}' where key = 'ModelRatio'");
    change(source, "update users set quota = quota + 1");
    const { code, stdout } = await run(COMMAND, ["--compare", source], folder);
    assert.equal(code, 1);
    assert.match(stdout, /^ {2}user 1: 500000000000001 left and 0 used there, 500000000000000 left and 0 used here$/m);
    assert.equal((await run(COMMAND, ["--compare", "--dry-run", source], folder)).code, 1);
  });
});

async function createOldMysql(rows: OldRows): Promise<string> {
  const database = await createMariadbDatabase();
  await fillOldMysql(database, rows, "one-api");
  return database.url;
}

/** True while another process has a write transaction on the new database. */
function isLocked(folder: string): boolean {
  const database = new DatabaseSync(path.join(folder, "one-api.db"), { timeout: 0 });
  try {
    database.exec("begin immediate");
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

/** The file of an old server after a statement. */
function changedFile(statement: string): string {
  const file = createOldFile({});
  change(file, statement);
  return file;
}

function change(file: string, statement: string): void {
  const database = new DatabaseSync(file);
  database.exec(statement);
  database.close();
}

function countUsers(folder: string): unknown {
  const database = new DatabaseSync(path.join(folder, "one-api.db"));
  const count = database.prepare("select count(*) as count from users").get()?.["count"];
  database.close();
  return count;
}
