import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { createAlertRule, listAlertRules, listAlertTargets } from "@one-api/contract/notifications/alert-rule";
import { createManagementKey, updateManagementKey } from "@one-api/contract/accounts/management-key";
import { createChannel } from "@one-api/contract/channels/channel";
import { listChannelDecisions } from "@one-api/contract/channels/channel-decision";
import * as receivers from "@one-api/contract/notifications/receiver";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { startAlertReceivers, type StubReceivers } from "@one-api/stub-server/people/start-alert-receivers";
import { nowSeconds } from "../../platform/clock.ts";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import type { TestClient } from "../../testing/test-client.ts";
import { checkAlertRules } from "../alert-rules/index.ts";
import { queueAlert } from "../alerts/index.ts";
import { createMailer } from "../mail/index.ts";
import { disableChannelAutomatically } from "../channels/index.ts";
import { bundleAlerts, deliverNotices, postNotice } from "./index.ts";

const HOUR = 3_600;

/** During an update, servers of a later release write rows that this one cannot read. */
for (const kind of DATABASE_KINDS) {
  describe(`rows of a later release on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: TestApp;
    let root: TestClient;
    let stub: StubReceivers;
    before(async () => {
      [app, stub] = await Promise.all([createTestApp({ kind }), startAlertReceivers()]);
      root = (await app.logInAs("root")).client;
    });
    after(() => Promise.all([app.close(), stub.close()]));
    beforeEach(async () => {
      app.clock.advanceSeconds(HOUR);
      for (const table of [
        "alert_receivers",
        "alert_rules",
        "alert_deliveries",
        "pending_alerts",
        "alert_states",
      ] as const)
        await app.database.db.deleteFrom(table).execute();
    });

    const now = () => nowSeconds(app.clock);
    const addSlack = (changes: object = {}) =>
      root.data(receivers.createReceiver, {
        body: { name: "ops", kind: "slack", address: `${stub.origin}/slack`, alerts: ["channel-asleep"], ...changes },
      });
    const queueKnown = () =>
      queueAlert(app.database.db, { kind: "channel-asleep", id: 7, name: "north", until: now() }, now());
    const pending = async () => {
      const rows = await app.database.db.selectFrom("pending_alerts").select(["kind", "facts"]).orderBy("id").execute();
      return rows.map(({ kind: what, facts }) => `${what} ${facts}`);
    };
    const addPending = (what: string, facts: object) =>
      app.database.db
        .insertInto("pending_alerts")
        .values({ created_at: now(), kind: what, facts: JSON.stringify(facts) })
        .execute();
    const bundle = () => {
      app.clock.advanceSeconds(601);
      return bundleAlerts({ ...app.deps, findRootLanguage: async () => "en" });
    };
    const deliver = () => deliverNotices({ ...app.deps, mailer: createMailer(app.deps.options), post: postNotice });
    const sent = () => stub.received.map(({ text }) => text).join("\n");

    test("pending alerts of an unknown kind, or with unknown facts, stay for its servers and delay no others", async () => {
      await addSlack();
      await addPending("made-up-later", { id: 1 });
      await addPending("channel-asleep", { id: 1, until: { day: 2 } });
      assert.equal(await bundle(), 0);
      await queueKnown();
      app.clock.advanceSeconds(5);
      assert.equal(await bundleAlerts({ ...app.deps, findRootLanguage: async () => "en" }), 1);
      assert.deepEqual(await pending(), [`made-up-later {"id":1}`, `channel-asleep {"id":1,"until":{"day":2}}`]);
    });

    test("a delivery with an unknown alert is left to its servers for an hour, then sent without it", async () => {
      await addSlack();
      await queueKnown();
      await bundle();
      await addToDelivery();
      const requests = stub.requests;
      await deliver();
      app.clock.advanceSeconds(HOUR / 2);
      await deliver();
      assert.equal(stub.requests, requests);
      app.clock.advanceSeconds(HOUR / 2);
      await deliver();
      assert.match(sent(), /north/);
      const [delivery] = await root.data(receivers.listDeliveries);
      assert.deepEqual([delivery?.status, delivery?.attempts], ["delivered", 1]);
    });

    test("alerts that are added to a delivery in quiet hours leave an unknown one there", async () => {
      await addSlack({ quiet_hours: { start: "00:00", end: "23:59", time_zone: "UTC" } });
      await queueKnown();
      await bundle();
      await addToDelivery();
      await queueKnown();
      await bundle();
      const { alerts, count } = await app.database.db
        .selectFrom("alert_deliveries")
        .select(["alerts", "count"])
        .executeTakeFirstOrThrow();
      assert.match(alerts, /"kind":"made-up-later"/);
      assert.equal(count, 2);
    });

    const addToDelivery = async () => {
      const { id, alerts } = await app.database.db
        .selectFrom("alert_deliveries")
        .select(["id", "alerts"])
        .executeTakeFirstOrThrow();
      const more = alerts.replace(/\]$/, `,{"at":1,"kind":"made-up-later"}]`);
      await app.database.db.updateTable("alert_deliveries").set({ alerts: more }).where("id", "=", id).execute();
    };

    test("an edited receiver keeps the kinds and marks that only its servers know", async () => {
      const { id, ...receiver } = await addSlack();
      const stored = { alerts: `["channel-asleep","made-up-later"]`, marks: "50,95" };
      await app.database.db.updateTable("alert_receivers").set(stored).where("id", "=", id).execute();
      const body = { ...receiver, id, address: "", secret: "", name: "renamed", alerts: ["audit-broken"], marks: [80] };
      const changed = await root.data(receivers.updateReceiver, { body });
      assert.deepEqual([changed.alerts, changed.marks], [["audit-broken"], [80]]);
      const row = await app.database.db
        .selectFrom("alert_receivers")
        .select(["alerts", "marks"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      assert.deepEqual(row, { alerts: `["audit-broken","made-up-later"]`, marks: "80,95" });
    });

    test("a receiver of an unknown kind gets its deliveries, by its servers; the others are listed and served", async () => {
      await addSlack();
      const { id } = await addSlack({ name: "later" });
      await app.database.db.updateTable("alert_receivers").set({ kind: "made-up" }).where("id", "=", id).execute();
      assert.deepEqual(
        (await root.data(receivers.listReceivers)).map(({ name }) => name),
        ["ops"],
      );
      assert.equal((await root.data(listAlertTargets)).receivers.length, 1);
      await queueKnown();
      await bundle();
      await deliver();
      const rows = await app.database.db
        .selectFrom("alert_deliveries")
        .select(["receiver_id", "status", "attempts"])
        .orderBy("receiver_id")
        .execute();
      assert.deepEqual(
        rows.map(({ status, attempts }) => [status, attempts]),
        [
          ["delivered", 1],
          ["waiting", 0],
        ],
      );
    });

    test("an alert rule with an unknown metric is measured by its servers, and the others are listed", async () => {
      const rule = { metric: "requests", direction: "above", threshold: 5, window_minutes: 60, receiver: 0 } as const;
      const { id } = await addSlack();
      const [known, later] = [
        await root.data(createAlertRule, { body: { ...rule, receiver: id } }),
        await root.data(createAlertRule, { body: { ...rule, receiver: id } }),
      ];
      await app.database.db.updateTable("alert_rules").set({ metric: "made_up" }).where("id", "=", later.id).execute();
      assert.deepEqual(
        (await root.data(listAlertRules)).map((listed) => listed.id),
        [known.id],
      );
      await checkAlertRules(app.deps);
      const measured = await app.database.db
        .selectFrom("alert_rules")
        .select("id")
        .where("checked_at", ">", 0)
        .execute();
      assert.deepEqual(measured, [{ id: known.id }]);
    });

    test("decisions of an unknown kind are not listed, and hide no others", async () => {
      const { ids } = await root.data(createChannel, {
        body: { name: "north", type: 1, key: "sk-1", models: "gpt-4o" },
      });
      const id = ids[0] ?? 0;
      await disableChannelAutomatically(app.deps, id, { code: "key-refused", message: "No such key." });
      await disableChannelAutomatically(app.deps, id, { code: "slow", message: "Slow." });
      await app.database.db
        .updateTable("channel_decisions")
        .set({ kind: "made-up" })
        .where("code", "=", "slow")
        .execute();
      assert.deepEqual(
        (await root.data(listChannelDecisions, { params: { id } })).map(({ code }) => code),
        ["key-refused"],
      );
    });

    test("an edited management key keeps the scopes that only its servers know, without a right here", async () => {
      const { id } = await root.data(createManagementKey, { body: { name: "deploy", scopes: ["logs:read"] } });
      const keyRow = () => app.database.db.selectFrom("management_keys").select("scopes").where("id", "=", id);
      await app.database.db
        .updateTable("management_keys")
        .set({ scopes: "logs:read,made-up:write" })
        .where("id", "=", id)
        .execute();
      const body = { name: "renamed", scopes: ["channels:read" as const] };
      const changed = await root.data(updateManagementKey, { params: { id }, body });
      assert.deepEqual(changed.scopes, ["channels:read"]);
      assert.deepEqual(await keyRow().executeTakeFirst(), { scopes: "channels:read,made-up:write" });
    });
  });
}
