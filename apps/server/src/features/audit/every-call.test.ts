import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { after, before, describe, test } from "node:test";
import type { Call } from "@one-api/contract/call";
import { listCalls } from "@one-api/contract/testing/list-calls";
import * as channels from "@one-api/contract/channels/channel";
import * as testCalls from "@one-api/contract/channels/channel-tests";
import * as bulk from "@one-api/contract/channels/channel-bulk";
import {
  addChannelKeys,
  deleteChannelKey,
  updateChannelKey,
  updateChannelKeyBalance,
} from "@one-api/contract/channels/channel-keys";
import * as decisions from "@one-api/contract/channels/channel-decision";
import { askChannelModels } from "@one-api/contract/channels/channel-models";
import * as factors from "@one-api/contract/accounts/factor";
import { clearLogs, startLogClearing } from "@one-api/contract/logs/log-clearing";
import { applyConfiguration } from "@one-api/contract/configuration/configuration";
import { createInvitations, deleteInvitation, listInvitations } from "@one-api/contract/accounts/invitation";
import * as managementKeys from "@one-api/contract/accounts/management-key";
import { setGroupBudget } from "@one-api/contract/limits/group-budget";
import * as alertRules from "@one-api/contract/notifications/alert-rule";
import * as receivers from "@one-api/contract/notifications/receiver";
import * as oauth from "@one-api/contract/accounts/oauth";
import { listOptions, sendTestMail, sendTestPush, testProxy, updateOption } from "@one-api/contract/options/option";
import * as priceLists from "@one-api/contract/prices/price-list";
import * as redemptions from "@one-api/contract/redemption";
import * as registration from "@one-api/contract/accounts/registration";
import { endAllSessions, endSession, listSessions } from "@one-api/contract/accounts/session";
import * as tokens from "@one-api/contract/token";
import * as users from "@one-api/contract/accounts/user";
import { saveView, shareView } from "@one-api/contract/view";
import * as management from "@one-api/contract/accounts/user-management";
import {
  type IdentityProvider,
  settingsFor,
  startIdentityProvider,
} from "@one-api/stub-server/people/start-identity-provider";
import { type MailServer, startMailServer } from "@one-api/stub-server/people/start-mail-server";
import { startMessagePusher, type StubMessagePusher } from "@one-api/stub-server/people/start-message-pusher";
import { type StubServer, startStubServer } from "@one-api/stub-server/start-stub-server";
import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";
import { TOTP } from "otpauth";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { mailOptions, setOptions } from "../../testing/set-options.ts";
import { startHttpTunnel, type Tunnel } from "../../testing/servers/start-tunnel.ts";
import { disableChannelAutomatically } from "../channels/index.ts";
import type { TestClient, TestInput } from "../../testing/test-client.ts";

/** Prepares a call and returns its client and input. */
type Example = () => Promise<{ readonly client: TestClient; readonly input?: TestInput }>;

/** Calls without an entry, and the reason. */
const WITHOUT_ENTRY: ReadonlyMap<string, string> = new Map([
  ["PUT /api/view/", "views are personal; shared ones are tested with the views"],
  ["DELETE /api/view/:id/", "views are personal; shared ones are tested with the views"],
  ["PUT /api/view/default", "views are personal"],
  ["GET /api/oauth/state", "the end of the login has an entry"],
  ["DELETE /api/user/:id/binding/:binding", "tested with the bindings"],
  ["DELETE /api/user/self/binding/:binding", "tested with the bindings"],
  ["POST /api/oauth/oidc/begin", "the end of the login has an entry"],
  ["GET /api/oauth/oidc", "like other providers, but requires the system clock"],
  ["POST /api/channel/test/stop", "tested with the channel tests"],
  ["POST /api/user/login/passkey/begin", "the passkey's answer has an entry"],
  ["POST /api/user/factors/passkeys/ask", "the passkey's answer has an entry"],
  ["POST /api/user/factors/passkeys/begin", "the passkey's answer has an entry"],
]);

/** Calls that require a real authenticator; a browser test makes them. */
const WITH_AUTHENTICATOR: ReadonlySet<string> = new Set([
  "POST /api/user/login/passkey",
  "POST /api/user/factors/passkeys",
  "PUT /api/user/factors/passkeys/:id",
  "POST /api/user/factors/passkeys/:id/remove",
]);

const nameOf = ({ method, path }: Pick<Call, "method" | "path">) => `${method} ${path}`;

async function listChangingCalls(): Promise<Call[]> {
  return (await listCalls()).filter((call) => call.changesState);
}

/** Tables that change even if a call fails: counts of tries, used codes and steps, and mailed codes. */
const COUNTED: ReadonlySet<string> = new Set([
  "login_failures",
  "request_counts",
  "sessions",
  "oauth_states",
  "email_codes",
  "login_steps",
  "totp_factors",
]);

/** Rows of all tables except counts, as text. */
async function everythingIn(db: OpenDatabase["db"]): Promise<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const { name } of await db.introspection.getTables()) {
    if (COUNTED.has(name)) continue;
    rows[name] = JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(db)).rows);
  }
  return rows;
}

const PRICE_LIST = JSON.stringify([{ id: "openai", models: [{ id: "m", match: { equals: "m" }, prices: {} }] }]);

describe("every call that changes something", () => {
  let testApp: TestApp;
  let mails: MailServer;
  let provider: IdentityProvider;
  let upstream: StubServer;
  let pusher: StubMessagePusher;
  let prices: Server;
  let tunnel: Tunnel;
  let root: TestClient;
  before(async () => {
    prices = createServer((_request, response) => response.end(PRICE_LIST)).listen(0, "127.0.0.1");
    await once(prices, "listening");
    const pricesAt = prices.address();
    assert.ok(typeof pricesAt === "object" && pricesAt !== null);
    [testApp, tunnel, mails, provider, upstream, pusher] = await Promise.all([
      createTestApp(),
      startHttpTunnel(),
      startMailServer(),
      startIdentityProvider(),
      startStubServer(),
      startMessagePusher(),
    ]);
    // Any answer of the address is valid.
    tunnel.leadTo(Number(new URL(upstream.url).port));
    await setOptions(testApp, {
      MessagePusherAddress: pusher.address,
      MessagePusherToken: pusher.token,
      HttpProxy: tunnel.url,
      PriceListAddress: `http://127.0.0.1:${pricesAt.port}`,
      ...mailOptions(mails),
      ...settingsFor(provider),
    });
    root = (await testApp.logInAs("root")).client;
  });
  after(async () => {
    prices.close();
    tunnel.close();
    await Promise.all([testApp.close(), mails.close(), provider.close(), upstream.close(), pusher.close()]);
  });

  const asUser = async () => ({ client: (await testApp.logInAs("user")).client });
  const ownToken = async (more: Record<string, unknown> = {}) => {
    const { client } = await asUser();
    const { id } = await client.data(tokens.createToken, { body: { name: "one", ...more } });
    return { client, id };
  };
  const channel = async () => {
    const body = { type: 1, name: "one", key: "sk-one", models: "gpt-4o", base_url: upstream.at("openai") };
    return (await root.data(channels.createChannel, { body })).ids[0] ?? 0;
  };
  const keyOfChannel = async () => {
    const id = await channel();
    const [key] = await root.data(addChannelKeys, { params: { id }, body: { keys: ["sk-two"] } });
    return { id, key: key?.id ?? 0 };
  };
  const code = async () => {
    const [key = ""] = await root.data(redemptions.createRedemptions, { body: { name: "one", quota: 5, count: 1 } });
    const [row] = await root.data(redemptions.listRedemptions);
    return { key, id: row?.id ?? 0 };
  };
  const mailed = async (email: string, pattern: RegExp, ask: () => Promise<unknown>) => {
    const seen = mails.mails.length;
    await ask();
    return pattern.exec((await mails.nextTo(email, seen, pattern)).text)?.[1] ?? "";
  };
  const password = "correct horse";
  const codeOf = (secret: string) => {
    testApp.clock.advanceSeconds(30);
    return new TOTP({ secret }).generate({ timestamp: testApp.clock.nowMs() });
  };
  const begun = async () => {
    const login = await testApp.logInAs("user", { password });
    const { manual_entry: key } = await login.client.data(factors.beginTotp, { body: { proof: { password } } });
    return { ...login, key };
  };
  const confirmed = async () => {
    const { key, ...login } = await begun();
    await login.client.data(factors.confirmTotp, { body: { code: codeOf(key) } });
    return { ...login, key };
  };
  const proven = async () => {
    const { client, key } = await confirmed();
    return { client, input: { body: { proof: { password, code: codeOf(key) } } } };
  };
  /** Second row of an imported provider account. */
  const enter = (call: typeof oauth.enterWithGitHub | typeof oauth.enterWithLark, id: number): Example => {
    const query = async (client: TestClient) => ({
      code: provider.issueCode({ id, name: "Octo" }),
      state: await client.data(oauth.getOAuthState),
    });
    return async () => {
      const first = testApp.client();
      await first.data(call, { query: await query(first) });
      const client = testApp.client();
      return { client, input: { query: await query(client) } };
    };
  };

  const mailReceiver = { name: "one", kind: "mail", address: "g@example.com", alerts: ["audit-broken"] };
  const receiver = async () => (await root.data(receivers.createReceiver, { body: mailReceiver })).id;

  const newRule = async () => ({
    metric: "spend",
    direction: "above",
    threshold: 1,
    window_minutes: 60,
    receiver: await receiver(),
  });
  const alertRule = async () => (await root.data(alertRules.createAlertRule, { body: await newRule() })).id;

  const newKey = { name: "one", scopes: ["logs:read"] };
  const managementKey = async () => (await root.data(managementKeys.createManagementKey, { body: newKey })).id;

  const examples = new Map<string, Example>(
    (
      [
        [users.login, async () => ({ client: testApp.client(), input: { body: { username: "root", password: "123456" } } })],
        [users.logout, asUser],
        [users.updateSelf, async () => ({ ...(await asUser()), input: { body: { password: "correct horse" } } })],
        [users.createAccessToken, asUser],
        [users.revokeAccessToken, async () => {
          const { client } = await asUser();
          await client.data(users.createAccessToken);
          return { client };
        }],
        [endAllSessions, asUser],
        [endSession, async () => {
          const { client, user } = await testApp.logInAs("user");
          await testApp.clientOf(user.id);
          const other = (await client.data(listSessions)).find((session) => !session.is_current);
          return { client, input: { params: { id: other?.id ?? "" } } };
        }],
        [factors.beginTotp, async () => ({ client: (await testApp.logInAs("user", { password })).client, input: { body: { proof: { password } } } })],
        [factors.confirmTotp, async () => {
          const { client, key } = await begun();
          return { client, input: { body: { code: codeOf(key) } } };
        }],
        [factors.removeTotp, proven],
        [factors.proveSession, proven],
        [factors.createRecoveryCodes, proven],
        [factors.finishLogin, async () => {
          const { user, key } = await confirmed();
          const client = testApp.client();
          await client.send(users.login, { body: { username: user.username, password } });
          return { client, input: { body: { code: codeOf(key) } } };
        }],
        [factors.resetFactors, async () => ({ client: root, input: { params: { id: (await confirmed()).user.id } } })],
        [clearLogs, async () => ({ client: root, input: { query: { target_timestamp: 1 } } })],
        [startLogClearing, async () => ({ client: root, input: { body: { target_timestamp: 1 } } })],
        [registration.register, async () => ({ client: testApp.client(), input: { body: { username: "new", password: "correct horse" } } })],
        [registration.sendVerificationCode, async () => ({ client: testApp.client(), input: { query: { email: "a@example.com" } } })],
        [registration.sendPasswordReset, async () => ({ client: testApp.client(), input: { query: { email: "b@example.com" } } })],
        [registration.resetPassword, async () => {
          const email = "c@example.com";
          await testApp.logInAs("user", { email });
          const token = await mailed(email, /token=(\S+)/, () => testApp.client().data(registration.sendPasswordReset, { query: { email } }));
          return { client: testApp.client(), input: { body: { email, token } } };
        }],
        [registration.getInviteCode, asUser],
        [registration.bindEmail, async () => {
          const [{ client }, email] = [await asUser(), "d@example.com"];
          const typed = await mailed(email, /\b(\d{8})\b/, () => client.data(registration.sendVerificationCode, { query: { email } }));
          return { client, input: { query: { email, code: typed } } };
        }],
        [registration.deleteSelf, asUser],
        [oauth.enterWithGitHub, enter(oauth.enterWithGitHub, 71)],
        [oauth.enterWithLark, enter(oauth.enterWithLark, 72)],
        [oauth.enterWithWeChat, async () => {
          await testApp.client().data(oauth.enterWithWeChat, { query: { code: provider.issueCode({ id: 73, name: "w" }) } });
          return { client: testApp.client(), input: { query: { code: provider.issueCode({ id: 73, name: "w" }) } } };
        }],
        [oauth.bindWeChat, async () => ({ ...(await asUser()), input: { query: { code: provider.issueCode({ id: 74, name: "w" }) } } })],
        [updateOption, async () => ({ client: root, input: { body: { key: "Notice", value: "Hello" } } })],
        [applyConfiguration, async () => ({ client: root, input: { body: { configuration: { version: 1, options: { RetryTimes: (await root.data(listOptions)).some(({ key, value }) => key === "RetryTimes" && value === "4") ? 5 : 4 } } } } })],
        [sendTestPush, async () => ({ client: root, input: {} })],
        [testProxy, async () => ({ client: root, input: { body: { address: "http://provider.invalid/" } } })],
        [sendTestMail, async () => ({ client: root, input: { body: { email: "e@example.com" } } })],
        [management.createUser, async () => ({ client: root, input: { body: { username: "made", password: "correct horse" } } })],
        [management.updateUser, async () => ({ client: root, input: { body: { id: (await testApp.logInAs("user")).user.id, display_name: "D" } } })],
        [management.topUpUser, async () => ({ client: root, input: { body: { user_id: (await testApp.logInAs("user")).user.id, quota: 1 } } })],
        [management.manageUser, async () => ({ client: root, input: { body: { username: (await testApp.logInAs("user")).user.username, action: "disable" } } })],
        [tokens.createToken, async () => ({ ...(await asUser()), input: { body: { name: "one" } } })],
        [tokens.updateToken, async () => {
          const { client, id } = await ownToken();
          return { client, input: { body: { id, name: "two" } } };
        }],
        [tokens.rollTokenKey, async () => {
          const { client, id } = await ownToken();
          return { client, input: { params: { id }, body: {} } };
        }],
        [tokens.endOldTokenKey, async () => {
          const { client, id } = await ownToken();
          await client.data(tokens.rollTokenKey, { params: { id }, body: {} });
          return { client, input: { params: { id } } };
        }],
        [tokens.deleteToken, async () => {
          const { client, id } = await ownToken();
          return { client, input: { params: { id } } };
        }],
        [tokens.sendTokenAlert, async () => {
          const { client, id } = await ownToken({ email: "f@example.com" });
          return { client, input: { query: { id, alertType: "balance" } } };
        }],
        [channels.createChannel, async () => ({ client: root, input: { body: { type: 1, name: "n", key: "sk-1", models: "m" } } })],
        [channels.updateChannel, async () => ({ client: root, input: { body: { id: await channel(), name: "two" } } })],
        [channels.deleteChannel, async () => ({ client: root, input: { params: { id: await channel() } } })],
        [channels.deleteDisabledChannels, async () => {
          await root.data(channels.deleteDisabledChannels);
          await root.data(channels.updateChannel, { body: { id: await channel(), status: 2 } });
          return { client: root };
        }],
        [testCalls.testChannel, async () => ({ client: root, input: { params: { id: await channel() } } })],
        [testCalls.testChannels, async () => ({ client: root, input: { query: { scope: "disabled" } } })],
        [bulk.testSelectedChannels, async () => {
          await root.data(testCalls.stopChannelTests);
          return { client: root, input: { body: { ids: [await channel()] } } };
        }],
        [channels.updateChannelBalances, async () => ({ client: root })],
        [channels.updateChannelBalance, async () => ({ client: root, input: { params: { id: await channel() } } })],
        [channels.updateAbilities, async () => ({ client: root })],
        [bulk.changeChannels, async () => ({ client: root, input: { body: { changes: [{ ids: [await channel(), await channel()], set: { weight: 3 } }] } } })],
        [bulk.deleteChannels, async () => ({ client: root, input: { body: { ids: [await channel(), await channel()] } } })],
        [decisions.wakeChannel, async () => ({ client: root, input: { params: { id: await channel() } } })],
        [decisions.undoChannelDecision, async () => {
          const id = await channel();
          await disableChannelAutomatically(testApp.deps, id, { code: "slow", message: "slow" });
          const [decision] = await root.data(decisions.listChannelDecisions, { params: { id } });
          return { client: root, input: { params: { id, decision: decision?.id ?? 0 } } };
        }],
        [askChannelModels, async () => ({ client: root, input: { body: { type: 1, key: "sk-one", base_url: upstream.at("openai") } } })],
        [bulk.copyChannel, async () => ({ client: root, input: { params: { id: await channel() } } })],
        [addChannelKeys, async () => ({ client: root, input: { params: { id: await channel() }, body: { keys: ["sk-two"] } } })],
        [updateChannelKey, async () => ({ client: root, input: { params: await keyOfChannel(), body: { weight: 3 } } })],
        [updateChannelKeyBalance, async () => ({ client: root, input: { params: await keyOfChannel() } })],
        [deleteChannelKey, async () => ({ client: root, input: { params: await keyOfChannel() } })],
        [priceLists.findPriceList, async () => ({ client: root })],
        [priceLists.usePriceList, async () => ({ client: root, input: { body: { version: "" } } })],
        [createInvitations, async () => ({ client: root, input: { body: { name: "guest" } } })],
        [managementKeys.createManagementKey, async () => ({ client: root, input: { body: newKey } })],
        [managementKeys.updateManagementKey, async () => ({ client: root, input: { params: { id: await managementKey() }, body: { name: "renamed" } } })],
        [managementKeys.rotateManagementKey, async () => ({ client: root, input: { params: { id: await managementKey() }, body: {} } })],
        [managementKeys.revokeManagementKey, async () => ({ client: root, input: { params: { id: await managementKey() } } })],
        [deleteInvitation, async () => {
          await root.data(createInvitations, { body: { name: "guest" } });
          const [row] = await root.data(listInvitations);
          return { client: root, input: { params: { id: row?.id ?? 0 } } };
        }],
        [receivers.createReceiver, async () => ({ client: root, input: { body: mailReceiver } })],
        [receivers.updateReceiver, async () => ({ client: root, input: { body: { ...mailReceiver, id: await receiver(), name: "two" } } })],
        [receivers.deleteReceiver, async () => ({ client: root, input: { params: { id: await receiver() } } })],
        [receivers.testReceiver, async () => ({ client: root, input: { params: { id: await receiver() } } })],
        [setGroupBudget, async () => ({ client: root, input: { body: { group: "vip", budget: { quota: randomInt(1, 2 ** 40), period: "daily" } } } })],
        [alertRules.createAlertRule, async () => ({ client: root, input: { body: await newRule() } })],
        [alertRules.updateAlertRule, async () => ({ client: root, input: { body: { ...(await newRule()), id: await alertRule() } } })],
        [alertRules.deleteAlertRule, async () => ({ client: root, input: { params: { id: await alertRule() } } })],
        [shareView, async () => {
          const { id } = await root.data(saveView, { body: { page: "logs", name: "failures", search: {} } });
          return { client: root, input: { params: { id }, body: { is_shared: true } } };
        }],
        [redemptions.createRedemptions, async () => ({ client: root, input: { body: { name: "c", quota: 5, count: 1 } } })],
        [redemptions.updateRedemption, async () => ({ client: root, input: { body: { id: (await code()).id, name: "two" } } })],
        [redemptions.deleteRedemption, async () => ({ client: root, input: { params: { id: (await code()).id } } })],
        [redemptions.redeemCode, async () => {
          const { key } = await code();
          return { ...(await asUser()), input: { body: { key } } };
        }],
      ] satisfies (readonly [Call, Example])[]
    ).map(([call, example]) => [nameOf(call), example]),
  ); // prettier-ignore

  test("writes exactly one entry for each changed object", async () => {
    const wrong: string[] = [];
    for (const call of await listChangingCalls()) {
      const name = nameOf(call);
      if (WITHOUT_ENTRY.has(name) || WITH_AUTHENTICATOR.has(name)) continue;
      const example = examples.get(name);
      if (example === undefined) {
        wrong.push(`${name} has no example here`);
        continue;
      }
      const { client, input } = await example();
      const { db } = testApp.database;
      const { last } = await db
        .selectFrom("audit")
        .select((select) => select.fn.max("id").as("last"))
        .executeTakeFirstOrThrow();
      const answer = await client.send(call, input);
      const requestId = String(answer.headers["x-request-id"]);
      const rows = await db
        .selectFrom("audit")
        .select(["request_id", "address", "kind", "action", "object"])
        .where("id", ">", last)
        .execute();
      const own = rows.filter((row) => row.request_id === requestId);
      if (answer.envelope?.success !== true) wrong.push(`${name} was refused: ${answer.text}`);
      else if (own.length === 0 || new Set(own.map(({ object }) => object)).size !== own.length)
        wrong.push(`${name} left ${own.length} entries`);
      else if (own[0]?.address !== "127.0.0.1" || own[0].kind === "") wrong.push(`${name} left too little`);
    }
    assert.deepEqual(wrong, []);
  });

  /** Mails are sent while other calls run. */
  const MOST_LOOKS = 5;

  test("changes nothing if the entry cannot be written", async () => {
    const { db } = testApp.database;
    const refusal = sql.raw(
      "create trigger no_audit before insert on audit begin select raise(abort, 'no audit'); end",
    );
    const problemsOf = async (call: Call, example: Example): Promise<string[]> => {
      const name = nameOf(call);
      // Examples need new names and addresses for each call.
      await sql`update users set email = '', username = 'before-' || id where id > 1`.execute(db);
      await db.deleteFrom("request_counts").execute();
      await db.deleteFrom("email_codes").execute();
      const { client, input } = await example();
      const untouched = await everythingIn(db);
      await refusal.execute(db);
      const answer = await client.send(call, input);
      await sql.raw("drop trigger no_audit").execute(db);
      const left = await everythingIn(db);
      const changed = Object.keys(left).filter((table) => left[table] !== untouched[table]);
      return [
        ...(answer.envelope?.success === true ? [`${name} went through`] : []),
        ...changed.map((table) => `${name} changed ${table}`),
      ];
    };
    const wrong: string[] = [];
    for (const call of await listChangingCalls()) {
      const example = examples.get(nameOf(call));
      if (example === undefined) continue;
      // Background jobs may change something once; a call that is not one transaction does so each time.
      let problems = await problemsOf(call, example);
      for (let look = 1; look < MOST_LOOKS && problems.length > 0; look += 1)
        problems = await problemsOf(call, example);
      wrong.push(...problems);
    }
    assert.deepEqual(wrong, []);
  });
});
