import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp } from "../testing/create-test-app.ts";
import { HEALTH_PATH } from "./register-health.ts";

for (const kind of DATABASE_KINDS) {
  describe(`the health of a server on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    test("is 200 while its database can be written to, else 503, and is looked at once a second", async (context) => {
      const testApp = await createTestApp({ kind });
      context.after(() => testApp.close());
      const ask = async () => {
        const { statusCode, payload, headers } = await testApp.app.inject({ url: HEALTH_PATH });
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
