import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { createTestMails, type TestMails } from "../../../testing/create-test-mails.ts";
import { createTestUser } from "../../../testing/create-test-user.ts";
import { setPool } from "../../../testing/ledger/set-pool.ts";
import { remindLowQuota } from "./remind-low-quota.ts";

const LOW = "One API: your quota is low";
const USED_UP = "One API: your quota is used up";

eachDatabase((open) => {
  let mails: TestMails;
  before(async () => {
    mails = await createTestMails(await open());
  });
  beforeEach(async () => {
    await mails.set({
      SMTPServer: "127.0.0.1",
      SMTPAccount: "a@example.com",
      SMTPToken: "secret",
      QuotaRemindThreshold: "1000",
      ServerAddress: "https://gateway.example",
    });
    await mails.database.db.deleteFrom("alert_states").execute();
    await mails.database.db.deleteFrom("users").execute();
    await mails.takeQueued();
  });

  const add = async (name: string, email = `${name}@example.com`) =>
    (await createTestUser(mails.database, mails.clock, "user", { username: name, email, quota: 5000 })).id;
  /** Changes the balance like requests. */
  const leave = (id: number, remaining: number) => setPool(mails.database, "user", id, { remaining, used: 1 });
  const subjects = async (...userIds: number[]) => {
    await remindLowQuota(mails, { userIds });
    return (await mails.takeQueued()).map(({ message }) => message.subject);
  };

  test("a user gets one mail below the threshold and one at zero; a top-up arms both again [OPER-36]", async () => {
    const id = await add("mia");
    await leave(id, 1000);
    assert.deepEqual(await subjects(), []);
    await leave(id, 999);
    assert.deepEqual(await subjects(), [LOW]);
    await leave(id, 1);
    assert.deepEqual(await subjects(), []);
    await leave(id, 0);
    assert.deepEqual(await subjects(), [USED_UP]);
    await leave(id, 24_999);
    assert.deepEqual(await subjects(), [], "not topped up enough to serve calls");
    await leave(id, 0);
    assert.deepEqual(await subjects(), []);
    await leave(id, 25_000);
    assert.deepEqual(await subjects(), []);
    await leave(id, 10);
    assert.deepEqual(await subjects(), [LOW]);
  });

  test("quota counts as used up after a refused call with less than five cents left", async () => {
    const id = await add("refused");
    await leave(id, 25_000);
    assert.deepEqual(await subjects(id), [], "one call that was too large");
    await leave(id, 20_000);
    assert.deepEqual(await subjects(), []);
    assert.deepEqual(await subjects(id), [USED_UP]);
    assert.deepEqual(await subjects(id), []);
  });

  test("concurrent servers send one mail, and a restart none", async () => {
    await leave(await add("raced"), 10);
    await Promise.all(Array.from({ length: 5 }, () => remindLowQuota(mails, { userIds: [] })));
    const queued = await mails.takeQueued();
    assert.deepEqual(
      queued.map(({ recipient, message }) => [recipient, message.subject]),
      [["raced@example.com", LOW]],
    );
    const restarted = await createTestMails(mails.database);
    assert.equal(await remindLowQuota(restarted, { userIds: [] }), 0);
  });

  test("the link begins with ServerAddress, and is absent without it", async () => {
    await leave(await add("linked"), 10);
    await remindLowQuota(mails, { userIds: [] });
    const [first] = await mails.takeQueued();
    assert.deepEqual(first?.message.blocks.at(-1), { link: "https://gateway.example/topup", label: "Top up" });
    await mails.set({ ServerAddress: "" });
    await leave(await add("plain"), 10);
    await remindLowQuota(mails, { userIds: [] });
    const [second] = await mails.takeQueued();
    assert.equal(second?.message.blocks.length, 1);
  });

  test("no mail is sent without an address, to disabled users, without usage, or with a threshold of 0", async () => {
    const nowhere = await add("nowhere", "");
    await leave(nowhere, 10);
    const off = await add("off");
    await leave(off, 10);
    await mails.database.db.updateTable("users").set({ status: 2 }).where("id", "=", off).execute();
    await createTestUser(mails.database, mails.clock, "user", { username: "new", email: "new@example.com", quota: 1 });
    assert.deepEqual(await subjects(), []);
    await mails.set({ QuotaRemindThreshold: "0" });
    await leave(await add("switched"), 0);
    assert.deepEqual(await subjects(), []);
    await mails.set({ QuotaRemindThreshold: "1000" });
    await mails.database.db.updateTable("users").set({ email: "now@example.com" }).where("id", "=", nowhere).execute();
    await remindLowQuota(mails, { userIds: [] });
    assert.deepEqual(
      (await mails.takeQueued()).map(({ recipient }) => recipient).toSorted(),
      ["now@example.com", "switched@example.com"],
      "who binds an address is told",
    );
  });
});
