import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { systemClock } from "../../platform/clock.ts";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { createRoot } from "./create-root.ts";
import { createPasswordHasher } from "./password-hasher.ts";

describe("the first start", () => {
  eachDatabase((open) => {
    const hasher = createPasswordHasher();
    const start = async (rootPassword: string | undefined, onlyThisMachine: boolean) => {
      const database = await open();
      const deps = { database, clock: systemClock, hasher, ledger: createQuotaLedger(), rootPassword, onlyThisMachine };
      const firstLogin = await createRoot(deps);
      const root = await database.db
        .selectFrom("users")
        .select(["username", "role", "password_hash", "password_is_default"])
        .executeTakeFirstOrThrow();
      assert.deepEqual(await checkBalances(database), [], "root's quota is booked");
      return { firstLogin, root, again: () => createRoot(deps) };
    };

    test("uses the operator's password and does not show it [LOGIN-18]", async () => {
      const { firstLogin, root } = await start("operator's own", true);
      assert.deepEqual(firstLogin, { username: "root", password: undefined });
      assert.equal(root.password_is_default, 0);
      assert.equal(await hasher.verify("operator's own", root.password_hash), true);
    });

    test("uses the default password on loopback addresses [LOGIN-19]", async () => {
      const { firstLogin, root, again } = await start(undefined, true);
      assert.deepEqual(firstLogin, { username: "root", password: "123456" });
      assert.deepEqual([root.username, root.role, root.password_is_default], ["root", 100, 1]);
      assert.equal(await again(), undefined, "later starts make nobody");
    });

    test("[V24] uses a random password, shown once, on other addresses [LOGIN-20]", async () => {
      const { firstLogin, root } = await start(undefined, false);
      assert.match(firstLogin?.password ?? "", /^[A-Za-z0-9]{20}$/);
      assert.equal(root.password_is_default, 0);
      assert.equal(await hasher.verify(firstLogin?.password ?? "", root.password_hash), true);
    });

    test("creates one root when two servers start at once", async () => {
      const database = await open();
      const deps = {
        database,
        clock: systemClock,
        hasher,
        ledger: createQuotaLedger(),
        rootPassword: undefined,
        onlyThisMachine: true,
      };
      const logins = await Promise.all([createRoot(deps), createRoot(deps)]);
      assert.equal(logins.filter((login) => login !== undefined).length, 1);
      assert.equal((await database.db.selectFrom("ledger_entries").select("id").execute()).length, 1);
    });
  });
});
