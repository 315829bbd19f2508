import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { createTestMails, type TestMails } from "../../testing/create-test-mails.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { alertText, takePendingAlerts } from "../alerts/index.ts";
import { alertExpiringKeys } from "./index.ts";

const DAY = 86_400;

eachDatabase((open) => {
  let mails: TestMails;
  let user: { readonly id: number };
  before(async () => {
    mails = await createTestMails(await open());
    user = await createTestUser(mails.database, mails.clock, "admin", { username: "mia" });
  });
  beforeEach(async () => {
    for (const table of ["tokens", "management_keys", "channels"] as const)
      await mails.database.db.deleteFrom(table).execute();
  });

  const now = () => Math.floor(mails.clock.nowMs() / 1000);
  const reported = async () => {
    await Promise.all([alertExpiringKeys(mails), alertExpiringKeys(mails)]);
    return (await takePendingAlerts(mails.database.db)).map(({ alert }) =>
      alertText(alert, "en").replace(/ at \S+ \S+ UTC/, ""),
    );
  };
  const addToken = async (name: string, expired_time: number, status = 1) => {
    const texts = { name, key_hmac: name, key_cipher: "", models: "", subnet: "", email: "", custom_contact: "" };
    const limits = { rpm_limit: 0, dpm_limit: 0, tpm_limit: 0, moderations_enable: 0, unlimited_quota: 1 } as const;
    const row = { ...texts, ...limits, created_time: 1, expired_time, user_id: user.id, status };
    return (await mails.database.db.insertInto("tokens").values(row).returning("id").executeTakeFirstOrThrow()).id;
  };
  const addManagementKey = (name: string, expires_at: number, revoked_at = 0) => {
    const row = { name, user_id: user.id, key_hash: name, hint: "", scopes: "", networks: "", created_at: 1 };
    return mails.database.db
      .insertInto("management_keys")
      .values({ ...row, expires_at, revoked_at })
      .execute();
  };
  const addChannel = async (name: string, key_expires_at: number, keys: readonly number[] = []) => {
    const texts = { base_url: "", other: "", models: "", group: "", model_mapping: "", system_prompt: "" };
    const rest = { organization: "", config: "", config_cipher: "", key_cipher: "" };
    const numbers = { type: 1, status: 1, soft_limit_usd: 0, calc_prompt: 1, priority: 0, weight: 0 } as const;
    const channel = { ...texts, ...rest, ...numbers, name, created_time: 1, key_expires_at };
    const { db } = mails.database;
    const { id } = await db.insertInto("channels").values(channel).returning("id").executeTakeFirstOrThrow();
    for (const [index, expires_at] of keys.entries()) {
      const key = { channel_id: id, key_cipher: "", key_end: `000${index}`, status: 1, weight: 1, expires_at };
      await db.insertInto("channel_keys").values(key).execute();
    }
  };

  test("the end of a token is reported 14 and 3 days before and at it, once each", async () => {
    await addToken("web", now() + 15 * DAY);
    assert.deepEqual(await reported(), []);
    mails.clock.advanceSeconds(DAY);
    assert.deepEqual(await reported(), ["Token web of mia expires, within 14 days."]);
    mails.clock.advanceSeconds(10 * DAY);
    assert.deepEqual(await reported(), []);
    mails.clock.advanceSeconds(DAY);
    assert.deepEqual(await reported(), ["Token web of mia expires, within 3 days."]);
    mails.clock.advanceSeconds(3 * DAY);
    assert.deepEqual(await reported(), ["Token web of mia expired."]);
    mails.clock.advanceSeconds(30 * DAY);
    assert.deepEqual(await reported(), []);
  });

  test("a later end allows the next report", async () => {
    const id = await addToken("web", now() + DAY);
    assert.deepEqual(await reported(), ["Token web of mia expires, within 3 days."]);
    const move = (days: number) =>
      mails.database.db.updateTable("tokens").set({ expired_time: days }).where("id", "=", id).execute();
    await move(now() + 10 * DAY);
    assert.deepEqual(await reported(), ["Token web of mia expires, within 14 days."]);
    await move(-1);
    assert.deepEqual(await reported(), []);
    await move(now() + 2 * DAY);
    assert.deepEqual(await reported(), ["Token web of mia expires, within 3 days."]);
  });

  test("disabled tokens, revoked keys and ends that are long past are not reported", async () => {
    await addToken("off", now() + DAY, 2);
    await addToken("old", now() - 30 * DAY);
    await addToken("never", -1);
    await addManagementKey("revoked", now() + DAY, now());
    await addChannel("unknown", 0, [0]);
    assert.deepEqual(await reported(), []);
  });

  test("management keys and keys of channels are reported by name; a channel of several keys by key", async () => {
    await addManagementKey("deploy", now() + 3 * DAY);
    await addChannel("main", now() - 60);
    await addChannel("several", now() + DAY, [0, now() + 13 * DAY]);
    assert.deepEqual(await reported(), [
      "Management key deploy of mia expires, within 3 days.",
      "A key of channel main expired.",
      "A key (…0001) of channel several expires, within 14 days.",
    ]);
  });
});
