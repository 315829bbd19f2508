import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { connectDatabase } from "@one-api/database/connect-database";
import {
  createMigratedDatabase,
  createTestDatabase,
  DATABASE_KINDS,
  whyMissing,
} from "@one-api/database/test-databases";
import { sampleCheckpoint, sampleLog, sampleToken, sampleUser } from "@one-api/database/testing/sample-rows";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { sql } from "kysely";

const COMMAND = fileURLToPath(new URL("check-balances.ts", import.meta.url));

function runCommand({ databaseUrl, dataDirectory }: { databaseUrl: string; dataDirectory: string }) {
  const { NODE_COMPILE_CACHE } = process.env;
  const env = { NODE_COMPILE_CACHE, DATABASE_URL: databaseUrl, DATA_DIR: dataDirectory };
  return new Promise<{ code: number; lines: string[] }>((resolve) => {
    const child = execFile(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", COMMAND],
      { env },
      (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, lines: `${stdout}${stderr}`.trim().split("\n") }),
    );
  });
}

for (const kind of DATABASE_KINDS) {
  describe(`npm run check-balances on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    test("compares balances with the ledger beside a running server, and reports differences", async (t) => {
      const made = await createMigratedDatabase(kind);
      t.after(() => made.remove());
      const database = await connectDatabase(made.location);
      t.after(() => database.close());
      const { db } = database;
      const user = await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow();
      const token = await db
        .insertInto("tokens")
        .values(sampleToken({ user_id: user.id }))
        .returning("id")
        .executeTakeFirstOrThrow();
      await createQuotaLedger().grant(db, { userId: user.id, amount: 500, note: "", at: 1 });
      assert.deepEqual(await runCommand(made.location), {
        code: 0,
        lines: ["All balances are what the ledger adds up to."],
      });

      await sql`update shares set remaining = 400, used = 7 where kind = 1 and account = ${user.id}`.execute(db);
      const charge = { owner: 5, user_id: user.id, token_id: token.id, quota: 7, token_amount: 3, request_id: "late" };
      await db.insertInto("logs").values(sampleLog(charge)).execute();
      await db.insertInto("owners").values({ id: 5 }).execute();
      await db.insertInto("shares").values({ kind: 1, account: user.id, owner: 5, remaining: 100 }).execute();
      await db.insertInto("shares").values({ kind: 2, account: token.id, owner: 6, remaining: 0 }).execute();
      await db
        .insertInto("checkpoints")
        .values(sampleCheckpoint({ user_id: user.id, owner: 9 }))
        .execute();
      const { code, lines } = await runCommand(made.location);
      assert.equal(code, 1);
      assert.deepEqual(
        new Set(lines),
        new Set([
          `User ${user.id}: used is 14, the ledger adds up to 7.`,
          `A share of account ${token.id} has 0, and charges of 3 are to be subtracted from it.`,
          `A share of account ${token.id} belongs to owner 6, which does not exist.`,
          `A checkpoint of user ${user.id} belongs to server 9, which does not exist.`,
          "4 balances DIFFER from the ledger. Nothing was changed; docs/configuration.md says what each line means.",
        ]),
      );
    });

    test("fails without a database of this version", async (t) => {
      const made = await createTestDatabase(kind);
      t.after(() => made.remove());
      const { code, lines } = await runCommand(made.location);
      assert.equal(code, 2, lines.join());
    });
  });
}
