import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  type CreateAlertRuleInput,
  createAlertRule,
  deleteAlertRule,
  listAlertRules,
  listAlertTargets,
  updateAlertRule,
} from "@one-api/contract/notifications/alert-rule";
import { RULE_LIMITS } from "@one-api/contract/notifications/alert-rule-constants";
import { createReceiver, deleteReceiver } from "@one-api/contract/notifications/receiver";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { sampleLog } from "@one-api/database/testing/sample-rows";
import { NO_LOG_STORE } from "@one-api/log-store/no-log-store";
import { nowSeconds } from "../../platform/clock.ts";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";
import type { TestClient } from "../../testing/test-client.ts";
import { alertText, takePendingAlerts } from "../alerts/index.ts";
import { bundleAlerts } from "../notifications/index.ts";
import { checkAlertRules } from "./index.ts";

const MINUTE = 60;
const HOUR = 3_600;

for (const kind of DATABASE_KINDS) {
  describe(`alert rules on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: TestApp;
    let admin: TestLogin;
    let mia: TestLogin;
    let root: TestClient;
    let slack: number;
    before(async () => {
      app = await createTestApp({ kind });
      root = (await app.logInAs("root")).client;
      await setOptions(app, { SMTPServer: "mail.example.com", SMTPAccount: "one@example.com", SMTPToken: "secret" });
      slack = await addReceiver("ops");
    });
    beforeEach(async () => {
      // A full hour after the last test, so that its requests are out of every window.
      const now = nowSeconds(app.clock);
      app.clock.advanceSeconds(2 * HOUR - (now % HOUR));
      [admin, mia] = [await app.logInAs("admin"), await app.logInAs("user")];
      for (const table of ["alert_rules", "alert_states", "pending_alerts", "outbox"] as const)
        await app.database.db.deleteFrom(table).execute();
      await app.database.db
        .updateTable("users")
        .set({ email: "mia@example.com" })
        .where("id", "=", mia.user.id)
        .execute();
    });
    after(() => app.close());

    const addReceiver = async (name: string) => {
      const body = { name, kind: "slack", address: "https://hooks.example.com/1", alerts: [] };
      return (await root.data(createReceiver, { body })).id;
    };
    const input = (changes: Partial<CreateAlertRuleInput> = {}): CreateAlertRuleInput => ({
      metric: "spend",
      direction: "above",
      threshold: 1_000,
      window_minutes: 60,
      ...changes,
    });
    const log = async (quota: number, changes: Parameters<typeof sampleLog>[0] = {}, times = 1) => {
      const row = { user_id: mia.user.id, created_at: nowSeconds(app.clock), model_name: "o3", quota, result: "ok" };
      const rows = Array.from({ length: times }, () => sampleLog({ ...row, ...changes }));
      await app.database.db.insertInto("logs").values(rows).execute();
    };
    /** Two servers check at the same time, a minute after the last check. */
    const check = async () => {
      app.clock.advanceSeconds(MINUTE);
      const deps = { ...app.deps, options: app.deps.options };
      const [one, other] = await Promise.all([checkAlertRules(deps), checkAlertRules(deps)]);
      return one + other;
    };
    const pending = async () => (await takePendingAlerts(app.database.db)).map(({ alert }) => alertText(alert, "en"));
    const mails = async () => {
      const rows = await app.database.db.deleteFrom("outbox").returning(["recipient", "message"]).execute();
      return rows.map(({ recipient, message }) => `${recipient} ${message}`);
    };

    test("a crossed threshold is reported once, and so is its end", async () => {
      await admin.client.data(createAlertRule, { body: input({ receiver: slack, model_name: "o3" }) });
      await log(1_000);
      await log(9_000, { model_name: "o4" });
      assert.equal(await check(), 0);
      await log(500);
      assert.equal(await check(), 1);
      assert.equal(await check(), 0);
      assert.deepEqual(await pending(), ["Spend of model o3 is above $0.002000: $0.003000 in 1 hour."]);
      const [rule] = await admin.client.data(listAlertRules);
      assert.ok(rule !== undefined && rule.crossed_at > 0);
      app.clock.advanceSeconds(HOUR);
      assert.equal(await check(), 1);
      assert.equal(await check(), 0);
      assert.deepEqual(await pending(), ["Spend of model o3 is no longer above $0.002000: $0.00 in 1 hour."]);
      await log(2_000);
      assert.equal(await check(), 1, "it crosses again");
    });

    test("a value that swings around the threshold is reported as ended after ten minutes at the earliest", async () => {
      const { id } = await admin.client.data(createAlertRule, { body: input({ receiver: slack, window_minutes: 30 }) });
      app.clock.advanceSeconds(29 * MINUTE - MINUTE);
      await log(5_000);
      assert.equal(await check(), 1);
      assert.equal(await check(), 0, "the next half hour has begun, without requests");
      app.clock.advanceSeconds(8 * MINUTE);
      assert.equal(await check(), 1);
      await admin.client.data(deleteAlertRule, { params: { id } });
    });

    test("shares and times need enough requests, and a sum below its threshold a window that is over", async () => {
      const rules = [
        input({ metric: "errors", threshold: 0.2 }),
        input({ metric: "first_byte_p95", threshold: 2_000 }),
        input({ metric: "requests", direction: "below", threshold: 30 }),
        input({ metric: "cache", direction: "below", threshold: 0.5 }),
      ];
      await log(0, {}, 40);
      app.clock.advanceSeconds(HOUR);
      for (const rule of rules)
        await admin.client.data(createAlertRule, { body: { ...rule, receiver: slack, window_minutes: 30 } });
      await log(0, { result: "timeout" }, RULE_LIMITS.leastRequests - 1);
      // Of the half hour before there are none.
      assert.equal(await check(), 1);
      assert.deepEqual(await pending(), ["The number of requests is below 30: 0 in 30 minutes."]);
      const slow = { is_stream: 1, first_byte_ms: 5_000, elapsed_time: 6_000, prompt_tokens: 100 } as const;
      await log(0, slow, 20);
      assert.equal(await check(), 3);
      assert.deepEqual((await pending()).map((text) => text.replace(/: .*/, "")).toSorted(), [
        "The error rate is above 20%",
        "The p95 time to the first token is above 2.00 s",
        "The share of cached tokens is below 50%",
      ]);
    });

    test("only the chosen receiver gets it, and a deleted one leaves it to the owner's mail", async () => {
      const other = await addReceiver("other");
      await app.database.db
        .updateTable("users")
        .set({ email: "a@example.com" })
        .where("id", "=", admin.user.id)
        .execute();
      await admin.client.data(createAlertRule, { body: input({ receiver: other }) });
      await log(5_000);
      assert.equal(await check(), 1);
      app.clock.advanceSeconds(601);
      await bundleAlerts({ ...app.deps, options: app.deps.options, findRootLanguage: async () => "en" });
      const sent = await app.database.db.selectFrom("alert_deliveries").select(["receiver_id", "count"]).execute();
      assert.deepEqual(sent, [{ receiver_id: other, count: 1 }]);
      await root.data(deleteReceiver, { params: { id: other } });
      app.clock.advanceSeconds(HOUR);
      assert.equal(await check(), 1);
      assert.deepEqual(await pending(), []);
      const [mail] = await mails();
      assert.match(mail ?? "", /^a@example\.com .*Spend is no longer above/);
    });

    test("users get mails about their own usage alone", async () => {
      const { client } = mia;
      const made = await client.data(createAlertRule, { body: input({ user: admin.user.id }) });
      assert.deepEqual([made.user, made.receiver, made.is_own], [mia.user.id, 0, true]);
      assert.deepEqual(await client.data(listAlertTargets), {
        email: "mia@example.com",
        can_mail: true,
        receivers: [],
      });
      for (const refused of [{ metric: "margin" as const }, { receiver: slack }, { channel: 1 }])
        assert.equal(
          (await client.send(createAlertRule, { body: input(refused) })).status,
          403,
          JSON.stringify(refused),
        );
      await log(9_000, { user_id: admin.user.id });
      assert.equal(await check(), 0);
      await log(1_500);
      assert.equal(await check(), 1);
      assert.match((await mails()).join(), /^mia@example\.com .*Spend is above \$0\.002000: \$0\.003000 in 1 hour\./);
      assert.deepEqual(await pending(), []);
    });

    test("a rule that its owner may no longer have, or of a disabled owner, is not measured", async () => {
      const boss = await app.logInAs("admin");
      await boss.client.data(createAlertRule, { body: input({ receiver: slack, user: mia.user.id }) });
      await log(5_000);
      const change = (set: { role?: number; status?: number }) =>
        app.database.db.updateTable("users").set(set).where("id", "=", boss.user.id).execute();
      await change({ role: 1 });
      assert.equal(await check(), 0);
      await change({ role: 10, status: 2 });
      assert.equal(await check(), 0);
      await change({ status: 1 });
      assert.equal(await check(), 1);
    });

    test("another user's rule is not found, but administrators share those that use a receiver", async () => {
      const { id } = await mia.client.data(createAlertRule, { body: input() });
      const shared = await admin.client.data(createAlertRule, { body: input({ receiver: slack }) });
      const second = (await app.logInAs("admin")).client;
      for (const send of [
        () => second.send(deleteAlertRule, { params: { id } }),
        () => second.send(updateAlertRule, { body: { ...input(), id } }),
        () => mia.client.send(deleteAlertRule, { params: { id: shared.id } }),
      ])
        assert.equal((await send()).envelope?.code, "alert-rule-not-found");
      assert.deepEqual(
        (await second.data(listAlertRules)).map(({ id: seen, is_own: isOwn }) => [seen, isOwn]),
        [[shared.id, false]],
      );
      const changed = await second.data(updateAlertRule, {
        body: { ...input({ receiver: slack, threshold: 7 }), id: shared.id },
      });
      assert.deepEqual([changed.threshold, changed.owner], [7, admin.user.username]);
      await second.data(deleteAlertRule, { params: { id: shared.id } });
      assert.deepEqual(await admin.client.data(listAlertRules), []);
    });

    test("a changed rule is reported anew", async () => {
      const made = await admin.client.data(createAlertRule, { body: input({ receiver: slack }) });
      await log(9_000);
      assert.equal(await check(), 1);
      const body = { ...input({ receiver: slack, threshold: 5_000 }), id: made.id };
      assert.equal((await admin.client.data(updateAlertRule, { body })).crossed_at, 0);
      assert.equal(await check(), 1);
    });

    test("thresholds without values on both sides, and rules without a way to tell, are refused", async () => {
      const refusal = async (changes: Partial<CreateAlertRuleInput>) => {
        const answer = await admin.client.send(createAlertRule, { body: input({ receiver: slack, ...changes }) });
        return [answer.envelope?.code, answer.envelope?.field];
      };
      const wrong = ["invalid-input", "threshold"];
      assert.deepEqual(await refusal({ threshold: -1 }), wrong);
      assert.deepEqual(await refusal({ direction: "below", threshold: 0 }), wrong);
      assert.deepEqual(await refusal({ metric: "errors", threshold: 5 }), wrong, "5% are 0.05");
      assert.deepEqual(await refusal({ receiver: 999_999 }), ["receiver-not-found", "receiver"]);
      assert.deepEqual(await refusal({ receiver: 0 }), ["alert-rule-without-email", "receiver"]);
      assert.deepEqual(await refusal({ metric: "margin", direction: "below", threshold: -5 }), [undefined, undefined]);
    });

    test("a user has a limited number of rules", async () => {
      for (let made = 0; made < RULE_LIMITS.rules; made += 1)
        await mia.client.data(createAlertRule, { body: input({ threshold: made }) });
      const answer = await mia.client.send(createAlertRule, { body: input() });
      assert.equal(answer.envelope?.code, "alert-rules-full");
    });

    test("a server without a log store leaves rules to the others", async () => {
      await admin.client.data(createAlertRule, { body: input({ receiver: slack }) });
      await log(5_000);
      app.clock.advanceSeconds(MINUTE);
      assert.equal(await checkAlertRules({ ...app.deps, logStore: NO_LOG_STORE }), 0);
      assert.equal(await check(), 1);
    });
  });
}
