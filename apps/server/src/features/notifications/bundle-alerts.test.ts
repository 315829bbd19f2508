import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { createTestMails, type TestMails } from "../../testing/create-test-mails.ts";
import { queueAlert, recordAlert } from "../alerts/index.ts";
import { bundleAlerts } from "./index.ts";

eachDatabase((open) => {
  let mails: TestMails;
  before(async () => {
    mails = await createTestMails(await open());
  });
  beforeEach(async () => {
    mails.clock.advanceSeconds(3600);
    for (const table of ["pending_alerts", "outbox", "logs"] as const)
      await mails.database.db.deleteFrom(table).execute();
  });

  const now = () => Math.floor(mails.clock.nowMs() / 1000);
  const fail = (id: number, queryable: Queryable = mails.database.db) => {
    const reason = `<b>no</b>\n${"x".repeat(300)}`;
    return recordAlert(queryable, { kind: "channel-disabled", code: "key-refused", id, name: `c${id}`, reason }, now());
  };
  const messages = async () => (await mails.takeQueued()).map(({ message }) => message);

  test("five hundred failing channels give one message and a system log entry each", async () => {
    await inTransaction(mails.database, async (transaction) => {
      for (let id = 1; id <= 500; id += 1) await fail(id, transaction);
    });
    assert.equal(await bundleAlerts(mails), 0, "more may come up within seconds");
    mails.clock.advanceSeconds(5);
    await Promise.all(Array.from({ length: 4 }, () => bundleAlerts(mails)));
    const [message, another] = await messages();
    assert.equal(another, undefined);
    assert.equal(message?.subject, "One API: 500 alerts about channels");
    const [list, more] = message?.blocks ?? [];
    assert.ok(list !== undefined && "list" in list);
    assert.equal(list.list.length, 50);
    assert.match(list.list[0] ?? "", /UTC · Channel c1 \(1\) was disabled\. <b>no<\/b> x{100,}…$/);
    assert.deepEqual(more, { text: "And 450 more: see the system log." });
    assert.equal((await mails.systemLog()).length, 500);
  });

  test("messages of a provider that keeps failing are ten minutes apart", async () => {
    await fail(1);
    mails.clock.advanceSeconds(5);
    assert.equal(await bundleAlerts(mails), 1);
    await fail(2);
    mails.clock.advanceSeconds(500);
    await fail(3);
    mails.clock.advanceSeconds(60);
    assert.equal(await bundleAlerts(mails), 0);
    mails.clock.advanceSeconds(40);
    assert.equal(await bundleAlerts(mails), 2);
    assert.equal((await messages()).length, 2);
  });

  test("alerts that only receivers choose are not sent to root, and delay no others", async () => {
    await queueAlert(mails.database.db, { kind: "prices-changed", what: "ModelRatio", by: "root" }, now());
    mails.clock.advanceSeconds(5);
    assert.equal(await bundleAlerts(mails), 0);
    await fail(1);
    mails.clock.advanceSeconds(5);
    assert.equal(await bundleAlerts(mails), 1);
    assert.deepEqual(
      (await messages()).map(({ subject }) => subject),
      ["One API: an alert about channels"],
    );
  });

  test("the message has root's language", async () => {
    await recordAlert(mails.database.db, { kind: "channel-asleep", id: 7, name: "睡", until: 1_750_000_000 }, now());
    mails.clock.advanceSeconds(5);
    await bundleAlerts({ ...mails, findRootLanguage: async () => "zh-CN" });
    const [message] = await messages();
    assert.equal(message?.subject, "One API：1 条渠道提醒");
    assert.match(JSON.stringify(message?.blocks), /渠道 睡（7）休眠至 2025-06-15 15:06 UTC/);
    assert.deepEqual(await mails.systemLog(), [
      "Channel 睡 (7) is paused until 2025-06-15 15:06 UTC: its provider rate-limits the whole account.",
    ]);
  });

  test("the Chinese text has the cause, and quotes the provider's message", async () => {
    const alert = { kind: "channel-disabled", id: 7, name: "睡", reason: "Incorrect API key provided" } as const;
    await recordAlert(mails.database.db, { ...alert, code: "key-refused" }, now());
    mails.clock.advanceSeconds(5);
    await bundleAlerts({ ...mails, findRootLanguage: async () => "zh-CN" });
    const [message] = await messages();
    const text = JSON.stringify(message?.blocks);
    assert.match(text, /渠道 睡（7）已被禁用：提供商拒绝了该渠道的密钥。原文：“Incorrect API key provided”/);
    assert.deepEqual(await mails.systemLog(), ["Channel 睡 (7) was disabled. Incorrect API key provided"]);
  });

  test("audit alerts link to the audit trail, channel alerts to the channels", async () => {
    const broken = { kind: "audit-broken", found: 1, first: { kind: "entry-removed", id: 12 } } as const;
    const send = async (language: string) => {
      mails.clock.advanceSeconds(3600);
      await bundleAlerts({ ...mails, findRootLanguage: async () => language });
      const [message] = await messages();
      const labels = message?.blocks.flatMap((block) => ("label" in block ? [block.label] : []));
      return { subject: message?.subject, text: JSON.stringify(message?.blocks[0]), labels };
    };
    await mails.set({ ServerAddress: "https://gateway.example" });
    await recordAlert(mails.database.db, broken, now());
    const alone = await send("en");
    assert.equal(alone.subject, "One API: an alert about the audit trail");
    assert.match(
      alone.text,
      /The audit trail was modified in the database, outside the gateway\. Entry 12 was removed\. Run npm run verify-audit/,
    );
    assert.deepEqual(alone.labels, ["See the audit trail"]);
    await recordAlert(mails.database.db, broken, now());
    await fail(7);
    const both = await send("zh-CN");
    assert.equal(both.subject, "One API：2 条审计记录和渠道提醒");
    assert.deepEqual(both.labels, ["查看审计记录", "查看渠道"]);
  });
});
