import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { getAuditSeal } from "@one-api/contract/audit";
import { NO_LOG_STORE } from "@one-api/log-store/no-log-store";
import { updateOption } from "@one-api/contract/options/option";
import { connectDatabase } from "@one-api/database/connect-database";
import type { OpenDatabase } from "@one-api/database/open-database";
import { createMigratedDatabase, DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { createSecrets } from "../../../core/secrets.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { recordAudit } from "../../../core/audit.ts";
import { createChangeFeed } from "../../../core/change-feed.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import { createTestApp } from "../../../testing/create-test-app.ts";
import { createTestClock } from "../../../testing/test-clock.ts";
import { checkAudit } from "./check-audit.ts";
import { removeSealedBefore, sealAudit } from "./seal-audit.ts";
import { verifyAudit } from "./verify-audit.ts";

const DAY_SECONDS = 24 * 3600;
const entryNumber = (id: number) =>
  `insert into audit (id, created_at, actor_id, actor_name, actor_role, address, action, object, detail)
  values (${id}, 1, 1, '', 1, '', 'a.b', '', '{}')`;

for (const kind of DATABASE_KINDS) {
  describe(`the audit trail's seals on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    const opened: (() => Promise<void>)[] = [];
    after(async () => {
      for (const close of opened.toReversed()) await close();
    });

    /** A database with sealed and unsealed entries, in two seals. */
    async function sealedTrail() {
      const made = await createMigratedDatabase(kind);
      const database = await connectDatabase(made.location);
      opened.push(
        () => made.remove(),
        () => database.close(),
      );
      const [clock, secrets] = [createTestClock(), createSecrets("a master key")];
      const sealing = { database, clock, secrets };
      const context = {
        actor: undefined,
        address: "192.0.2.1",
        requestId: "r",
        database,
        clock,
        secrets,
        changes: createChangeFeed(),
        logStore: NO_LOG_STORE,
      };
      const record = (queryable: Queryable = database.db) =>
        recordAudit(queryable, context, { action: "user.update", object: "user:1", detail: { n: 1 } });
      const add = async (count: number) => {
        for (let entry = 0; entry < count; entry += 1) await record();
      };
      await add(3);
      await sealAudit(sealing);
      clock.advanceSeconds(60);
      await add(3);
      await sealAudit(sealing);
      clock.advanceSeconds(60);
      await add(1);
      return { sealing, location: made.location, add, record };
    }

    /** Changes the database past its triggers. */
    const behindItsBack = async ({ db }: OpenDatabase, statement: string) => {
      const onTable = kind === "postgres" ? " on audit" : "";
      const onSeals = kind === "postgres" ? " on audit_seals" : "";
      await sql.raw(`drop trigger if exists audit_append_only${onTable}`).execute(db);
      for (const trigger of ["audit_seals_append_only", "audit_seals_no_update", "audit_seals_no_delete"])
        await sql.raw(`drop trigger if exists ${trigger}${onSeals}`).execute(db);
      await sql.raw(statement).execute(db);
    }; // prettier-ignore

    test("verify entries, and report those without a seal", async () => {
      const { sealing, add } = await sealedTrail();
      const { problems, seals, entries, unsealed, newest } = await verifyAudit(sealing);
      assert.deepEqual({ problems, seals, entries, unsealed, newest: newest?.number }, { problems: [], seals: 2, entries: 6, unsealed: 1, newest: 2 });
      assert.deepEqual(await sealAudit(sealing).then((made) => made.map(({ number, last_id }) => [number, last_id])), [[3, 7]]);
      assert.deepEqual(await sealAudit(sealing), [], "nothing new, no seal");
      await add(501);
      assert.equal((await sealAudit(sealing)).length, 2);
      assert.deepEqual((await verifyAudit(sealing)).problems, []);
    }); // prettier-ignore

    for (const [what, statement, expected] of [
      ["an entry that was changed", "update audit set detail = '{\"n\":2}' where id = 5", [{ kind: "entry-changed", id: 5 }]],
      ["an entry whose time was changed", "update audit set created_at = created_at + 1 where id = 1", [{ kind: "entry-changed", id: 1 }]],
      ["an entry that was removed", "delete from audit where id = 2", [{ kind: "entry-removed", id: 2 }]],
      ["the last entry of a seal that was removed", "delete from audit where id = 3", [{ kind: "entry-removed", id: 3 }]],
      ["an entry that was put in", entryNumber(0), [{ kind: "entry-inserted", id: 0 }]],
      ["a seal that was changed", "update audit_seals set entry_hashes = replace(entry_hashes, '4:', '9:') where number = 2", [{ kind: "seal-changed", id: 2 }, { kind: "entry-inserted", id: 4 }, { kind: "entry-removed", id: 9 }]],
      ["a seal that was removed", "delete from audit_seals where number = 1", [{ kind: "seal-removed", id: 1 }, { kind: "seal-changed", id: 2 }, { kind: "entry-inserted", id: 1 }, { kind: "entry-inserted", id: 2 }, { kind: "entry-inserted", id: 3 }]],
    ] as const)
      test(`detect ${what}`, async () => {
        const { sealing } = await sealedTrail();
        await behindItsBack(sealing.database, statement);
        assert.deepEqual((await verifyAudit(sealing)).problems, expected);
      }); // prettier-ignore

    test("detect an entry that was inserted into a gap", async () => {
      const { sealing } = await sealedTrail();
      await sql.raw(entryNumber(100)).execute(sealing.database.db); // prettier-ignore
      await sealAudit(sealing);
      assert.deepEqual((await verifyAudit(sealing)).problems, []);
      await behindItsBack(sealing.database, entryNumber(50)); // prettier-ignore
      assert.deepEqual((await verifyAudit(sealing)).problems, [{ kind: "entry-inserted", id: 50 }]);
    });

    test("detect a chain that was rebuilt without the master key", async () => {
      const { sealing } = await sealedTrail();
      await behindItsBack(sealing.database, "delete from audit_seals");
      await sql.raw("update audit set actor_name = 'somebody' where id = 1").execute(sealing.database.db);
      await sealAudit({ ...sealing, secrets: createSecrets("another key") });
      assert.deepEqual((await verifyAudit(sealing)).problems, [{ kind: "seal-changed", id: 1 }]);
    });

    test("that were removed with their entries are detected by a copied seal", async () => {
      const { sealing } = await sealedTrail();
      const { newest: known } = await verifyAudit(sealing);
      assert.deepEqual((await verifyAudit(sealing, known)).problems, []);
      await behindItsBack(sealing.database, "delete from audit_seals where number = 2");
      await sql.raw("delete from audit where id > 3").execute(sealing.database.db);
      assert.deepEqual((await verifyAudit(sealing)).problems, [], "as if they had never been");
      assert.deepEqual((await verifyAudit(sealing, known)).problems, [{ kind: "seal-removed", id: 2 }]);
    });

    test("stay valid after the retention, and after no other removal", async () => {
      const { sealing } = await sealedTrail();
      sealing.clock.advanceSeconds(DAY_SECONDS);
      const removed = await removeSealedBefore(sealing, nowSeconds(sealing.clock) - DAY_SECONDS - 60);
      assert.equal(removed, 3, "the entries of the first seal");
      const { problems, entries, unsealed } = await verifyAudit(sealing);
      assert.deepEqual({ problems, entries, unsealed }, { problems: [], entries: 3, unsealed: 1 });
      await behindItsBack(sealing.database, entryNumber(2)); // prettier-ignore
      await behindItsBack(sealing.database, "delete from audit where id = 4");
      assert.deepEqual((await verifyAudit(sealing)).problems, [
        { kind: "entry-inserted", id: 2 },
        { kind: "entry-removed", id: 4 },
      ]);
    });

    test("cannot be changed in the database", async () => {
      const { sealing } = await sealedTrail();
      for (const statement of ["update audit_seals set hash = ''", "delete from audit_seals"])
        await assert.rejects(sql.raw(statement).execute(sealing.database.db), /never change/);
    });

    test("are created by several servers during writes, and cover every entry once", async () => {
      const { sealing, add, location } = await sealedTrail();
      // SQLite has one process with one connection.
      const other = kind === "sqlite" ? sealing.database : await connectDatabase(location);
      if (kind === "postgres") opened.push(() => other.close());
      const seal = async (database: OpenDatabase) => {
        for (let turn = 0; turn < 10; turn += 1) await sealAudit({ ...sealing, database });
      };
      await Promise.all([seal(sealing.database), seal(other), seal(other), add(40), add(40)]);
      await sealAudit(sealing);
      const { problems, entries, unsealed } = await verifyAudit(sealing);
      assert.deepEqual({ problems, entries, unsealed }, { problems: [], entries: 87, unsealed: 0 });
    });

    test("wait for a transaction that commits an earlier id late", { skip: kind === "sqlite" && "gives ids in the order of commits" }, async () => {
      const { sealing, record, add, location } = await sealedTrail();
      const other = await connectDatabase(location);
      opened.push(() => other.close());
      const [wrote, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const late = inTransaction(other, async (transaction) => {
        await record(transaction);
        wrote.resolve();
        await commit.promise;
      });
      await wrote.promise;
      await add(2);
      assert.deepEqual(await sealAudit(sealing), [], "what is newer may not be sealed before it");
      commit.resolve();
      await late;
      await sealAudit(sealing);
      const { problems, entries, unsealed } = await verifyAudit(sealing);
      assert.deepEqual({ problems, entries, unsealed }, { problems: [], entries: 10, unsealed: 0 });
    }); // prettier-ignore

    test("alert root once for each violation, from one server", async () => {
      const { sealing, record } = await sealedTrail();
      const { database } = sealing;
      const told = async () => {
        const rows = await database.db.selectFrom("pending_alerts").select("facts").orderBy("id").execute();
        const log = await database.db.selectFrom("logs").select("content").orderBy("id").execute();
        return { rows: rows.map(({ facts }): unknown => JSON.parse(facts)), log: log.map(({ content }) => content) };
      };
      const tomorrow = () => {
        sealing.clock.advanceSeconds(DAY_SECONDS);
        return Promise.all([checkAudit(sealing, DAY_SECONDS), checkAudit(sealing, DAY_SECONDS)]);
      };
      await tomorrow();
      assert.deepEqual((await told()).rows, [], "nothing is wrong yet");
      await behindItsBack(database, "update audit set actor_name = 'somebody' where id in (1, 2)");
      for (let day = 0; day < 3; day += 1) await tomorrow();
      const first = { found: 2, first: { kind: "entry-changed", id: 1 } };
      assert.deepEqual((await told()).rows, [first], "on the third day it is no news");
      await record();
      await behindItsBack(database, "delete from audit where id = 3");
      await tomorrow();
      const { rows, log } = await told();
      assert.deepEqual(rows, [first, { found: 1, first: { kind: "entry-removed", id: 3 } }]);
      assert.match(log[0] ?? "", /^The audit trail was modified in the database, outside the gateway\. Entry 1 was changed\. 2 problems in all\./);
    }); // prettier-ignore

    test("are checked once a day, with the result shown to administrators", async () => {
      const testApp = await createTestApp({ kind });
      opened.push(() => testApp.close());
      const sealing = { database: testApp.database, secrets: testApp.deps.secrets, clock: testApp.clock };
      const { client } = await testApp.logInAs("admin");
      const root = (await testApp.logInAs("root")).client;
      await root.data(updateOption, { body: { key: "Notice", value: "Hello" } });
      const before = await client.data(getAuditSeal);
      assert.deepEqual(before, { sealed_up_to: 0, unsealed: before.unsealed, checked_at: 0, problems: [] });
      assert.ok(before.unsealed > 0);
      await sealAudit(sealing);
      assert.deepEqual(await checkAudit(sealing, DAY_SECONDS), []);
      const now = nowSeconds(testApp.clock);
      assert.deepEqual(await client.data(getAuditSeal), { sealed_up_to: now, unsealed: 0, checked_at: now, problems: [] });
      await behindItsBack(testApp.database, "update audit set actor_name = 'somebody' where id = 1");
      assert.deepEqual(await checkAudit(sealing, DAY_SECONDS), [], "not due");
      testApp.clock.advanceSeconds(DAY_SECONDS);
      assert.deepEqual(await checkAudit(sealing, DAY_SECONDS), [{ kind: "entry-changed", id: 1 }]);
      assert.deepEqual((await (await testApp.logInAs("root")).client.data(getAuditSeal)).problems, [{ kind: "entry-changed", id: 1 }]);
      const { client: user } = await testApp.logInAs("user");
      assert.equal((await user.send(getAuditSeal)).status, 403);
      assert.equal((await testApp.client().send(getAuditSeal)).status, 401);
    }); // prettier-ignore
  });
}
