import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { promisify } from "node:util";
import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation } from "@one-api/database/open-database";
import {
  createTestDatabase,
  DATABASE_KINDS,
  type DatabaseKind,
  type TestDatabase,
  whyMissing,
} from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { checkBalances } from "@one-api/ledger/check-balances";
import { findPostgres } from "../../scripts/lib/find-programs.mjs";
import { setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { askInEveryWay } from "./ask-in-every-way.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { forgetDeadGateways } from "./forget-dead-gateways.ts";

const run = promisify(execFile);
const CALLS = 60;
/** The backup begins when so many calls have ended, while the others are anywhere between their start and their settlement. */
const BACKUP_AFTER_ENDS = 10;

const KEY_FILE = "secret.key";
const DATABASE_FILE = "one-api.db";

/** A backup as the docs have it made; puts it where a new gateway finds it and returns where that is. */
type Restore = () => Promise<TestDatabase>;

/** Copies the file while its gateway runs. It comes back into the folder of the gateway that was killed, whose last commits lie beside the file. */
async function backUpSqlite(made: TestDatabase): Promise<Restore> {
  const { dataDirectory } = made.location;
  const copies = await createTestDatabase("sqlite");
  const [running, copy] = [dataDirectory, copies.location.dataDirectory].map((folder) =>
    path.join(folder, DATABASE_FILE),
  );
  assert.ok(running !== undefined && copy !== undefined);
  const source = new DatabaseSync(running, { readOnly: true });
  await backup(source, copy);
  source.close();
  return async () => {
    assert.ok(existsSync(`${running}-wal`), readdirSync(dataDirectory).join());
    for (const left of ["-wal", "-shm"]) rmSync(running + left);
    copyFileSync(copy, running);
    await copies.remove();
    return made;
  };
}

/** Dumps the database while its gateway runs. It comes back into a new database, for a gateway with the key of the one before. */
async function backUpPostgres({ location }: TestDatabase): Promise<Restore> {
  const copies = await createTestDatabase("postgres");
  const dump = path.join(copies.location.dataDirectory, "one-api.dump");
  const programs = findPostgres() ?? "";
  await run(path.join(programs, "pg_dump"), ["--format=custom", `--file=${dump}`, location.databaseUrl]);
  return async () => {
    const into = `--dbname=${copies.location.databaseUrl}`;
    await run(path.join(programs, "pg_restore"), ["--no-owner", "--exit-on-error", into, dump]);
    copyFileSync(path.join(location.dataDirectory, KEY_FILE), path.join(copies.location.dataDirectory, KEY_FILE));
    return copies;
  };
}

const BACK_UP = { sqlite: backUpSqlite, postgres: backUpPostgres } as const;

/** Why the backup cannot be made here; undefined when it can. */
function whyNot(kind: DatabaseKind): string | undefined {
  const missing = whyMissing(kind);
  if (missing !== undefined || kind === "sqlite") return missing;
  const programs = findPostgres();
  const isThere =
    programs !== undefined && ["pg_dump", "pg_restore"].every((name) => existsSync(path.join(programs, name)));
  return isThere ? undefined : "PostgreSQL's pg_dump and pg_restore were not found beside its server programs.";
}

async function differencesIn(location: DatabaseLocation): Promise<unknown> {
  const database = await connectDatabase(location);
  try {
    return await checkBalances(database);
  } finally {
    await database.close();
  }
}

for (const kind of DATABASE_KINDS) {
  test(
    `a backup made under load comes back with all balances adding up, and serves, on ${kind}`,
    { skip: whyNot(kind) ?? false },
    async (t) => {
      const upstream = await startStubServer({ behaviour: () => ({ kind: "normal", chunkDelayMs: 20, pieces: 12 }) });
      t.after(() => upstream.close());
      const made = await createTestDatabase(kind);
      t.after(() => made.remove());
      let gateway = await startGateway(made.location);
      t.after(() => gateway.kill());
      const key = await setUpStubChannel(gateway.url, upstream.at("openai"));
      const before = await askInEveryWay({ url: gateway.url, key }, 5);
      let ends = 0;
      let restoring: Promise<Restore> | undefined;
      const during = await askInEveryWay({ url: gateway.url, key }, CALLS, () => {
        ends += 1;
        if (ends === BACKUP_AFTER_ENDS) restoring = BACK_UP[kind](made);
      });
      assert.deepEqual([before.length, during.length], [5, CALLS], "nobody is kept waiting for it");
      const restore = await restoring;
      const later = await askInEveryWay({ url: gateway.url, key }, 5);
      assert.equal(later.length, 5);
      await gateway.kill();

      const restored = await restore?.();
      assert.ok(restored);
      t.after(() => restored.remove());
      gateway = await startGateway(restored.location);
      const root = await logInToGateway(gateway.url);
      await root.get("/api/user/self");
      const after = await askInEveryWay({ url: gateway.url, key }, 1);
      assert.equal(after.length, 1);
      assert.equal(await gateway.terminate(), 0);
      assert.deepEqual(await differencesIn(restored.location), []);
      await forgetDeadGateways(restored.location);
      gateway = await startGateway(restored.location);
      assert.equal(await gateway.terminate(), 0);
      const charged = await expectBooksInOrder(restored.location, [...before, ...after]);
      const most = before.length + during.length + after.length;
      assert.ok(charged >= before.length + after.length && charged <= most, "of what came later nothing is in it");
    },
  );
}
