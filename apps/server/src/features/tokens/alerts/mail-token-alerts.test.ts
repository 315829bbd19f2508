import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { createTokenInputSchema, type updateTokenInputSchema } from "@one-api/contract/token";
import { eachDatabase } from "@one-api/database/test-databases";
import type { z } from "zod";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { createTestMails, type TestMails } from "../../../testing/create-test-mails.ts";
import { createTestUser, type TestUser } from "../../../testing/create-test-user.ts";
import { setPool } from "../../../testing/ledger/set-pool.ts";
import { createToken } from "../create-token.ts";
import { deleteToken } from "../delete-token.ts";
import { updateToken } from "../update-token.ts";
import { mailTokenAlerts } from "./mail-token-alerts.ts";

const DAY_SECONDS = 86_400;
const TO = "watch@example.com";

eachDatabase((open) => {
  const ledger = createQuotaLedger();
  let mails: TestMails;
  let owner: TestUser;
  before(async () => {
    mails = await createTestMails(await open());
    await mails.set({ SMTPServer: "127.0.0.1", SMTPAccount: "a@example.com", SMTPToken: "secret" });
    owner = await createTestUser(mails.database, mails.clock, "user", { quota: 50_000_000 });
  });
  beforeEach(async () => {
    await mails.database.db.deleteFrom("tokens").execute();
    await mails.database.db.deleteFrom("request_counts").execute();
    await mails.takeQueued();
  });

  const now = () => Math.floor(mails.clock.nowMs() / 1000);
  const add = async (fields: z.input<typeof createTokenInputSchema>) => {
    const input = createTokenInputSchema.parse({ email: TO, ...fields });
    return (await createToken(mails.contextOf(owner), { options: mails.options, ledger }, input)).id;
  };
  const edit = (input: z.output<typeof updateTokenInputSchema>) =>
    updateToken(mails.contextOf(owner), { options: mails.options, ledger }, input);
  /** Changes the remaining quota like requests, not the owner's setting. */
  const leave = (id: number, remaining: number) => setPool(mails.database, "token", id, { remaining });
  const queuedSubjects = async () =>
    (await mails.takeQueued()).map(({ recipient, message: { subject } }) => (recipient === TO ? subject : recipient));
  const subjects = async (...tokenIds: number[]) => {
    await mailTokenAlerts(mails, { tokenIds });
    return queuedSubjects();
  };
  const [LOW, USED_UP] = ["One API token quota is low", "One API token quota is used up"];
  const [SOON, EXPIRED] = ["One API token expires soon", "One API token has expired"];

  test("a token's address gets one mail at a fifth of the quota and one at zero [TLIMIT-14] [TLIMIT-15] [TLIMIT-18]", async () => {
    const id = await add({ name: "watched", remain_quota: 1000 });
    await add({ name: "silent", remain_quota: 1000, email: "" });
    assert.deepEqual(await subjects(), []);
    await leave(id, 201);
    assert.deepEqual(await subjects(), []);
    await leave(id, 200);
    assert.deepEqual(await subjects(), [LOW]);
    await leave(id, 1);
    assert.deepEqual(await subjects(), []);
    await leave(id, 0);
    assert.deepEqual(await subjects(), [USED_UP]);
    assert.deepEqual(await subjects(), []);
  });

  test("quota counts as used up after a refused call with little left", async () => {
    const id = await add({ name: "refused", remain_quota: 1000 });
    const other = await add({ name: "small", remain_quota: 1000 });
    await leave(id, 500);
    assert.deepEqual(await subjects(id), [], "one call that was too large");
    await leave(id, 20);
    await leave(other, 20);
    assert.deepEqual(await subjects(), [LOW, LOW]);
    assert.deepEqual(await subjects(id), [USED_UP]);
    assert.deepEqual(await subjects(id), []);
  });

  for (const state of ["live", "batch"] as const)
    test(`quota reserved by ${state === "batch" ? "batches" : "requests"} counts as remaining`, async () => {
      const id = await add({ name: "busy", remain_quota: 1000 });
      await leave(id, 0);
      const { db } = mails.database;
      const owners = { id: 5000, state, request_id: state === "batch" ? "one" : "" };
      await db.insertInto("owners").values(owners).execute();
      await db.insertInto("shares").values({ kind: 2, account: id, owner: 5000, remaining: 900 }).execute();
      assert.deepEqual(await subjects(), []);
      await db.deleteFrom("shares").where("owner", "=", 5000).execute();
      await db.deleteFrom("owners").where("id", "=", 5000).execute();
      assert.deepEqual(await subjects(), [USED_UP], "one mail for both marks at once");
    });

  test("concurrent servers send one mail", async () => {
    const id = await add({ name: "raced", remain_quota: 1000 });
    await leave(id, 10);
    await Promise.all(Array.from({ length: 5 }, () => mailTokenAlerts(mails, { tokenIds: [] })));
    assert.deepEqual(await queuedSubjects(), [LOW]);
  });

  test("added quota arms the mails again; other edits do not", async () => {
    const id = await add({ name: "refilled", remain_quota: 1000 });
    await leave(id, 100);
    assert.deepEqual(await subjects(), [LOW]);
    await edit({ id, name: "renamed", email: TO });
    assert.deepEqual(await subjects(), []);
    await edit({ id, remain_quota: 600 });
    assert.deepEqual(await subjects(), []);
    await leave(id, 121);
    assert.deepEqual(await subjects(), []);
    await leave(id, 120);
    assert.deepEqual(await subjects(), [LOW]);
    await edit({ id, unlimited_quota: true });
    await leave(id, 0);
    assert.deepEqual(await subjects(), [], "an unlimited token has no quota to tell of");
  });

  test("a mail is sent five days before the expiry and one after; a later expiry arms both again [TLIMIT-16] [TLIMIT-17] [TLIMIT-18]", async () => {
    const id = await add({ name: "short", unlimited_quota: true, expired_time: now() + 6 * DAY_SECONDS });
    assert.deepEqual(await subjects(), []);
    mails.clock.advanceSeconds(DAY_SECONDS);
    assert.deepEqual(await subjects(), [SOON]);
    assert.deepEqual(await subjects(), []);
    mails.clock.advanceSeconds(5 * DAY_SECONDS);
    assert.deepEqual(await subjects(), [EXPIRED]);
    assert.deepEqual(await subjects(), []);
    await edit({ id, expired_time: now() + DAY_SECONDS });
    assert.deepEqual(await subjects(), [SOON]);
    await edit({ id, expired_time: -1 });
    assert.deepEqual(await subjects(), []);
  });

  test("no mail is sent for disabled, deleted and long expired tokens, and disabled owners", async () => {
    await add({ name: "old", unlimited_quota: true, expired_time: now() - 8 * DAY_SECONDS });
    const off = await add({ name: "off", remain_quota: 1000 });
    await leave(off, 0);
    await edit({ id: off, status: 2 });
    const gone = await add({ name: "gone", remain_quota: 1000 });
    await leave(gone, 0);
    await deleteToken(mails.contextOf(owner), ledger, gone);
    const other = await createTestUser(mails.database, mails.clock, "user", { quota: 5000 });
    const input = createTokenInputSchema.parse({ name: "theirs", email: TO, remain_quota: 1000 });
    const theirs = await createToken(mails.contextOf(other), { options: mails.options, ledger }, input);
    await leave(theirs.id, 0);
    await mails.database.db.updateTable("users").set({ status: 2 }).where("id", "=", other.id).execute();
    assert.deepEqual(await subjects(), []);
  });

  test("alerts without mail are not sent later", async () => {
    await mails.set({ SMTPToken: "" });
    const id = await add({ name: "early", remain_quota: 1000 });
    await leave(id, 100);
    assert.deepEqual(await subjects(), []);
    await mails.set({ SMTPToken: "secret" });
    assert.deepEqual(await subjects(), []);
    await leave(id, 0);
    assert.deepEqual(await subjects(), [USED_UP]);
  });

  test("mails have the owner's language", async () => {
    const set = (language: string) =>
      mails.database.db.updateTable("users").set({ language }).where("id", "=", owner.id).execute();
    await set("zh-CN");
    await leave(await add({ name: "zh", remain_quota: 1000 }), 0);
    assert.deepEqual(await subjects(), ["One API 令牌额度已用尽"]);
    await set("");
  });

  test("a token with a very late expiry does not block other mails", async () => {
    const first = await add({ name: "for ever", remain_quota: 1000 });
    const { db } = mails.database;
    await db.updateTable("tokens").set({ expired_time: Number.MAX_SAFE_INTEGER }).where("id", "=", first).execute();
    const second = await add({ name: "behind it", remain_quota: 1000 });
    for (const id of [first, second]) await leave(id, 100);
    assert.deepEqual(await subjects(), [LOW, LOW]);
  });

  test("an owner's tokens send at most twenty mails an hour; others are not delayed", async () => {
    const limit = 20;
    const ids: number[] = [];
    for (let index = 0; index < limit + 3; index += 1)
      ids.push(await add({ name: `t${index}`, unlimited_quota: true, expired_time: now() + DAY_SECONDS }));
    const other = await createTestUser(mails.database, mails.clock, "user", { quota: 5000 });
    const input = createTokenInputSchema.parse({ name: "theirs", email: TO, remain_quota: 1000 });
    const theirs = await createToken(mails.contextOf(other), { options: mails.options, ledger }, input);
    assert.equal((await subjects()).length, limit);
    await leave(theirs.id, 0);
    assert.deepEqual(await subjects(), [USED_UP]);
    for (const id of ids) {
      await edit({ id, expired_time: now() + 9 * DAY_SECONDS });
      await edit({ id, expired_time: now() + DAY_SECONDS });
    }
    assert.deepEqual(await subjects(), []);
    mails.clock.advanceSeconds(3_600);
    assert.equal((await subjects()).length, limit);
    assert.equal((await subjects()).length, 0);
    mails.clock.advanceSeconds(3_600);
    assert.equal((await subjects()).length, 3, "nothing is lost");
  });
});
