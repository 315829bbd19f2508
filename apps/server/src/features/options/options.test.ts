import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listOptions, updateOption } from "@one-api/contract/options/option";
import { OPTION_DEFINITIONS, OPTION_KEYS } from "@one-api/contract/options/option-definitions";
import { getAbout, getHomePageContent, getNotice, getStatus } from "@one-api/contract/status";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createChangeFeed } from "../../core/change-feed.ts";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import type { TestClient } from "../../testing/test-client.ts";
import { createOptionStore } from "./create-option-store.ts";
import { renewOptionsVersion, saveOption } from "./option.repository.ts";

const SECRET_KEYS = OPTION_KEYS.filter((key) => OPTION_DEFINITIONS[key].kind === "secret");

for (const kind of DATABASE_KINDS) {
  describe(`options on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let root: TestClient;
    let admin: TestClient;
    before(async () => {
      testApp = await createTestApp({ kind });
      root = (await testApp.logInAs("root")).client;
      admin = (await testApp.logInAs("admin")).client;
    });
    after(() => testApp.close());

    const set = (client: TestClient, key: string, value: unknown) =>
      client.send(updateOption, { body: { key, value } });
    const stored = async (key: string) =>
      (await testApp.database.db.selectFrom("options").select("value").where("key", "=", key).executeTakeFirst())
        ?.value;
    const listed = async (key: string) => (await admin.data(listOptions)).find((option) => option.key === key)?.value;
    const auditRows = () =>
      testApp.database.db
        .selectFrom("audit")
        .select(["action", "object", "detail"])
        .where("action", "=", "option.update")
        .orderBy("id")
        .execute();

    test("[CALL-41] [ROLE-18] [OPER-19] [ROLE-20] are listed with defaults, without secrets", async () => {
      const options = await admin.data(listOptions);
      assert.equal(options.length, OPTION_KEYS.length - SECRET_KEYS.length);
      for (const { key } of options) assert.ok(!SECRET_KEYS.some((secret) => secret === key), key);
      const defaults = { SMTPPort: "587", PoolMode: "random", RootOnlySettings: "false" };
      for (const [name, value] of Object.entries(defaults))
        assert.equal(options.find(({ key }) => key === name)?.value, value, name);
    });

    test("have a default that can be restored", async () => {
      assert.equal((await set(admin, "RetryTimes", "7")).envelope?.success, true);
      const standing = async () => (await admin.data(listOptions)).find(({ key }) => key === "RetryTimes");
      assert.deepEqual(await standing(), { key: "RetryTimes", value: "7", default: "3" });
      for (const { key, default: preset } of await root.data(listOptions)) {
        const answer = await set(root, key, preset);
        assert.equal(answer.envelope?.success, true, `${key}: ${answer.text}`);
      }
      for (const { key, value, default: preset } of await root.data(listOptions)) assert.equal(value, preset, key);
    });

    test("[CALL-42] are in force and listed once saved, with one audit row each", async () => {
      const rowsBefore = (await auditRows()).length;
      assert.equal((await set(admin, "SystemName", "  Our gateway ")).envelope?.success, true);
      assert.equal((await testApp.client().data(getStatus)).system_name, "Our gateway");
      assert.equal(await listed("SystemName"), "Our gateway");
      const rows = await auditRows();
      assert.equal(rows.length, rowsBefore + 1);
      assert.deepEqual(rows.at(-1), {
        action: "option.update",
        object: "option:SystemName",
        detail: '{"value":{"from":"One API","to":"Our gateway"}}',
      });
    });

    test("[ENT-093] [ENT-094] accept booleans and numbers as texts, as older clients send them", async () => {
      assert.equal((await set(admin, "RegisterEnabled", false)).envelope?.success, true);
      assert.equal((await set(admin, "RetryTimes", 2)).envelope?.success, true);
      assert.deepEqual([await stored("RegisterEnabled"), await stored("RetryTimes")], ["false", "2"]);
    });

    test("that are invalid change nothing", async () => {
      await set(admin, "ModelRatio", '{"gpt-4":15}');
      const rowsBefore = (await auditRows()).length;
      const answer = await set(admin, "ModelRatio", '{"gpt-4":"15"}');
      assert.deepEqual([answer.status, answer.envelope?.field], [400, "value"]);
      assert.match(answer.envelope?.message ?? "", /ratio of "gpt-4"/);
      assert.equal(await stored("ModelRatio"), '{"gpt-4":15}');
      assert.equal(testApp.deps.options.ratios("ModelRatio").get("gpt-4"), 15);
      assert.equal((await auditRows()).length, rowsBefore);
    });

    test("with unknown names are refused", async () => {
      for (const key of ["NoSuchOption", "_master_key_check", "__proto__", "constructor"]) {
        const answer = await set(root, key, "1");
        assert.deepEqual([answer.status, answer.envelope?.message], [400, `There is no option ${key}.`]);
      }
      const { message } = (await set(root, "RetryTime", "1")).envelope ?? {};
      assert.equal(message, "There is no option RetryTime. Did you mean RetryTimes?");
    });

    test("[ENT-070] [ENT-071] [ROLE-18] that are secret are encrypted, and appear in no answer, log or audit row", async () => {
      const secret = "canary-SMTP-word";
      const valueOf = (key: string) => (key === "HttpProxy" ? `socks5://me:${secret}@10.0.0.1:1080` : secret);
      for (const key of SECRET_KEYS) assert.equal((await set(root, key, valueOf(key))).envelope?.success, true);
      assert.equal(testApp.deps.options.secret("SMTPToken"), secret);
      const answers = [
        await admin.send(listOptions),
        await admin.send(getStatus),
        await set(root, "SMTPToken", secret),
      ].map(({ text }) => text);
      const rows = await testApp.database.db.selectFrom("options").selectAll().execute();
      const everything = JSON.stringify([answers, rows, await auditRows(), testApp.logLines]);
      assert.doesNotMatch(everything, /canary/);
      assert.equal((await set(root, "SMTPToken", "")).envelope?.success, true);
      assert.equal(testApp.deps.options.secret("SMTPToken"), "", "an empty one clears it");
    });

    const switches = [
      ["EmailVerificationEnabled", { SMTPServer: "mail.example", SMTPAccount: "us@mail.example", SMTPToken: "x" }],
      ["GitHubOAuthEnabled", { GitHubClientId: "id", GitHubClientSecret: "x" }],
      ["WeChatAuthEnabled", { WeChatServerAddress: "https://wechat.example", WeChatServerToken: "x" }],
      ["TurnstileCheckEnabled", { TurnstileSiteKey: "site", TurnstileSecretKey: "x" }],
      ["GlobalProxyEnabled", { HttpProxy: "http://10.0.0.1:3128" }],
    ] as const;
    for (const [key, needs] of switches) {
      test(`${key} requires its options, which cannot be cleared while it is on`, async () => {
        for (const need of Object.keys(needs)) await set(root, need, "");
        const missing = Object.keys(needs);
        for (const [need, value] of Object.entries(needs)) {
          const refused = await set(root, key, "true");
          assert.deepEqual([refused.status, refused.envelope?.code], [200, "option-needs"]);
          assert.deepEqual(refused.envelope?.values, { option: key, missing: missing.join(", ") });
          await set(root, need, value);
          missing.shift();
        }
        assert.equal((await set(root, key, "true")).envelope?.success, true);
        for (const need of Object.keys(needs)) {
          const refused = await set(root, need, "");
          assert.deepEqual([refused.status, refused.envelope?.code], [200, "option-needed"]);
          assert.deepEqual(refused.envelope?.values, { option: need, user: key });
          assert.notEqual(await stored(need), "");
        }
        await set(root, key, "false");
        for (const need of Object.keys(needs)) assert.equal((await set(root, need, "")).envelope?.success, true);
      });
    }

    test("a switch and the clearing of its required option conflict, and one is refused", async () => {
      for (const round of [1, 2, 3]) {
        await set(root, "GlobalProxyEnabled", "false");
        await set(root, "HttpProxy", "http://10.0.0.1:3128");
        await Promise.all([set(root, "GlobalProxyEnabled", "true"), set(root, "HttpProxy", "")]);
        const both = [await stored("GlobalProxyEnabled"), await stored("HttpProxy")];
        assert.notDeepEqual(both, ["true", ""], `round ${round}`);
      }
      await set(root, "GlobalProxyEnabled", "false");
    });

    test("that direct secrets, mails, logins and calls are set by root only", async () => {
      const rootsOwn = [
        ["HttpProxy", "http://10.0.0.1:3128"],
        ["GlobalProxyEnabled", "false"],
        ["SMTPServer", "mail.example"],
        ["SMTPPort", "25"],
        ["SMTPAccount", "us@mail.example"],
        ["SMTPFrom", "us@mail.example"],
        ["SMTPToken", "x"],
        ["MessagePusherAddress", "https://pusher.example"],
        ["ServerAddress", "https://gateway.example"],
        ["GitHubAddress", "https://github.example"],
        ["GitHubClientId", "id"],
        ["LarkClientId", "id"],
        ["OidcIssuer", "https://login.example"],
        ["OidcClientId", "id"],
        ["WeChatServerAddress", "https://wechat.example"],
        ["TurnstileAddress", "https://turnstile.example"],
        ["TurnstileSiteKey", "site"],
        ["UpdateAddress", "https://updates.example"],
        ["PriceListAddress", "https://prices.example"],
        ["ChatLink", "https://chat.example"],
        ["ChatLinkLobe", "https://chat.example"],
        ["ChatLinkNextWeb", "https://chat.example"],
        ["AuditRetentionDays", "1"],
        ["RootOnlySettings", "false"],
      ] as const;
      for (const [key, value] of [...rootsOwn, ...SECRET_KEYS.map((secret) => [secret, "x"] as const)]) {
        const kept = await stored(key);
        const refused = await set(admin, key, value);
        assert.deepEqual([refused.status, refused.envelope?.code], [403, "option-root-only"], key);
        assert.equal(await stored(key), kept, key);
      }
    });

    test("[ROLE-19] [ROLE-21] RootOnlySettings is set by root, and restricts prices, links and HTML to root", async () => {
      assert.equal((await set(admin, "RootOnlySettings", "true")).status, 403);
      assert.equal((await set(admin, "TopUpLink", "https://shop.example")).envelope?.success, true);
      await set(root, "RootOnlySettings", "true");
      const narrowed = [
        ["SMTPToken", "x"],
        ["ServerAddress", ""],
        ["TopUpLink", ""],
        ["ModelRatio", "{}"],
        ["QuotaPerUnit", "1"],
        ["Footer", "<b>"],
        ["RootOnlySettings", "false"],
      ] as const;
      for (const [key, value] of narrowed) assert.equal((await set(admin, key, value)).status, 403, key);
      assert.equal((await set(admin, "RetryTimes", "1")).envelope?.success, true);
      assert.equal((await set(root, "Footer", "<b>us</b>")).envelope?.success, true);
      await set(root, "RootOnlySettings", "false");
      assert.equal((await set(admin, "Footer", "")).envelope?.success, true);
    });

    test("take effect on other servers of the database", async () => {
      const { database, secrets, log } = testApp.deps;
      const changes = createChangeFeed();
      const other = await createOptionStore({ database, secrets, changes, log });
      let announced = 0;
      changes.subscribe("options", () => (announced += 1));
      await other.followOthers();
      assert.equal(announced, 0, "nothing has changed");
      await set(root, "PoolMode", "polling");
      await other.followOthers();
      assert.deepEqual([other.text("PoolMode"), announced], ["polling", 1]);
      await other.followOthers();
      assert.equal(announced, 1);
      await saveOption(database.db, { key: "PoolMode", value: "random" });
      await renewOptionsVersion(database.db);
      assert.equal(await listed("PoolMode"), "random", "what another server has set is listed at once");
    });

    test("are loaded when any of several concurrent loads ends", async () => {
      const { database, secrets, changes, log } = testApp.deps;
      const store = await createOptionStore({ database, secrets, changes, log });
      await saveOption(database.db, { key: "PoolMode", value: "polling" });
      const first = store.reload();
      const second = store.reload();
      await first;
      assert.equal(store.text("PoolMode"), "polling");
      await second;
      await saveOption(database.db, { key: "PoolMode", value: "random" });
    });

    test("that are damaged in the database keep their previous value, which is logged", async () => {
      const { database, secrets, changes, log } = testApp.deps;
      const store = await createOptionStore({ database, secrets, changes, log });
      await set(root, "RetryTimes", "4");
      await store.reload();
      await database.db.updateTable("options").set({ value: "many" }).where("key", "=", "RetryTimes").execute();
      await store.reload();
      assert.equal(store.number("RetryTimes"), 4, "the last good value");
      const restarted = await createOptionStore({ database, secrets, changes, log });
      assert.equal(restarted.number("RetryTimes"), 3, "the default");
      assert.match(testApp.logLines.at(-1) ?? "", /"option":"RetryTimes"/);
      await set(root, "RetryTimes", "3");
    });

    for (const [key, known, later] of [
      ["ModelAliases", '{"fast":["a"]}', '{"fast":[{"model":"a","of_a_later_release":1}]}'],
      ["GroupLimits", '{"vip":{"rpm_limit":5}}', '{"vip":{"rpm_limit":6,"of_a_later_release":1}}'],
      ["ModelPrices", '{"a":{"input":1,"output":2}}', '{"a":{"input":2,"output":2,"of_a_later_release":1}}'],
    ] as const) {
      test(`with a field of a later release keep their previous value: ${key}`, async () => {
        const { database, secrets, changes, log } = testApp.deps;
        const store = await createOptionStore({ database, secrets, changes, log });
        await saveOption(database.db, { key, value: known });
        await store.reload();
        await saveOption(database.db, { key, value: later });
        await store.reload();
        assert.equal(store.list().find((option) => option.key === key)?.value, known);
        assert.match(testApp.logLines.at(-1) ?? "", new RegExp(`"option":"${key}"`));
        await set(root, key, "");
      });
    }

    test("are the contents of public pages", async () => {
      const visitor = testApp.client();
      assert.deepEqual(
        [await visitor.data(getNotice), await visitor.data(getAbout), await visitor.data(getHomePageContent)],
        ["", "", ""],
      );
      for (const key of ["Notice", "About", "HomePageContent"]) await set(root, key, `# ${key}`);
      assert.deepEqual(
        [await visitor.data(getNotice), await visitor.data(getAbout), await visitor.data(getHomePageContent)],
        ["# Notice", "# About", "# HomePageContent"],
      );
    });
  });
}
