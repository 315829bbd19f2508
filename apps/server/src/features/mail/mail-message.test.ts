import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { finished } from "node:stream/promises";
import { after, before, describe, test } from "node:test";
import { type OpenDatabase } from "@one-api/database/open-database";
import { openTestDatabase } from "@one-api/database/test-databases";
import { type MailServer, startMailServer } from "@one-api/stub-server/people/start-mail-server";
import { createTestMails, type TestMails } from "../../testing/create-test-mails.ts";
import { mailOptions } from "../../testing/set-options.ts";
import { connectMailServer } from "./connect-mail-server.ts";
import { codeMail, resetMail, tokenMail } from "./index.ts";

describe("a mail", () => {
  let database: OpenDatabase;
  let mails: TestMails;
  let mailServer: MailServer;
  before(async () => {
    [database, mailServer] = await Promise.all([openTestDatabase("sqlite"), startMailServer()]);
    mails = await createTestMails(database);
    await mails.set({ ...mailOptions(mailServer), SystemName: "Our <b>API</b>" });
  });
  after(() => Promise.all([database.close(), mailServer.close()]));

  test("contains no header, recipient, markup or link from a name", async () => {
    const token = `x"\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script> <a href="https://evil.example">win</a>\u2028& more`;
    const facts = { token, left: "$1.00", expiresAt: -1 };
    const message = tokenMail(mails.options.text("SystemName"), "quota-low", facts, "en");
    await mails.mailer.send({
      to: "plain@example.com",
      message: { ...message, subject: `${message.subject} ${token}` },
    });
    const mail = await mailServer.nextTo("plain@example.com");
    assert.deepEqual(mail.recipients, ["plain@example.com"]);
    assert.ok(!mail.headers.some(({ key }) => key === "bcc"));
    assert.ok(mail.subject.includes('x" Bcc: victim@example.com'), mail.subject);
    assert.doesNotMatch(mail.html, /<script|<a |<b>/);
    assert.match(mail.html, /Our &lt;b&gt;API&lt;\/b&gt;/);
    assert.match(mail.text, /<script>alert\(1\)<\/script>/, "plain text stays as it is");
    assert.doesNotMatch(mail.text, /\r?\nBcc/);
  });

  test("goes to one address, whatever characters it contains", async () => {
    const message = codeMail("One API", "123456", "en");
    const to = "a@example.com, b@example.com";
    await mails.mailer.send({ to, message }).catch(() => undefined);
    assert.ok(!mailServer.mails.some(({ recipients }) => recipients.includes("b@example.com")));
  });

  test("has equal text and HTML in the reader's language, and prevents automatic replies", async () => {
    const link = "https://gateway.example/user/reset?email=a%40b.example&token=t";
    await mails.mailer.send({ to: "zh@example.com", message: resetMail("One API", link, "zh-CN,en;q=0.5"), id: "7.1" });
    const mail = await mailServer.nextTo("zh@example.com");
    assert.equal(mail.subject, "One API 密码重置");
    assert.ok(mail.text.includes(`重置密码:\n${link}`));
    assert.ok(mail.html.includes(`href="${link.replace("&", "&amp;")}"`));
    assert.match(mail.html, /<html lang="zh-CN">.*prefers-color-scheme: dark/s);
    assert.doesNotMatch(mail.html, /src=|url\(|@import/, "nothing is loaded that would tell who reads");
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    assert.equal(header("auto-submitted"), "auto-generated");
    assert.equal(header("message-id"), "<7.1@mail.test>");
  });

  test("times out when the server sends a byte at a time", async () => {
    const dripping = createServer((socket) => {
      const drip = setInterval(() => socket.write("2"), 5);
      socket.on("error", () => undefined).on("close", () => clearInterval(drip));
    }).listen(0, "127.0.0.1");
    await once(dripping, "listening");
    const address = dripping.address();
    assert.ok(typeof address === "object" && address !== null);
    const limits = { timeoutMs: 10_000, lifetimeMs: 50 };
    const socket = await connectMailServer("127.0.0.1", address.port, limits);
    socket.resume();
    await assert.rejects(finished(socket), /no end within 0.05 s/);
    dripping.close();
  });

  test("is not sent to link-local servers, and its error names the server", async () => {
    const message = codeMail("One API", "123456", "en");
    const trySend = () => mails.mailer.send({ to: "x@example.com", message });
    await mails.set({ SMTPServer: "no-such-server.invalid" });
    await assert.rejects(trySend, /no connection to no-such-server\.invalid:\d+: .*ENOTFOUND/);
    await database.db
      .updateTable("options")
      .set({ value: "169.254.169.254" })
      .where("key", "=", "SMTPServer")
      .execute();
    await mails.options.reload();
    // The option refuses it; a stored one leaves the previous value in force.
    assert.notEqual(mails.options.text("SMTPServer"), "169.254.169.254");
  });
});
