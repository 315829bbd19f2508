import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation } from "@one-api/database/open-database";
import { createMigratedDatabase, DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { sampleToken } from "@one-api/database/testing/sample-rows";
import { OPTION_KEYS } from "@one-api/contract/options/option-definitions";
import { sql } from "kysely";
import { createSecrets } from "../core/secrets.ts";
import { isSecretOption, saveOption } from "../features/options/index.ts";
import { sealAudit, verifyAudit } from "../features/audit/index.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { CHAT, type RelayTest, startRelayTest, TEST_MODEL } from "../testing/start-relay-test.ts";
import { SEALED_COLUMNS } from "./sealed-rows.repository.ts";

const OLD = "the master key that has leaked to others";
const NEW = "the master key that comes in its place";
const BOTH = { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD };
const COMMAND = path.join(import.meta.dirname, "run-rotate-key.ts");
/** More than one page. */
const TOKENS = 450;
const OPTION = OPTION_KEYS.find(isSecretOption) ?? "SystemName";

function environmentOf({ databaseUrl, dataDirectory }: DatabaseLocation, keys: Readonly<Record<string, string>>) {
  const { NODE_COMPILE_CACHE } = process.env;
  return { NODE_COMPILE_CACHE, DATABASE_URL: databaseUrl, DATA_DIR: dataDirectory, ...keys };
}

function runCommand(location: DatabaseLocation, keys: Readonly<Record<string, string>>, ...options: string[]) {
  const parameters = ["--disable-warning=ExperimentalWarning", COMMAND, ...options];
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      parameters,
      { env: environmentOf(location, keys) },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: `${stdout}${stderr}` }),
    );
  });
}

async function withServer<Result>(
  location: DatabaseLocation,
  environment: Readonly<Record<string, string>>,
  work: (server: RelayTest) => Promise<Result>,
): Promise<Result> {
  const database = await connectDatabase(location);
  try {
    const server = await startRelayTest({ database, environment });
    try {
      return await work(server);
    } finally {
      await server.close();
    }
  } finally {
    await database.close();
  }
}

async function callWith(server: RelayTest, key: string): Promise<number> {
  const body = { model: TEST_MODEL, messages: [{ role: "user", content: "hello" }] };
  const response = await server.post(CHAT, key, body);
  await response.text();
  return response.status;
}

/** Kills the command when it has committed some pages. */
async function rotateAndKill(location: DatabaseLocation): Promise<void> {
  const importOf = (names: string, file: string) =>
    `import { ${names} } from ${JSON.stringify(path.join(import.meta.dirname, file))};`;
  const program = `
    import { connectDatabase } from "@one-api/database/connect-database";
    ${importOf("contextOfGateway", "../core/call-context.ts")}
    ${importOf("changeMasterKey", "../features/options/index.ts")}
    ${importOf("openStoredSecrets", "../open-secrets.ts")}
    ${importOf("readConfig", "../config.ts")}
    ${importOf("rotateSecrets", "rotate-key.ts")}
    const config = readConfig();
    const database = await connectDatabase(config);
    const secrets = await openStoredSecrets(config, database);
    await changeMasterKey(contextOfGateway({ database, clock: { nowMs: () => 0 }, secrets, changes: undefined }));
    await rotateSecrets(database, secrets, (rotated) => {
      if (rotated < 200) return;
      process.stdout.write("rotating\\n");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: import.meta.dirname,
    env: environmentOf(location, BOTH),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    child.kill("SIGKILL");
  }
  assert.deepEqual(lines, ["rotating"]);
}

for (const kind of DATABASE_KINDS) {
  describe(`npm run rotate-key on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    test("encrypts all secrets with the new key, also after a kill, and every token works throughout", async (t) => {
      const made = await createMigratedDatabase(kind);
      t.after(() => made.remove());
      const { location } = made;
      const upstream = await startStubServer();
      t.after(() => upstream.close());
      const fingerprintOf = ({ testApp }: RelayTest) => testApp.deps.secrets.lookup("a recovery code");
      const before = await withServer(location, { SECRET_KEY: OLD }, async (server) => {
        const { database, deps } = server.testApp;
        await server.addChannel(upstream, { config: JSON.stringify({ sk: "a secret part" }) });
        const key = await server.addToken();
        const values = Array.from({ length: TOKENS }, () =>
          sampleToken({ key_cipher: deps.secrets.seal("token-key", "another") }),
        );
        for (let at = 0; at < TOKENS; at += 50)
          await database.db
            .insertInto("tokens")
            .values(values.slice(at, at + 50))
            .execute();
        await saveOption(database.db, { key: OPTION, value: deps.secrets.seal("option", "a mail password") });
        await sealAudit({ ...deps, clock: createTestClock() });
        return { key, fingerprint: fingerprintOf(server) };
      });

      // Rolled: the new servers still write what servers with the old key alone can read.
      const later = await withServer(location, BOTH, async (server) => {
        const key = await server.addToken({ name: "later" });
        const row = await server.testApp.database.db
          .selectFrom("tokens")
          .select("key_cipher")
          .where("name", "=", "later")
          .executeTakeFirstOrThrow();
        assert.equal(createSecrets(OLD).keyOf("token-key", row.key_cipher), "current");
        return key;
      });

      await rotateAndKill(location);
      const check = await runCommand(location, BOTH, "--check");
      assert.equal(check.code, 1, check.output);
      assert.match(check.output, /^channels: 0 of 2 rows need SECRET_KEY_PREVIOUS\.$/m);
      const waiting = Number(/^tokens: (\d+) of 452 rows/m.exec(check.output)?.[1]);
      assert.ok(waiting > 0 && waiting < 452, check.output);
      await withServer(location, BOTH, async (server) => {
        for (const key of [before.key, later]) assert.equal(await callWith(server, key), 200);
        assert.equal(fingerprintOf(server), before.fingerprint);
      });

      const rotated = await runCommand(location, BOTH);
      assert.equal(rotated.code, 0, rotated.output);
      assert.match(rotated.output, new RegExp(`^${waiting} rows were encrypted`, "m"));
      const done = await runCommand(location, { SECRET_KEY: NEW }, "--check");
      assert.equal(done.code, 0, done.output);
      await withServer(location, { SECRET_KEY: NEW }, async (server) => {
        const { deps, database } = server.testApp;
        for (const key of [before.key, later]) assert.equal(await callWith(server, key), 200);
        assert.equal(fingerprintOf(server), before.fingerprint);
        assert.deepEqual((await verifyAudit({ database, secrets: deps.secrets }, undefined)).problems, []);
        const actions = await database.db
          .selectFrom("audit")
          .select("action")
          .where("action", "=", "option.rotate-key")
          .execute();
        assert.equal(actions.length, 1);
      });
      const old = await runCommand(location, { SECRET_KEY: OLD }, "--check");
      assert.equal(old.code, 2, old.output);
      assert.match(old.output, /another master key/);
    });

    test("names rows that neither key opens, and goes on with the others", async (t) => {
      const made = await createMigratedDatabase(kind);
      t.after(() => made.remove());
      const upstream = await startStubServer();
      t.after(() => upstream.close());
      await withServer(made.location, { SECRET_KEY: OLD }, async (server) => {
        for (let channel = 0; channel < 2; channel += 1) await server.addChannel(upstream);
        const lost = createSecrets("a key that nobody has any more").seal("channel-key", "sk-of-the-channel");
        await sql`update channels set name = 'lost', key_cipher = ${lost} where id = 1`.execute(
          server.testApp.database.db,
        );
      });
      const { code, output } = await runCommand(made.location, BOTH);
      assert.equal(code, 1, output);
      assert.match(output, /^The channel-key of channels 1 \(lost\) cannot be decrypted/m);
      assert.match(output, /^1 rows need another key\. Type those secrets again/m);
      assert.doesNotMatch(output, /v1\.|sk-of/);
      await withServer(made.location, { SECRET_KEY: NEW }, async (server) => {
        const key = await server.addToken();
        assert.equal(await callWith(server, key), 200, "the other channel serves");
        const logged = server.testApp.logLines.find((line) => line.includes("a channel cannot be read"));
        assert.match(logged ?? "", /channels 1 \(lost\)/);
      });
    });

    test("is refused without the previous key, and --check says that it is due", async (t) => {
      const made = await createMigratedDatabase(kind);
      t.after(() => made.remove());
      await withServer(made.location, { SECRET_KEY: OLD }, () => Promise.resolve());
      const check = await runCommand(made.location, BOTH, "--check");
      assert.equal(check.code, 1, "no row is encrypted, but a server with the new key alone would not start");
      assert.match(check.output, /^The database belongs to SECRET_KEY_PREVIOUS/m);
      const { code, output } = await runCommand(made.location, { SECRET_KEY: NEW });
      assert.equal(code, 2);
      assert.match(output, /^SECRET_KEY_PREVIOUS is not set\. Set it to the present key/);
    });

    test("knows every column with encrypted texts", async (t) => {
      const made = await createMigratedDatabase(kind);
      t.after(() => made.remove());
      const database = await connectDatabase(made.location);
      const tables = await database.db.introspection.getTables();
      await database.close();
      const columns = tables.flatMap(({ name: table, columns: all }) =>
        all.filter(({ name }) => name.endsWith("_cipher")).map(({ name }) => `${table}.${name}`),
      );
      const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
      assert.deepEqual(columns.toSorted(), known.filter((name) => name !== "options.value").toSorted());
    });
  });
}
