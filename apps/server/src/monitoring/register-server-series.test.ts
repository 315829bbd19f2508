import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createChannel } from "@one-api/contract/channels/channel";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp } from "../testing/create-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`the series of a server on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    test("count channels by status and the connections, and are read without a database too", async (t) => {
      const testApp = await createTestApp({ kind });
      t.after(() => testApp.close());
      const { database, deps, clock } = testApp;
      const { client } = await testApp.logInAs("root");
      for (const name of ["a", "b", "c"])
        await client.data(createChannel, { body: { type: 1, name, key: "sk-x", models: "gpt-4o" } });
      await database.db
        .updateTable("channels")
        .set({ status: CHANNEL_STATUS.autoDisabled })
        .where("name", "=", "c")
        .execute();
      const text = await deps.metrics.read();
      assert.match(text, /^one_api_channels\{status="enabled"\} 2$/m);
      assert.match(text, /^one_api_channels\{status="autoDisabled"\} 1$/m);
      assert.match(text, /^one_api_channels\{status="reserve"\} 0$/m);
      assert.match(text, /^one_api_database_connections\{state="idle"\} [1-9]$/m);
      assert.match(text, /^one_api_database_waiting 0$/m);

      for (const table of ["channels", "options"] as const)
        await database.db.schema.alterTable(table).renameTo(`moved_${table}`).execute();
      clock.advanceSeconds(1);
      const without = await deps.metrics.read();
      assert.match(without, /^one_api_database_writable 0$/m);
      assert.doesNotMatch(without, /^one_api_channels\{/m);
    });
  });
}
