import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { type MailServer, startMailServer } from "@one-api/stub-server/people/start-mail-server";
import { startMessagePusher, type StubMessagePusher } from "@one-api/stub-server/people/start-message-pusher";
import { createTestMails, type TestMails } from "../../testing/create-test-mails.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { mailOptions } from "../../testing/set-options.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { deliverOutbox, type MailMessage, queueMessage, ROOT_RECIPIENT } from "./index.ts";

const message: MailMessage = { language: "en", subject: "News", blocks: [{ text: "Something happened." }] };

eachDatabase((open, kind) => {
  let mails: TestMails;
  let mailServer: MailServer;
  let pusher: StubMessagePusher;
  before(async () => {
    [mailServer, pusher] = await Promise.all([startMailServer(), startMessagePusher()]);
    mails = await createTestMails(await open());
    const { id } = await createTestUser(mails.database, mails.clock, "admin");
    await mails.database.db
      .updateTable("users")
      .set({ role: 100, email: "root@example.com" })
      .where("id", "=", id)
      .execute();
  });
  beforeEach(async () => {
    await mails.database.db.deleteFrom("outbox").execute();
    await mails.database.db.deleteFrom("logs").execute();
    await mails.set({ ...mailOptions(mailServer), MessagePusherAddress: "", MessagePusherToken: "" });
    pusher.takes = true;
  });
  after(() => Promise.all([mailServer.close(), pusher.close()]));

  const queue = (recipient: string) =>
    queueMessage(mails.database.db, { recipient, message, at: Math.floor(mails.clock.nowMs() / 1000) });
  const waiting = async () => {
    const rows = await mails.database.db.selectFrom("outbox").select(["recipient", "attempts"]).orderBy("id").execute();
    return rows.map(({ recipient, attempts }) => [recipient, attempts]);
  };
  const arrived = (recipient: string) => mailServer.mails.filter((mail) => mail.recipients.includes(recipient)).length;

  test("each message is sent once by concurrent servers", async () => {
    const recipients = Array.from({ length: 12 }, (_, index) => `many-${index}@${kind}.example`);
    for (const recipient of recipients) await queue(recipient);
    await Promise.all(Array.from({ length: 4 }, () => deliverOutbox(mails)));
    // A server that lost a claim leaves the rest to the next run.
    await deliverOutbox(mails);
    assert.deepEqual(
      recipients.map(arrived),
      recipients.map(() => 1),
    );
    assert.deepEqual(await waiting(), []);
  });

  test("messages wait with growing pauses while the mail server is unavailable, which is logged once", async () => {
    await mails.set({ SMTPPort: "1" });
    const recipients = [`first@${kind}.example`, `second@${kind}.example`];
    for (const recipient of recipients) await queue(recipient);
    for (let run = 0; run < 3; run += 1) assert.equal(await deliverOutbox(mails), 0);
    assert.deepEqual(
      await waiting(),
      recipients.map((recipient) => [recipient, 1]),
    );
    mails.clock.advanceSeconds(60);
    for (let run = 0; run < 3; run += 1) await deliverOutbox(mails);
    mails.clock.advanceSeconds(299);
    assert.equal(await deliverOutbox(mails), 0, "five minutes to the third try");
    assert.deepEqual(
      await waiting(),
      recipients.map((recipient) => [recipient, 2]),
    );
    const log = await mails.systemLog();
    assert.equal(log.length, 1, log.join("\n"));
    assert.match(
      log[0] ?? "",
      /^The message "News" to first@.* could not be sent; it is tried again, .*127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
    await mails.set(mailOptions(mailServer));
    mails.clock.advanceSeconds(1);
    assert.equal(await deliverOutbox(mails), 2);
    assert.deepEqual(recipients.map(arrived), [1, 1]);
  });

  test("a message that fails for a day and a half is discarded, which is logged", async () => {
    await mails.set({ SMTPPort: "1" });
    await queue(`never@${kind}.example`);
    for (let run = 0; run < 12; run += 1) {
      await deliverOutbox(mails);
      mails.clock.advanceSeconds(43_200);
    }
    assert.deepEqual(await waiting(), []);
    assert.match((await mails.systemLog()).at(-1) ?? "", /is given up after 9 tries/);
  });

  test("a message to an unknown address is discarded at once, and stops no other", async () => {
    mailServer.unknown.add(`gone@${kind}.example`);
    await queue(`gone@${kind}.example`);
    await queue(`there@${kind}.example`);
    assert.equal(await deliverOutbox(mails), 1);
    assert.equal(arrived(`there@${kind}.example`), 1);
    assert.deepEqual(await waiting(), []);
    assert.match((await mails.systemLog())[0] ?? "", /to gone@.* is given up after 1 tries\. .*no such user/);
  });

  test("a message to an unreachable domain is retried, and stops no other", async () => {
    const doubtful = [0, 1, 2].map((index) => `doubtful-${index}@${kind}.example`);
    for (const recipient of doubtful) {
      mailServer.doubtful.add(recipient);
      await queue(recipient);
    }
    const known = `found@${kind}.example`;
    await queue(known);
    assert.equal(await deliverOutbox(mails), 1);
    assert.equal(arrived(known), 1);
    assert.deepEqual(
      await waiting(),
      doubtful.map((recipient) => [recipient, 1]),
    );
    assert.deepEqual(await mails.systemLog(), []);
    mailServer.doubtful.clear();
    mails.clock.advanceSeconds(60);
    assert.equal(await deliverOutbox(mails), 3);
  });

  test("a message of a server that dies is sent by another", async () => {
    await queue(`left@${kind}.example`);
    const dying = { ...mails, mailer: { ...mails.mailer, send: () => new Promise<void>(() => undefined) } };
    void deliverOutbox(dying);
    await waitUntil(async () => (await waiting())[0]?.[1] === 1);
    assert.equal(await deliverOutbox(mails), 0, "it may still be sending");
    mails.clock.advanceSeconds(300);
    assert.equal(await deliverOutbox(mails), 1);
    assert.equal(arrived(`left@${kind}.example`), 1);
  });

  test("a message that only a later release can read stays for its servers, and stops no other", async () => {
    await queue(`later@${kind}.example`);
    await mails.database.db
      .updateTable("outbox")
      .set({ message: JSON.stringify({ ...message, blocks: [{ picture: "x" }] }) })
      .execute();
    await queue(`known@${kind}.example`);
    assert.equal(await deliverOutbox(mails), 1);
    assert.equal(arrived(`known@${kind}.example`), 1);
    assert.deepEqual(await waiting(), [[`later@${kind}.example`, 0]]);
  });

  test("root receives messages by Message Pusher, else by mail, else by the log only", async () => {
    await queue(ROOT_RECIPIENT);
    assert.equal(await deliverOutbox(mails), 1);
    assert.equal(arrived("root@example.com"), 1, "without Message Pusher");
    await mails.set({ MessagePusherAddress: pusher.address, MessagePusherToken: pusher.token });
    const pushed = pusher.messages.length;
    await queue(ROOT_RECIPIENT);
    await deliverOutbox(mails);
    assert.deepEqual(pusher.messages.slice(pushed), [
      { title: "News", description: "News", content: "Something happened." },
    ]);
    assert.equal(arrived("root@example.com"), 1);
    pusher.takes = false;
    await queue(ROOT_RECIPIENT);
    await deliverOutbox(mails);
    assert.equal(arrived("root@example.com"), 2, "Message Pusher refuses");
    await mails.set({ SMTPServer: "" });
    await queue(ROOT_RECIPIENT);
    assert.equal(await deliverOutbox(mails), 0);
    assert.match(
      (await mails.systemLog()).join("\n"),
      /to the super administrator could not be sent.*no such token: \*\*\*$/,
    );
    await mails.database.db.deleteFrom("outbox").execute();
    await mails.set({ MessagePusherAddress: "" });
    await queue(ROOT_RECIPIENT);
    await deliverOutbox(mails);
    assert.deepEqual(await waiting(), []);
  });
});
