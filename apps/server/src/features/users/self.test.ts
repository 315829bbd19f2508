import assert from "node:assert/strict";
import { LIMIT_FIELDS } from "@one-api/contract/limits/limit-constants";
import { after, before, describe, test } from "node:test";
import { updateOption } from "@one-api/contract/options/option";
import {
  createAccessToken,
  getAvailableModels,
  getSelf,
  listGroups,
  login,
  updateSelf,
} from "@one-api/contract/accounts/user";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { manageUser } from "@one-api/contract/accounts/user-management";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { setOptions } from "../../testing/set-options.ts";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { createTestClient } from "../../testing/test-client.ts";

for (const kind of DATABASE_KINDS) {
  describe(`the caller's user on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind });
    });
    after(() => testApp.close());

    const row = (id: number) =>
      testApp.database.db
        .selectFrom("users")
        .innerJoin("user_balances", "user_id", "users.id")
        .select([
          "username",
          "display_name",
          "password_hash",
          "password_is_default",
          "access_token_hash",
          "role",
          "remaining as quota",
          "group",
          "status",
        ])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
    const lastAudit = () =>
      testApp.database.db
        .selectFrom("audit")
        .select(["actor_id", "action", "object", "detail"])
        .orderBy("id", "desc")
        .executeTakeFirst();

    test("the console's language is stored for mails, that of scripts is not", async () => {
      const { client, user } = await testApp.logInAs("user");
      const languageOf = async () =>
        testApp.database.db.selectFrom("users").select("language").where("id", "=", user.id).executeTakeFirst();
      await client.data(getSelf, { headers: { "accept-language": "zh-CN" } });
      assert.deepEqual(await languageOf(), { language: "zh-CN" });
      await client.data(getSelf);
      const script = createTestClient(testApp.app, { accessToken: await client.data(createAccessToken) });
      await script.data(getSelf, { headers: { "accept-language": "*" } });
      assert.deepEqual(await languageOf(), { language: "zh-CN" });
      await client.data(getSelf, { headers: { "accept-language": "de, en;q=0.5" } });
      assert.deepEqual(await languageOf(), { language: "en" });
    });

    test("[ENT-001..012] returns all fields of the caller", async () => {
      const { client, user } = await testApp.logInAs("user", { group: "", email: "me@example.com", quota: 7 });
      const { budget, group_budget, lark_id, oidc_id, outdated_bindings, ...others } = await client.data(getSelf);
      const later = [budget, group_budget, lark_id, oidc_id, outdated_bindings];
      assert.deepEqual(later, [null, null, "", "", []], "what came later");
      assert.deepEqual(others, {
        ...Object.fromEntries(LIMIT_FIELDS.map((field) => [field, 0])),
        id: user.id,
        username: user.username,
        display_name: user.username,
        email: "me@example.com",
        group: "",
        quota: 7,
        used_quota: 0,
        request_count: 0,
        role: 1,
        status: 1,
        github_id: "",
        wechat_id: "",
      });
    });

    test("root's quota is in the ledger", async () => {
      const { quota } = await row(1);
      const sum = await testApp.database.db
        .selectFrom("ledger_entries")
        .select((select) => select.fn.sum("user_amount").as("sum"))
        .where("user_id", "=", 1)
        .where("kind", "=", "grant")
        .executeTakeFirstOrThrow();
      assert.equal(quota, 500_000_000_000_000);
      assert.equal(Number(sum.sum), quota);
    });

    test("[CALL-34] [CALL-36] [ROLE-06] changes filled fields and leaves empty ones", async () => {
      const { client, user } = await testApp.logInAs("user");
      await client.data(updateSelf, { body: { username: "", display_name: "Mia", password: "" } });
      const self = await client.data(getSelf);
      assert.deepEqual([self.username, self.display_name], [user.username, "Mia"]);
      assert.equal((await row(user.id)).password_hash, "");
      const audit = await lastAudit();
      assert.deepEqual(
        [audit?.actor_id, audit?.action, audit?.object],
        [user.id, "user.update-self", `user:${user.id}`],
      );
    });

    test("[V10] [ROLE-13] cannot set role, group or quota", async () => {
      const { client, user } = await testApp.logInAs("user");
      const untouched = await row(user.id);
      await client.data(updateSelf, {
        body: {
          id: 1,
          role: 100,
          quota: 1,
          used_quota: 0,
          group: "vip",
          status: 1,
          access_token: "x",
          display_name: untouched.display_name,
        },
      });
      assert.deepEqual(await row(user.id), untouched);
    });

    test("cannot take a used or confusable username, an address or several lines", async () => {
      const { client } = await testApp.logInAs("user");
      const refusals = [
        ["root", "user-username-taken"],
        ["root@example.com", "user-username-at-sign"],
        ["a\nb", "user-name-control-characters"],
        ["a\u2028b", "user-name-control-characters"],
        ["\u202Etoor", "user-name-control-characters"],
        ["x".repeat(65), "invalid-input"],
        ["ROOT", "user-username-taken"],
        ...[
          "ro\u200Bot",
          "root\u2800",
          "root\uFE0F",
          "ｒｏｏｔ",
          "rооt",
          "rοot",
          "cafe\u0301",
          "\u3164",
          "\uE000",
          "\uD800",
        ].map((username) => [username, "user-username-look-alike"] as const),
      ] as const;
      for (const [username, code] of refusals) {
        const { envelope } = await client.send(updateSelf, { body: { username } });
        assert.equal(envelope?.code, code, username);
        assert.equal(envelope?.field, "username");
      }
    });

    test("accepts names of one script, or Latin with Chinese, Japanese and Korean, and keeps an older name", async () => {
      for (const username of [
        "王小明 Ming",
        "たろう-taro",
        "ラーメン fan",
        "Иван",
        "Ελένη",
        "José",
        "김 lee_2",
        "محمد",
        "😀 smile",
      ]) {
        const named = await testApp.logInAs("user");
        assert.equal((await named.client.send(updateSelf, { body: { username } })).envelope?.success, true, username);
      }
      const { client, user } = await testApp.logInAs("user");
      const older = "rооt\u200B";
      await testApp.database.db.updateTable("users").set({ username: older }).where("id", "=", user.id).execute();
      await client.data(updateSelf, { body: { username: older, display_name: "👩‍👩‍👧 family" } });
      assert.equal((await client.data(getSelf)).username, older);
    });

    test("allows five renames a day, and other changes", async () => {
      const { client, user } = await testApp.logInAs("user");
      const take = (username: string) => client.send(updateSelf, { body: { username, display_name: "Runner" } });
      for (let turn = 0; turn < 5; turn += 1) assert.equal((await take(`runner-${turn}`)).envelope?.success, true);
      assert.equal((await take("runner-5")).status, 429);
      assert.equal((await take("runner-4")).envelope?.success, true, "the name that it has");
      const { client: admin } = await testApp.logInAs("admin");
      const disabled = { username: "runner-4", action: "disable" } as const;
      assert.equal((await admin.data(manageUser, { body: disabled })).status, USER_STATUS.disabled);
      assert.equal((await row(user.id)).username, "runner-4");
    });

    test("requires 8 characters in a new password", async () => {
      const { client } = await testApp.logInAs("user");
      const answer = await client.send(updateSelf, { body: { password: "1234567" } });
      assert.deepEqual(
        [answer.status, answer.envelope?.message],
        [400, "Password length must not be less than 8 characters!"],
      );
    });

    test("logs in with the new password only, which is not the default one", async () => {
      const { client } = await testApp.logInAs("root");
      assert.equal((await row(1)).password_is_default, 1);
      await client.data(updateSelf, { body: { password: "pässword of mine" } });
      const { password_is_default, password_hash } = await row(1);
      assert.equal(password_is_default, 0);
      assert.match(password_hash, /^\$argon2id\$/);
      const tryLogin = (password: string) => testApp.client().send(login, { body: { username: "root", password } });
      assert.equal((await tryLogin("123456")).envelope?.code, "wrong-credentials");
      // The same characters in another normalization: a and combining dots.
      assert.equal((await tryLogin("pa\u0308ssword of mine")).envelope?.success, true);
      assert.doesNotMatch(JSON.stringify(await lastAudit()), /of mine/);
    });

    test("[CALL-25] has one access token, shown once and stored as a hash; a new one ends the old", async () => {
      const { client, user } = await testApp.logInAs("user");
      const first = await client.data(createAccessToken);
      assert.match(first, /^[A-Za-z0-9]{40}$/);
      const script = createTestClient(testApp.app, { accessToken: `Bearer ${first}` });
      assert.equal((await script.data(getSelf)).id, user.id);
      assert.equal((await createTestClient(testApp.app, { accessToken: first }).send(getSelf)).status, 200);
      assert.doesNotMatch(JSON.stringify([await row(user.id), await lastAudit()]), new RegExp(first));
      assert.equal((await lastAudit())?.action, "user.create-access-token");
      await client.data(createAccessToken);
      assert.equal((await script.send(getSelf)).status, 401);
    });

    test("[CALL-39] lists the models of enabled channels of its groups, sorted", async () => {
      const { db } = testApp.database;
      const channel = {
        type: 1,
        key_cipher: "",
        base_url: "",
        other: "",
        models: "",
        group: "",
        model_mapping: "",
        system_prompt: "",
        organization: "",
        soft_limit_usd: 0,
        calc_prompt: 0 as const,
        config: "{}",
        config_cipher: "",
        priority: 0,
        weight: 0,
        created_time: 0,
      };
      const rows = await db
        .insertInto("channels")
        .values([
          { ...channel, name: "on", status: 1 },
          { ...channel, name: "on too", status: 1 },
          { ...channel, name: "off", status: 2 },
        ])
        .returning("id")
        .execute();
      const [on = 0, onToo = 0, off = 0] = rows.map(({ id }) => id);
      await db
        .insertInto("channel_models")
        .values([
          { group: "default", model: "zeta", channel_id: on },
          { group: "default", model: "alpha", channel_id: on },
          { group: "default", model: "alpha", channel_id: onToo },
          { group: "vip", model: "secret", channel_id: on },
          { group: "default", model: "off", channel_id: off },
        ])
        .execute();
      const [noGroup, ordinary, both] = [
        await testApp.logInAs("user", { group: "" }),
        await testApp.logInAs("user"),
        await testApp.logInAs("user", { group: "default, vip" }),
      ];
      await setOptions(testApp, {
        ModelAliases: '{"fast": ["nowhere", "alpha"], "zeta": ["alpha"], "none": ["secret"]}',
      });
      assert.deepEqual(await noGroup.client.data(getAvailableModels), ["alpha", "fast", "zeta"]);
      await setOptions(testApp, { ModelAliases: "" });
      assert.deepEqual(await ordinary.client.data(getAvailableModels), ["alpha", "zeta"]);
      assert.deepEqual(await both.client.data(getAvailableModels), ["alpha", "secret", "zeta"]);
    });

    test("[CALL-38] administrators see the groups with a ratio", async () => {
      const { client } = await testApp.logInAs("root");
      assert.deepEqual(await client.data(listGroups), ["default", "svip", "vip"]);
      await client.data(updateOption, { body: { key: "GroupRatio", value: '{"default":1,"night":0.5}' } });
      assert.deepEqual(await client.data(listGroups), ["default", "night"]);
    });
  });
}
