import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
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
    testApp.deps.relay.active.announceStop();
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
