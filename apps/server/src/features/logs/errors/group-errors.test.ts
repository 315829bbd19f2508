import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { groupLogErrors, groupOwnLogErrors } from "@one-api/contract/logs/log-totals";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp, type TestLogin } from "../../../testing/create-test-app.ts";

import { DETAIL, logOf, type NewLog, storedDetail } from "../testing/log-rows.ts";

for (const kind of DATABASE_KINDS) {
  describe(`errors of the log on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let admin: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind });
      admin = await testApp.logInAs("admin", { username: "adam" });
    });
    after(() => testApp.close());

    const addLogs = (rows: NewLog[]) => testApp.database.db.insertInto("logs").values(rows).execute();

    test("failed requests are grouped by message, which may differ in numbers and ids; users get their own, without channels", async () => {
      const { user, client } = await testApp.logInAs("user", { username: "eva" });
      const login = { user, client };
      const failed = (words: string, changes: Partial<NewLog> = {}) =>
        logOf(login, {
          result: "provider-limited",
          status_code: 429,
          channel_id: 72,
          detail: storedDetail({
            ...DETAIL,
            end: "rate-limited",
            attempts: [
              { channel: 71, status: 500, failure: "server-error: Oops", duration_ms: 5 },
              { channel: 72, status: 429, failure: `rate-limited: ${words}`, duration_ms: 9 },
            ],
          }),
          ...changes,
        });
      await addLogs([
        failed("Limit 30000, used 29000. Request req_9ab3", { created_at: 500 }),
        failed("Limit 60000, used 1. Request req_c0ffee1", { created_at: 700 }),
        failed("Something else"),
        failed("Limit 1, used 1. Request r2", { result: "ok", status_code: 200 }),
        logOf(login, {
          result: "refused",
          status_code: 403,
          content: "No quota.",
          detail: storedDetail({ ...DETAIL, end: "refused", refusal: "insufficient_quota", attempts: [] }),
        }),
      ]);
      const { groups, read, total } = await admin.client.data(groupLogErrors, { query: { username: "eva" } });
      assert.deepEqual([read, total], [4, 4]);
      const { newest_id: _newest, ...most } = groups[0] ?? { newest_id: 0 };
      assert.deepEqual(most, {
        kind: "rate-limited",
        status_code: 429,
        message: "Limit 60000, used 1. Request req_c0ffee1",
        entries: 2,
        first_at: 500,
        last_at: 700,
        channels: [{ id: 72, name: "", entries: 2 }],
      });
      assert.deepEqual(
        groups.slice(1).map((group) => [group.kind, group.message, group.entries]),
        [
          ["insufficient_quota", "No quota.", 1],
          ["rate-limited", "Something else", 1],
        ],
      );
      const ofUser = await client.data(groupOwnLogErrors, { query: { result: "provider-limited" } });
      assert.deepEqual(
        ofUser.groups.map(({ entries, channels }) => [entries, channels]),
        [
          [2, []],
          [1, []],
        ],
      );
      const other = await testApp.logInAs("user");
      assert.deepEqual((await other.client.data(groupOwnLogErrors)).groups, []);
      assert.equal((await client.send(groupLogErrors)).status, 403);
    });
  });
}
