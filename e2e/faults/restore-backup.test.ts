import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync } from "node:fs";
import path from "node:path";
import { test, type TestContext } from "node:test";
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
import { setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { askInEveryWay } from "./ask-in-every-way.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";

const run = promisify(execFile);
const CALLS = 60;
/** The backup begins when so many calls have ended, while the others are anywhere between their start and their settlement. */
const BACKUP_AFTER_ENDS = 10;

const KEY_FILE = "secret.key";
const COMMANDS = path.join(import.meta.dirname, "../../apps/server/src/backup");

function runCommand(name: "run-backup.ts" | "run-restore.ts", location: DatabaseLocation, ...parameters: string[]) {
  const { NODE_COMPILE_CACHE } = process.env;
  const env = { NODE_COMPILE_CACHE, DATABASE_URL: location.databaseUrl, DATA_DIR: location.dataDirectory };
  const program = path.join(COMMANDS, name);
  return run(process.execPath, ["--disable-warning=ExperimentalWarning", program, ...parameters], { env });
}

async function differencesIn(location: DatabaseLocation): Promise<unknown> {
  const database = await connectDatabase(location);
  try {
    return await checkBalances(database);
  } finally {
    await database.close();
  }
}

async function restoreInto(t: TestContext, kind: DatabaseKind, file: string, keyFolder: string): Promise<TestDatabase> {
  const made = await createTestDatabase(kind);
  t.after(() => made.remove());
  copyFileSync(path.join(keyFolder, KEY_FILE), path.join(made.location.dataDirectory, KEY_FILE));
  await runCommand("run-restore.ts", made.location, file);
  return made;
}

for (const kind of DATABASE_KINDS) {
  test(
    `a backup made under load on ${kind} comes back with all balances adding up, and serves, on both`,
    { skip: whyMissing("postgres") ?? false },
    async (t) => {
      const upstream = await startStubServer({ behaviour: () => ({ kind: "normal", chunkDelayMs: 20, pieces: 12 }) });
      t.after(() => upstream.close());
      const made = await createTestDatabase(kind);
      t.after(() => made.remove());
      const { dataDirectory } = made.location;
      const file = path.join(dataDirectory, "one-api.backup");
      let gateway = await startGateway(made.location);
      t.after(() => gateway.kill());
      const key = await setUpStubChannel(gateway.url, upstream.at("openai"));
      const before = await askInEveryWay({ url: gateway.url, key }, 5);
      let ends = 0;
      let backup: Promise<unknown> | undefined;
      const during = await askInEveryWay({ url: gateway.url, key }, CALLS, () => {
        ends += 1;
        if (ends === BACKUP_AFTER_ENDS) backup = runCommand("run-backup.ts", made.location, file);
      });
      assert.deepEqual([before.length, during.length], [5, CALLS], "no request waits for it");
      await backup;
      const later = await askInEveryWay({ url: gateway.url, key }, 5);
      assert.equal(later.length, 5);
      await gateway.kill();

      for (const target of DATABASE_KINDS) {
        const restored = await restoreInto(t, target, file, dataDirectory);
        gateway = await startGateway(restored.location);
        const root = await logInToGateway(gateway.url);
        await root.get("/api/user/self");
        const after = await askInEveryWay({ url: gateway.url, key }, 1);
        assert.equal(after.length, 1);
        assert.equal(await gateway.terminate(), 0);
        assert.deepEqual(await differencesIn(restored.location), []);
        const charged = await expectBooksInOrder(restored.location, [...before, ...after]);
        const most = before.length + during.length + after.length;
        assert.ok(charged >= before.length + after.length && charged <= most, "of what came later nothing is in it");
      }
    },
  );
}
