import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  createReceiver,
  deleteReceiver,
  listDeliveries,
  listReceivers,
  testReceiver,
  updateReceiver,
} from "@one-api/contract/notifications/receiver";
import { TOTAL_COUNT_HEADER } from "@one-api/contract/constants";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { startAlertReceivers, type StubReceivers } from "@one-api/stub-server/people/start-alert-receivers";
import type { TestClient } from "../../testing/test-client.ts";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`receivers of alerts on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let root: TestClient;
    let stub: StubReceivers;
    before(async () => {
      [testApp, stub] = await Promise.all([createTestApp({ kind }), startAlertReceivers()]);
      root = (await testApp.logInAs("root")).client;
    });
    after(() => Promise.all([testApp.close(), stub.close()]));

    const webhook = () => ({
      name: "Ops",
      kind: "webhook",
      address: `${stub.origin}/webhook/private-part`,
      secret: stub.webhookSecret,
      alerts: ["channel-disabled", "audit-broken"],
      quiet_hours: { start: "22:00", end: "07:00", time_zone: "Asia/Shanghai" },
    });
    const auditOf = async (id: number) => {
      const rows = await testApp.database.db
        .selectFrom("audit")
        .select(["action", "detail"])
        .where("object", "=", `receiver:${id}`)
        .orderBy("id")
        .execute();
      return rows.map(({ action, detail }) => [action, detail] as const);
    };

    test("are added, changed and deleted by root; answers, audit and database show no secret", async () => {
      const made = await root.data(createReceiver, { body: webhook() });
      assert.deepEqual(
        [made.address, made.has_secret, made.enabled, made.language, made.last_delivery],
        [`${stub.origin}/…`, true, true, "en", null],
      );
      const changes = { ...webhook(), id: made.id, name: "Night", address: "", secret: "", quiet_hours: null };
      const changed = await root.data(updateReceiver, { body: changes });
      assert.deepEqual(await root.data(listReceivers), [{ ...made, name: "Night", quiet_hours: null }]);
      assert.equal(changed.has_secret, true);
      await root.data(testReceiver, { params: { id: made.id } });
      await root.data(updateReceiver, { body: { ...changes, address: `${stub.origin}/slack/new-private-part` } });
      const rows = JSON.stringify(await testApp.database.db.selectFrom("alert_receivers").selectAll().execute());
      const audit = JSON.stringify(await auditOf(made.id));
      for (const secret of ["private-part", stub.webhookSecret])
        assert.ok(!rows.includes(secret) && !audit.includes(secret));
      await root.data(deleteReceiver, { params: { id: made.id } });
      assert.deepEqual(await root.data(listReceivers), []);
      assert.deepEqual(await root.data(listDeliveries), []);
      assert.deepEqual(
        (await auditOf(made.id)).map(([action]) => action.replace("receiver.", "")),
        ["create", "update", "test", "update", "delete"],
      );
      const [, update] = await auditOf(made.id);
      assert.deepEqual(JSON.parse(update?.[1] ?? ""), {
        name: { from: "Ops", to: "Night" },
        quiet_hours: { from: "22:00–07:00 Asia/Shanghai", to: "" },
      });
      assert.equal((await root.send(deleteReceiver, { params: { id: made.id } })).envelope?.code, "receiver-not-found");
    });

    test("are for root alone", async () => {
      const { client: admin } = await testApp.logInAs("admin");
      assert.equal((await admin.send(listReceivers)).status, 403);
      assert.equal((await admin.send(createReceiver, { body: webhook() })).status, 403);
      assert.equal((await admin.send(listDeliveries)).status, 403);
    });

    test("need an address and a secret of their kind", async () => {
      const refusal = async (changes: object) => {
        const answer = await root.send(createReceiver, { body: { ...webhook(), ...changes } });
        return [answer.envelope?.code, answer.envelope?.field];
      };
      for (const address of ["http://example.com/hook", "ftp://example.com", "no address", ""])
        assert.deepEqual(await refusal({ address }), ["invalid-input", "address"], address);
      for (const secret of ["", "whsec_short", "secret"])
        assert.deepEqual(await refusal({ secret }), ["invalid-input", "secret"], secret);
      assert.deepEqual(await refusal({ kind: "slack" }), ["invalid-input", "secret"]);
      assert.deepEqual(await refusal({ kind: "telegram", secret: stub.botToken }), ["invalid-input", "address"]);
      assert.deepEqual(await refusal({ kind: "mail", secret: "" }), ["invalid-input", "address"]);
      assert.deepEqual(await refusal({ quiet_hours: { start: "22:00", end: "07:00", time_zone: "Mars/Base" } }), [
        "invalid-input",
        "quiet_hours.time_zone",
      ]);
      const metadata = { address: "https://169.254.169.254/latest" };
      assert.deepEqual(await refusal(metadata), ["receiver-address-metadata", "address"]);
      const { id } = await root.data(createReceiver, { body: webhook() });
      const other = { ...webhook(), id, kind: "slack", secret: "" };
      assert.equal((await root.send(updateReceiver, { body: other })).envelope?.field, "kind");
      await root.data(deleteReceiver, { params: { id } });
    });

    test("are tested at once, and the log has the result; disabling ends what waits", async () => {
      const { id } = await root.data(createReceiver, { body: webhook() });
      await root.data(testReceiver, { params: { id } });
      assert.equal(stub.received.at(-1)?.body["type"], "test");
      stub.mode = "refuse";
      const failed = await root.send(testReceiver, { params: { id } });
      stub.mode = "accept";
      assert.equal(failed.envelope?.code, "receiver-failed");
      assert.match(failed.envelope?.message ?? "", /not delivered: HTTP 500 cannot serve \/webhook\/\*\*\*$/);
      const waiting = { receiver_id: id, created_at: 1, next_at: 9e9, alerts: "[]", count: 3, status: "waiting" };
      await testApp.database.db.insertInto("alert_deliveries").values(waiting).execute();
      await root.data(updateReceiver, { body: { ...webhook(), id, enabled: false } });
      const log = await root.send(listDeliveries, { query: { receiver: id } });
      assert.equal(log.headers[TOTAL_COUNT_HEADER], "3");
      assert.deepEqual(
        listDeliveries.data.parse(log.envelope?.data).map(({ count, status, attempts }) => [count, status, attempts]),
        [
          [3, "given-up", 0],
          [0, "given-up", 1],
          [0, "delivered", 1],
        ],
      );
      const delivered = await root.data(listDeliveries, { query: { status: "delivered" } });
      assert.deepEqual(
        delivered.map(({ error }) => error),
        [""],
      );
      const [receiver] = await root.data(listReceivers);
      assert.equal(receiver?.last_delivery?.error, "The receiver was disabled.");
    });
  });
}
