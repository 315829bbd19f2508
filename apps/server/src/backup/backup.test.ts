import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { describe, test, type TestContext } from "node:test";
import { BackupFileError, readBackupHeader, writeBackupFile } from "@one-api/database/backup/backup-file";
import { BACKUP_TABLES } from "@one-api/database/backup/backup-tables";
import { allMigrations } from "@one-api/database/migrations/all-migrations";
import { connectDatabase } from "@one-api/database/connect-database";
import { type DatabaseLocation, type OpenDatabase } from "@one-api/database/open-database";
import {
  createMigratedDatabase,
  createTestDatabase,
  DATABASE_KINDS,
  type DatabaseKind,
  whyMissing,
} from "@one-api/database/test-databases";
import { sampleCheckpoint, sampleLog, sampleToken, sampleUser } from "@one-api/database/testing/sample-rows";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { sql } from "kysely";
import { readConfig, StartError } from "../config.ts";
import { createSecrets } from "../core/secrets.ts";
import { masterKeyFits } from "../features/options/index.ts";
import { createBackup } from "./create-backup.ts";
import { restoreBackup } from "./restore-backup.ts";

const NEWEST = allMigrations.length;

const SECRET_KEY = "a master key of the backup's test";
const LOG_ROWS = 1_203;

function configOf({ databaseUrl, dataDirectory }: DatabaseLocation) {
  return readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: dataDirectory, SECRET_KEY });
}

function backUp(location: DatabaseLocation, file: string) {
  return createBackup(location, { file, program: "9.9.9", nowMs: 1_700_000_000_000, onProgress: () => undefined });
}

function restore(location: DatabaseLocation, file: string, replace = false) {
  return restoreBackup(configOf(location), { file, replace, onProgress: () => undefined });
}

function newFile(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "one-api-backup-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return path.join(folder, "one-api.backup");
}

async function withDatabase<Result>(location: DatabaseLocation, work: (database: OpenDatabase) => Promise<Result>) {
  const database = await connectDatabase(location);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** A user with a token, a long log, and a server that was killed with an unapplied charge and a checkpoint. */
async function fill(database: OpenDatabase): Promise<void> {
  const { db } = database;
  await masterKeyFits(database, createSecrets(SECRET_KEY));
  const user = await db
    .insertInto("users")
    .values(sampleUser({ username: "测试 'x' \"y\" \\ \n" }))
    .returning("id")
    .executeTakeFirstOrThrow();
  const gone = await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow();
  await db.deleteFrom("users").where("id", "=", gone.id).execute();
  const token = await db
    .insertInto("tokens")
    .values(sampleToken({ user_id: user.id, unlimited_quota: 1 }))
    .returning("id")
    .executeTakeFirstOrThrow();
  await createQuotaLedger().grant(db, { userId: user.id, amount: 9_007_199_254_000_000, note: "", at: 1 });
  const ids = { user_id: user.id, token_id: token.id };
  for (let row = 0; row < LOG_ROWS; row += 1)
    await db
      .insertInto("logs")
      .values(sampleLog({ ...ids, type: 4, quota: 0, content: `entry ${row}` }))
      .execute();
  await db.insertInto("owners").values({ id: 17 }).execute();
  await sql`update shares set remaining = remaining - 1000 where kind = 1`.execute(db);
  await db.insertInto("shares").values({ kind: 1, account: user.id, owner: 17, remaining: 1_000 }).execute();
  await db
    .insertInto("logs")
    .values(sampleLog({ ...ids, owner: 17, quota: 7, request_id: "unapplied" }))
    .execute();
  await db
    .insertInto("checkpoints")
    .values(sampleCheckpoint({ ...ids, owner: 17, delivered: 5, token_limited: 0 }))
    .execute();
}

async function countAll({ db }: OpenDatabase): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of BACKUP_TABLES) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}

async function filledDatabase(t: TestContext, kind: DatabaseKind) {
  const made = await createMigratedDatabase(kind);
  t.after(() => made.remove());
  await withDatabase(made.location, fill);
  return made.location;
}

async function emptyDatabase(t: TestContext, kind: DatabaseKind) {
  const made = await createTestDatabase(kind);
  t.after(() => made.remove());
  return made.location;
}

for (const kind of DATABASE_KINDS) {
  describe(`a backup of ${kind}`, { skip: whyMissing("postgres") ?? false }, () => {
    for (const target of DATABASE_KINDS) {
      test(`comes back on ${target} with every row, and its balances add up`, async (t) => {
        const [source, file] = [await filledDatabase(t, kind), newFile(t)];
        const { header, differences } = await backUp(source, file);
        assert.deepEqual(differences, []);
        assert.equal(statSync(file).mode & 0o777, 0o600);
        assert.deepEqual({ ...header.rows, logs: 0 }, { ...(await withDatabase(source, countAll)), logs: 0 });
        assert.equal(header.rows["logs"], LOG_ROWS + 1);

        const into = await emptyDatabase(t, target);
        assert.equal((await restore(into, file)).keyFits, true);
        await withDatabase(into, async (restored) => {
          const { db } = restored;
          const user = await db.selectFrom("users").selectAll().executeTakeFirstOrThrow();
          assert.equal(user.username, "测试 'x' \"y\" \\ \n");
          const last = await db
            .selectFrom("logs")
            .select("content")
            .where("content", "=", `entry ${LOG_ROWS - 1}`)
            .execute();
          assert.equal(last.length, 1);
          assert.deepEqual(await checkBalances(restored), []);
          const balance = await db.selectFrom("user_balances").select("remaining").executeTakeFirstOrThrow();
          // SQLite absorbs the dead server at once: its checkpoint is charged.
          assert.equal(balance.remaining, 9_007_199_254_000_000 - 7 - (target === "sqlite" ? 5 : 0));
          const states = await db.selectFrom("owners").select("state").execute();
          assert.deepEqual(
            states.map(({ state }) => state),
            target === "sqlite" ? [] : ["dead"],
          );
          const next = await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow();
          assert.equal(next.id, user.id + 2, "the id of a deleted row is not given again");
        });
      });
    }

    test("has the rows of one moment, and the server writes on", async (t) => {
      const [source, file] = [await filledDatabase(t, kind), newFile(t)];
      await withDatabase(source, async (server) => {
        let writing: Promise<unknown> | undefined;
        const { header } = await createBackup(source, {
          file,
          program: "9.9.9",
          nowMs: 0,
          onProgress: () => {
            writing ??= server.db
              .insertInto("logs")
              .values(sampleLog({ quota: 0, type: 4 }))
              .execute();
          },
        });
        await writing;
        assert.equal(header.rows["logs"], LOG_ROWS + 1);
        assert.equal((await countAll(server))["logs"], LOG_ROWS + 2);
      });
    });

    test("reports balances that differ, and brings them back as they were", async (t) => {
      const [source, file] = [await filledDatabase(t, kind), newFile(t)];
      await withDatabase(source, async ({ db }) => {
        await sql`update shares set remaining = remaining - 1 where kind = 1 and owner = 0`.execute(db);
      });
      assert.equal((await backUp(source, file)).differences.length, 1);
      await restore(await emptyDatabase(t, kind), file);
    });

    test("is restored into an empty database, or in the place of another", async (t) => {
      const [source, file] = [await filledDatabase(t, kind), newFile(t)];
      await backUp(source, file);
      const into = await filledDatabase(t, kind);
      await withDatabase(into, ({ db }) =>
        db
          .insertInto("users")
          .values(sampleUser({ username: "later" }))
          .execute(),
      );
      await assert.rejects(
        restore(into, file),
        (error) => error instanceof StartError && /not empty.*--replace/.test(error.message),
      );
      await restore(into, file, true);
      await withDatabase(into, async ({ db }) => {
        assert.equal((await db.selectFrom("users").select("id").execute()).length, 1);
      });
      if (kind === "sqlite")
        assert.deepEqual(readdirSync(into.dataDirectory).toSorted(), ["one-api.db", "one-api.lock"]);
    });

    test("is restored wholly or not at all, also when the command is killed", async (t) => {
      const [source, file] = [await filledDatabase(t, kind), newFile(t)];
      await backUp(source, file);
      const into = await emptyDatabase(t, kind);
      const program = `
        import { readConfig } from ${JSON.stringify(path.join(import.meta.dirname, "../config.ts"))};
        import { restoreBackup } from ${JSON.stringify(path.join(import.meta.dirname, "restore-backup.ts"))};
        const onProgress = (rows) => {
          if (rows < ${LOG_ROWS}) return;
          process.stdout.write("loading\\n");
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
        };
        await restoreBackup(readConfig(), { file: ${JSON.stringify(file)}, replace: false, onProgress });`;
      const env = { DATABASE_URL: into.databaseUrl, DATA_DIR: into.dataDirectory, SECRET_KEY };
      const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
        env,
        stdio: ["ignore", "pipe", "inherit"],
      });
      for await (const line of createInterface(child.stdout)) {
        assert.equal(line, "loading");
        child.kill("SIGKILL");
      }
      if (kind === "sqlite") assert.equal(existsSync(path.join(into.dataDirectory, "one-api.db")), false);
      else await withDatabase(into, async (database) => assert.equal((await countAll(database))["users"], 0));
      await restore(into, file);
      await withDatabase(into, async (database) => {
        assert.equal((await countAll(database))["logs"], LOG_ROWS + 1 + (kind === "sqlite" ? 1 : 0));
      });
    });
  });
}

describe("a backup file", () => {
  test("is refused with a sentence if it is damaged, incomplete, newer or no backup", async (t) => {
    const [source, file] = [await filledDatabase(t, "sqlite"), newFile(t)];
    await backUp(source, file);
    const into = await emptyDatabase(t, "sqlite");
    const bytes = readFileSync(file);
    const refused = async (content: Buffer | string, message: RegExp) => {
      writeFileSync(file, content);
      await assert.rejects(
        restore(into, file),
        (error) => (error instanceof BackupFileError || error instanceof StartError) && message.test(error.message),
      );
      assert.equal(existsSync(path.join(into.dataDirectory, "one-api.db")), false);
    };
    const damaged = Buffer.from(bytes);
    damaged[bytes.length - 9] = (damaged[bytes.length - 9] ?? 0) ^ 1;
    await refused(damaged, /damaged: its checksum is wrong\. Copy it again/);
    await refused(bytes.subarray(0, -1), /checksum/);
    await refused(bytes.subarray(0, 100), /is no complete backup/);
    await refused("text", /is no complete backup/);
    await refused(
      Buffer.from(bytes.toString("latin1").replace(`"schema":${NEWEST}`, `"schema":${NEWEST + 1}`), "latin1"),
      /checksum/,
    );
    await refused(
      Buffer.from(bytes.toString("latin1").replace('"version":1', '"version":2'), "latin1"),
      /version 9\.9\.9/,
    );
    rmSync(file);
    await assert.rejects(restore(into, file), /cannot be read: ENOENT/);
  });

  test("of a newer schema is refused", async (t) => {
    const [source, file] = [await filledDatabase(t, "sqlite"), newFile(t)];
    const { header } = await backUp(source, file);
    assert.equal(header.schema, NEWEST);
    const newer = `${file}.newer`;
    await writeBackupFile(newer, (async function* () {})(), () => ({ ...header, schema: 99 }));
    assert.equal((await readBackupHeader(newer)).schema, 99);
    await assert.rejects(restore(await emptyDatabase(t, "sqlite"), newer), /newer version.*9\.9\.9 or newer/);
  });

  test("is never overwritten, and a failed backup leaves none", async (t) => {
    const [source, file] = [await filledDatabase(t, "sqlite"), newFile(t)];
    writeFileSync(file, "an older backup");
    await assert.rejects(backUp(source, file), /exists\. Name another file/);
    assert.equal(readFileSync(file, "utf8"), "an older backup");
    rmSync(file);
    const failing = createBackup(source, {
      file,
      program: "",
      nowMs: 0,
      onProgress: () => {
        throw new Error("stopped");
      },
    });
    await assert.rejects(failing, /stopped/);
    assert.deepEqual(readdirSync(path.dirname(file)), []);
  });

  test("says if the present master key does not open it", async (t) => {
    const [source, file] = [await filledDatabase(t, "sqlite"), newFile(t)];
    await backUp(source, file);
    const config = { ...configOf(await emptyDatabase(t, "sqlite")), secretKey: "another key of enough length to pass" };
    assert.equal((await restoreBackup(config, { file, replace: false, onProgress: () => undefined })).keyFits, false);
  });
});
