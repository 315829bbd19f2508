import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { connectDatabase } from "@one-api/database/connect-database";
import { createMigratedDatabase, DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { recordAudit } from "./core/audit.ts";
import { contextOfGateway } from "./core/call-context.ts";
import { createChangeFeed } from "./core/change-feed.ts";
import { createSecrets } from "./core/secrets.ts";
import { sealAudit } from "./features/audit/seals/seal-audit.ts";
import { masterKeyFits } from "./features/options/index.ts";
import { createTestClock } from "./testing/test-clock.ts";

const COMMAND = fileURLToPath(new URL("verify-audit.ts", import.meta.url));
const SECRET_KEY = "0123456789abcdef0123456789abcdef";

for (const kind of DATABASE_KINDS) {
  describe(`npm run verify-audit on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    const closing: (() => Promise<void>)[] = [];
    after(async () => {
      for (const close of closing.toReversed()) await close();
    });

    test("reports changes of the trail beside a running server", async () => {
      const made = await createMigratedDatabase(kind);
      const database = await connectDatabase(made.location);
      closing.push(() => made.remove(), () => database.close());
      const [secrets, clock] = [createSecrets(SECRET_KEY), createTestClock()];
      await masterKeyFits(database, secrets);
      const context = contextOfGateway({ database, clock, secrets, changes: createChangeFeed() });
      for (const name of ["one", "two"]) await recordAudit(database.db, context, { action: "user.update", object: "user:1", detail: { name } });
      await sealAudit({ database, secrets, clock });
      const { NODE_COMPILE_CACHE } = process.env;
      const environment = { NODE_COMPILE_CACHE, DATABASE_URL: made.location.databaseUrl, DATA_DIR: made.location.dataDirectory, SECRET_KEY };
      const verify = (known: string[] = [], changed: Record<string, string> = {}) =>
        new Promise<{ code: number; output: string }>((resolve) => {
          const child = execFile(process.execPath, [COMMAND, ...known], { env: { ...environment, ...changed } }, (_error, stdout, stderr) =>
            resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
          );
        });

      const right = await verify();
      assert.equal(right.code, 0, right.output);
      assert.match(right.output, /Compared 2 entries with 1 seals[^]*is as it was written/);
      const seal = /1:[0-9a-f]{64}/.exec(right.output)?.[0] ?? "";
      assert.equal((await verify([seal])).code, 0);
      const gone = await verify([`2:${seal.slice(2)}`]);
      assert.deepEqual([gone.code, /Seal 2 is gone/.test(gone.output)], [1, true], gone.output);
      const odd = await verify(["2"]);
      assert.deepEqual([odd.code, /"2" is no seal/.test(odd.output)], [2, true], odd.output);
      const otherKey = await verify([], { SECRET_KEY: "another key of thirty-two letters" });
      assert.deepEqual([otherKey.code, /another master key/.test(otherKey.output)], [2, true], otherKey.output);

      await sql.raw(`drop trigger audit_append_only${kind === "postgres" ? " on audit" : ""}`).execute(database.db);
      await sql`update audit set detail = '{"name":"three"}' where id = 2`.execute(database.db);
      const wrong = await verify();
      assert.equal(wrong.code, 1);
      assert.match(wrong.output, /Entry 2 is not as it was sealed[^]*CHANGED/);
    }); // prettier-ignore
  });
}
