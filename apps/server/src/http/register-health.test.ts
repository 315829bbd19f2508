import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { createTestApp } from "../testing/create-test-app.ts";
import { LIVENESS_PATH, READINESS_PATHS } from "./register-health.ts";

for (const kind of DATABASE_KINDS) {
  describe(`the health of a server on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    test("is 200 while its database can be written to, else 503, and is looked at once a second", async (context) => {
      const testApp = await createTestApp({ kind });
      context.after(() => testApp.close());
      const ask = async () => {
        const { statusCode, payload, headers } = await testApp.app.inject({ url: READINESS_PATHS[0] });
        return [statusCode, payload, headers["cache-control"]];
      };
      assert.deepEqual(await ask(), [200, '{"status":"ok"}', "no-store"]);
      // What is written to is gone: so it is when a disk is full, or a server only reads.
      await testApp.database.db.schema.alterTable("options").renameTo("moved").execute();
      assert.deepEqual((await ask())[0], 200, "what was seen holds for a second");
      testApp.clock.advanceSeconds(1);
      assert.deepEqual(await ask(), [503, '{"status":"unavailable"}', "no-store"]);
      assert.match(testApp.logLines.join(""), /the database cannot be written to/);
      await testApp.database.db.schema.alterTable("moved").renameTo("options").execute();
      testApp.clock.advanceSeconds(1);
      assert.deepEqual((await ask())[0], 200);
    });

    test("is 503 after a write of a call has failed, until the database has room for a whole call", async (context) => {
      const testApp = await createTestApp({ kind });
      context.after(() => testApp.close());
      const { db } = testApp.database;
      const status = async () => {
        testApp.clock.advanceSeconds(1);
        return (await testApp.app.inject({ url: READINESS_PATHS[0] })).statusCode;
      };
      const noRoom =
        kind === "sqlite"
          ? sql`create trigger no_room before insert on options when length(new.value) > 1000 begin select raise(abort, 'full'); end`
          : sql`alter table options add constraint no_room check (length(value) <= 1000)`;
      await noRoom.execute(db);
      assert.equal(await status(), 200, "a row still has room");
      const call = testApp.database.writeTransaction(async () => {
        throw new DatabaseUnavailableError("The disk of the database is full");
      });
      await assert.rejects(call, DatabaseUnavailableError);
      for (let time = 0; time < 3; time += 1) assert.equal(await status(), 503);
      await (kind === "sqlite" ? sql`drop trigger no_room` : sql`alter table options drop constraint no_room`).execute(
        db,
      );
      assert.equal(await status(), 200);
      const kept = await db.selectFrom("options").select("key").where("key", "=", "_room_check").execute();
      assert.deepEqual(kept, []);
    });
  });
}

describe("the probes", () => {
  test("answer JSON at each address, with a slash behind it, a query and by HEAD, and never the console's page", async (context) => {
    const testApp = await createTestApp();
    context.after(() => testApp.close());
    for (const path of [...READINESS_PATHS, LIVENESS_PATH]) {
      for (const url of [path, `${path}/`, `${path}?from=balancer`]) {
        const { statusCode, payload, headers } = await testApp.app.inject({ url });
        assert.deepEqual([statusCode, payload], [200, '{"status":"ok"}'], url);
        assert.match(String(headers["content-type"]), /^application\/json/);
        const head = await testApp.app.inject({ url, method: "HEAD" });
        assert.deepEqual([head.statusCode, head.payload], [200, ""], `HEAD ${url}`);
      }
    }
  });

  test("say that a stopping server takes no more calls, and that its process lives", async (context) => {
    const testApp = await createTestApp();
    context.after(() => testApp.close());
    testApp.deps.relay.inFlight.announceStop();
    for (const url of READINESS_PATHS) {
      const { statusCode, payload } = await testApp.app.inject({ url });
      assert.deepEqual([statusCode, payload], [503, '{"status":"stopping"}'], url);
    }
    assert.equal((await testApp.app.inject({ url: LIVENESS_PATH })).statusCode, 200);
  });

  test("report a database that takes no writes as no reason to restart the process", async (context) => {
    const testApp = await createTestApp();
    context.after(() => testApp.close());
    await testApp.database.db.schema.alterTable("options").renameTo("moved").execute();
    assert.equal((await testApp.app.inject({ url: READINESS_PATHS[1] })).statusCode, 503);
    assert.equal((await testApp.app.inject({ url: LIVENESS_PATH })).statusCode, 200);
    await testApp.database.db.schema.alterTable("moved").renameTo("options").execute();
  });
});
