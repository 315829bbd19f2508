import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { ALERT_KINDS, type ReceiverKind, USE_MARKS } from "@one-api/contract/notifications/notification-constants";
import { eachDatabase } from "@one-api/database/test-databases";
import {
  startAlertReceivers,
  STUB_RECEIVERS,
  type StubReceivers,
} from "@one-api/stub-server/people/start-alert-receivers";
import { type MailServer, startMailServer } from "@one-api/stub-server/people/start-mail-server";
import { z } from "zod";
import { createTestMails, type TestMails } from "../../testing/create-test-mails.ts";
import { mailOptions } from "../../testing/set-options.ts";
import { queueAlert, recordAlert } from "../alerts/index.ts";
import { claimDelivery } from "./delivery.repository.ts";
import { bundleAlerts, deliverNotices, findWantedMarks } from "./index.ts";
import { insertReceiver, type NewReceiver } from "./receiver.repository.ts";

const MINUTE = 60;
const dataSchema = z.object({ count: z.int(), alerts: z.array(z.unknown()) });

eachDatabase((open) => {
  let mails: TestMails;
  let stub: StubReceivers;
  let mailServer: MailServer;
  before(async () => {
    [stub, mailServer] = await Promise.all([startAlertReceivers(), startMailServer()]);
    const made = await createTestMails(await open());
    // Telegram's address is fixed.
    const post: TestMails["post"] = (request) =>
      made.post({ ...request, url: request.url.replace("https://api.telegram.org", stub.origin) });
    mails = { ...made, post };
    await mails.set(mailOptions(mailServer));
  });
  beforeEach(async () => {
    mails.clock.advanceSeconds(3_600);
    for (const table of ["alert_receivers", "pending_alerts", "outbox", "logs"] as const)
      await mails.database.db.deleteFrom(table).execute();
    stub.mode = "accept";
  });
  after(() => Promise.all([stub.close(), mailServer.close()]));

  const now = () => Math.floor(mails.clock.nowMs() / 1000);
  const addressOf = (kind: ReceiverKind) => {
    if (kind === "mail") return "team@example.com";
    return kind === "telegram" ? "-100123" : `${stub.origin}/${kind}/hidden-path-of-hook`;
  };
  const secretOf = (kind: ReceiverKind) => {
    if (kind === "webhook") return stub.webhookSecret;
    return kind === "telegram" ? stub.botToken : stub.robotSecret;
  };
  const add = (kind: ReceiverKind, changes: Partial<NewReceiver> = {}) => {
    const receiver: NewReceiver = {
      name: `my ${kind}`,
      kind,
      addressCipher: mails.secrets.seal("receiver-address", addressOf(kind)),
      secretCipher: mails.secrets.seal("receiver-secret", secretOf(kind)),
      alerts: ALERT_KINDS,
      marks: USE_MARKS,
      language: "en",
      quietHours: undefined,
      enabled: true,
      ...changes,
    };
    return insertReceiver(mails.database.db, receiver, now());
  };
  /** An alert that is not urgent. */
  const record = (id: number) =>
    recordAlert(mails.database.db, { kind: "channel-asleep", id, name: `c${id}`, until: now() }, now());
  const recordUrgent = (id: number) =>
    recordAlert(
      mails.database.db,
      { kind: "channel-disabled", code: "key-refused", id, name: `c${id}`, reason: "No." },
      now(),
    );
  const bundle = async () => {
    mails.clock.advanceSeconds(601);
    return bundleAlerts(mails);
  };
  const deliveries = () =>
    mails.database.db
      .selectFrom("alert_deliveries")
      .innerJoin("alert_receivers", "alert_receivers.id", "alert_deliveries.receiver_id")
      .select(["name", "count", "status", "attempts", "next_at", "error"])
      .orderBy("alert_deliveries.id")
      .execute();

  test("a receiver gets alerts about budgets and balances at its marks only, also when one alert passes several", async () => {
    await add("slack", { name: "half", marks: [50] });
    await add("slack", { name: "end", marks: [80, 100] });
    const send = async (since: number, percent: 50 | 80 | 100) => {
      const facts = { user: "mia", since, percent, used: "$1", limit: "$2" };
      await queueAlert(mails.database.db, { kind: "balance-used", ...facts }, now());
      await bundle();
      const sent = await deliveries();
      await mails.database.db.deleteFrom("alert_deliveries").execute();
      return sent.map(({ name }) => name);
    };
    assert.deepEqual(await findWantedMarks(mails.database.db, "balance-used"), [50, 80, 100]);
    assert.deepEqual(await send(0, 50), ["half"]);
    assert.deepEqual(await send(50, 80), ["end"]);
    assert.deepEqual(await send(0, 80), ["half", "end"]);
    assert.deepEqual(await send(80, 100), ["end"]);
  });

  test("every kind of receiver gets its alerts in one message", async () => {
    for (const kind of STUB_RECEIVERS) await add(kind);
    await add("mail");
    await add("slack", { name: "off", enabled: false });
    await add("slack", { name: "other kinds", alerts: ["audit-broken"] });
    await recordUrgent(1);
    await recordUrgent(2);
    assert.equal(await bundle(), 2);
    const known = stub.received.length;
    await deliverNotices(mails);
    const found = stub.received.slice(known);
    assert.deepEqual(found.map(({ kind }) => kind).toSorted(), [...STUB_RECEIVERS].toSorted());
    for (const { kind, text } of found) assert.match(text, /c1 \(1\) was disabled\. No\..*c2 \(2\) was disabled/, kind);
    assert.equal(mailServer.mails.filter(({ recipients }) => recipients.includes("team@example.com")).length, 1);
    assert.deepEqual(
      (await deliveries()).map(({ count, status, error }) => `${count} ${status}${error}`),
      Array.from({ length: STUB_RECEIVERS.length + 1 }, () => "2 delivered"),
    );
    assert.deepEqual(await mails.takeQueued(), [], "root has no mail of its own beside receivers");
    const { body } = found.find(({ kind }) => kind === "webhook") ?? {};
    assert.deepEqual(body?.["type"], "alerts");
    const facts = { code: "key-refused", id: 1, name: "c1", reason: "No." };
    const text = "Channel c1 (1) was disabled. No.";
    const alert = { kind: "channel-disabled", at: now() - 601, text, facts };
    const data = dataSchema.parse(body?.["data"]);
    assert.deepEqual([data.count, data.alerts[0]], [2, alert]);
  });

  test("every vendor's refusal is a failure that quotes it, without the secret address", async () => {
    for (const kind of STUB_RECEIVERS) await add(kind);
    stub.mode = "refuse";
    await recordUrgent(1);
    await bundle();
    await deliverNotices(mails);
    const found = await deliveries();
    assert.deepEqual(Object.fromEntries(found.map(({ name, error }) => [name.slice(3), error])), {
      webhook: "HTTP 500 cannot serve /webhook/***",
      slack: "HTTP 404 no_service",
      feishu: "19021 sign match fail or timestamp is not within one hour from current time",
      dingtalk: "310000 sign not match",
      wecom: "93000 invalid webhook url",
      telegram: 'HTTP 401 {"ok":false,"error_code":401,"description":"Unauthorized"}',
      discord: 'HTTP 404 {"message":"Unknown Webhook","code":10015}',
    });
    for (const { status, attempts, next_at } of found)
      assert.deepEqual([status, attempts, next_at], ["waiting", 1, now() + MINUTE]);
  });

  test("a failed delivery is retried with growing pauses, then given up, which the system log says", async () => {
    await add("webhook");
    stub.mode = "break";
    await recordUrgent(1);
    await bundle();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await deliverNotices(mails);
      const [delivery] = await deliveries();
      if (delivery?.status !== "waiting") break;
      waits.push((delivery.next_at - now()) / MINUTE);
      mails.clock.advanceSeconds(delivery.next_at - now() - 1);
      const { requests } = stub;
      await deliverNotices(mails);
      assert.equal(stub.requests, requests, "too early");
      mails.clock.advanceSeconds(1);
    }
    assert.deepEqual(waits, [1, 5, 30, 120, 360]);
    const [delivery] = await deliveries();
    assert.deepEqual([delivery?.status, delivery?.attempts], ["given-up", 6]);
    const [line] = (await mails.systemLog()).slice(-1);
    assert.match(line ?? "", /^The alerts to my webhook are given up after 6 tries\. /);
  });

  test("a redirect is not followed, and a later attempt has the same id and a new time", async () => {
    await add("webhook");
    stub.mode = "redirect";
    await recordUrgent(1);
    await bundle();
    const { requests } = stub;
    await deliverNotices(mails);
    assert.equal(stub.requests, requests + 1);
    assert.equal((await deliveries())[0]?.error, "The server leads elsewhere.");
    // A server that claims the delivery and dies.
    mails.clock.advanceSeconds(MINUTE);
    const claimed = await claimDelivery(mails.database.db, now(), 120);
    stub.mode = "accept";
    await deliverNotices(mails);
    assert.equal((await deliveries())[0]?.status, "waiting");
    mails.clock.advanceSeconds(120);
    await deliverNotices(mails);
    const { headers } = stub.received.at(-1) ?? {};
    assert.equal(headers?.["webhook-id"], `alert_${claimed?.id}_${claimed?.createdAt}`);
    assert.equal(headers?.["webhook-timestamp"], String(now()));
    assert.deepEqual(
      (await deliveries()).map(({ status, attempts }) => [status, attempts]),
      [["delivered", 3]],
    );
  });

  test("of several servers one delivers", async () => {
    for (let index = 0; index < 5; index += 1) await add("slack", { name: `chat ${index}` });
    await recordUrgent(1);
    await bundle();
    const known = stub.received.length;
    await Promise.all(Array.from({ length: 3 }, () => deliverNotices(mails)));
    // A server that lost a claim leaves the rest to the next run.
    await deliverNotices(mails);
    assert.equal(stub.received.length - known, 5);
  });

  test("in quiet hours urgent alerts are sent, and the others together at the end", async () => {
    const utc = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 16);
    await add("slack", { quietHours: { start: utc(now()), end: utc(now() + 7_200), time_zone: "UTC" } });
    const known = stub.received.length;
    const texts = () => stub.received.slice(known).map(({ text }) => text);
    await record(1);
    await recordUrgent(2);
    await bundle();
    await record(3);
    await bundle();
    await deliverNotices(mails);
    assert.deepEqual(
      texts().map((text) => /c(\d) \(\d\)/.exec(text)?.[1]),
      ["2"],
    );
    mails.clock.advanceSeconds(7_200);
    await deliverNotices(mails);
    assert.equal(texts().length, 2);
    assert.match(texts()[1] ?? "", /2 alerts about channels.*c1 \(1\).*c3 \(3\)/);
  });

  test("messages have the receiver's language, also in mails", async () => {
    await add("mail", { language: "zh-CN" });
    await recordUrgent(7);
    await bundle();
    await deliverNotices(mails);
    assert.equal(mailServer.mails.at(-1)?.subject, "One API：1 条渠道提醒");
  });
});
