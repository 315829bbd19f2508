import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as factors from "@one-api/contract/accounts/factor";
import { getSelf, login } from "@one-api/contract/accounts/user";
import { DATABASE_KINDS, createMigratedDatabase, whyMissing } from "@one-api/database/test-databases";
import { connectDatabase } from "@one-api/database/connect-database";
import { createTestApp } from "./testing/create-test-app.ts";
import { givePasskeyToRoot, setOptions } from "./testing/set-options.ts";

const COMMAND = fileURLToPath(new URL("recover-root.ts", import.meta.url));

for (const kind of DATABASE_KINDS) {
  describe(`npm run recover-root on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    test("lets root log in with a new password after a wrong address and passkeys only", async (t) => {
      const made = await createMigratedDatabase(kind);
      t.after(async () => {
        await made.remove();
      });
      const { NODE_COMPILE_CACHE } = process.env;
      const SECRET_KEY = "0123456789abcdef0123456789abcdef";
      const env = {
        NODE_COMPILE_CACHE,
        DATABASE_URL: made.location.databaseUrl,
        DATA_DIR: made.location.dataDirectory,
        SECRET_KEY,
      };
      const recover = async () => {
        const child = execFile(process.execPath, [COMMAND], { env });
        let output = "";
        for (const stream of [child.stdout, child.stderr]) stream?.on("data", (piece) => (output += String(piece)));
        await once(child, "close");
        return { code: child.exitCode, output };
      };
      const withServer = async (work: (testApp: Awaited<ReturnType<typeof createTestApp>>) => Promise<void>) => {
        const database = await connectDatabase(made.location);
        try {
          const testApp = await createTestApp({ database, environment: { SECRET_KEY } });
          await work(testApp);
          await testApp.close();
        } finally {
          await database.close();
        }
      };
      await withServer(async (testApp) => {
        await givePasskeyToRoot(testApp);
        await setOptions(testApp, { ServerAddress: "https://gateway.example", PasswordLoginEnabled: "false" });
      });
      const { code, output } = await recover();
      assert.equal(code, 0, output);
      const password = /Login: root \/ (\w{20})/.exec(output)?.[1];
      await withServer(async (testApp) => {
        const client = testApp.client();
        assert.equal((await client.send(login, { body: { username: "root", password } })).envelope?.success, true);
        assert.equal((await client.data(getSelf)).role, 100);
        assert.deepEqual((await client.data(factors.getFactors)).passkeys, []);
        const told = testApp.database.db.selectFrom("audit").select("object").where("action", "=", "user.recover-root");
        assert.equal((await told.execute()).length, 1);
      });
    });
  });
}
