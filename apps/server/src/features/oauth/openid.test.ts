import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import * as calls from "@one-api/contract/accounts/oauth";
import { updateOption } from "@one-api/contract/options/option";
import { getSelf, logout } from "@one-api/contract/accounts/user";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { type OpenIdServer, startOpenIdServer } from "@one-api/stub-server/people/start-openid-server";
import { systemClock } from "../../platform/clock.ts";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";
import type { TestClient } from "../../testing/test-client.ts";

type Claims = Readonly<Record<string, unknown>>;

const GATEWAY = "https://gateway.example";

for (const kind of DATABASE_KINDS) {
  describe(`OpenID Connect on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let server: OpenIdServer;
    before(async () => {
      // The stub's tokens have the current time.
      [testApp, server] = await Promise.all([
        createTestApp({ kind, clock: systemClock }),
        startOpenIdServer(`${GATEWAY}/oauth/oidc`),
      ]);
      await setOptions(testApp, {
        ServerAddress: GATEWAY,
        OidcIssuer: `${server.issuer}/`,
        OidcClientId: server.clientId,
        OidcClientSecret: server.clientSecret,
        OidcButtonLabel: "Acme",
        OidcEnabled: "true",
      });
    });
    // Resets the limits for each test.
    beforeEach(() => testApp.database.db.deleteFrom("request_counts").execute());
    after(() => Promise.all([testApp.close(), server.close()]));

    const person = (sub: string) => server.signInAs({ sub, name: `Ada\n${sub}`, email: `${sub}@example.com` });
    const begin = async (client: TestClient) => new URL(await client.data(calls.beginOidc, { body: {} }));
    const agree = async (address: URL) => Object.fromEntries((await server.agree(address.href)).searchParams);
    const comeBack = async (client: TestClient, query: Record<string, string>) =>
      (await client.send(calls.enterWithOidc, { query })).envelope;
    const enter = async (client: TestClient) => comeBack(client, await agree(await begin(client)));

    test("signs up a user, and logs in to the same account later", async () => {
      person("first");
      const client = testApp.client();
      assert.equal((await enter(client))?.success, true);
      const user = await client.data(getSelf);
      assert.match(user.username, /^oidc_\d+$/);
      assert.deepEqual(
        [user.display_name, user.oidc_id, user.email, user.role],
        ["Ada first", `${server.issuer} first`, "", 1],
      );
      const again = testApp.client();
      await enter(again);
      assert.equal((await again.data(getSelf)).id, user.id);
    });

    test("requests a code with PKCE, nonce and state, for the one redirect address", async () => {
      const { searchParams } = await begin(testApp.client());
      const query = Object.fromEntries(searchParams);
      assert.deepEqual(
        [query["response_type"], query["redirect_uri"], query["scope"], query["code_challenge_method"]],
        ["code", `${GATEWAY}/oauth/oidc`, "openid profile", "S256"],
      );
      for (const name of ["state", "nonce", "code_challenge"]) assert.ok((query[name] ?? "").length >= 32, name);
    });

    test("binds the logged-in user to one account, whatever its address", async () => {
      person("bound");
      const { client, user } = await testApp.logInAs("user");
      const bound = await enter(client);
      assert.deepEqual([bound?.message, bound?.data], ["bind", null]);
      const visitor = testApp.client();
      await enter(visitor);
      assert.equal((await visitor.data(getSelf)).id, user.id);
      const { client: other } = await testApp.logInAs("user", { email: "bound@example.com" });
      assert.equal((await enter(other))?.code, "oauth-taken");
      person("stranger");
      const { user: owner } = await testApp.logInAs("user", { email: "stranger@example.com" });
      const stranger = testApp.client();
      await enter(stranger);
      assert.notEqual((await stranger.data(getSelf)).id, owner.id, "a verified address joins no accounts");
    });

    test("[V22] a state works once, in its browser, for its provider; a code once, with its state", async () => {
      person("careful");
      const client = testApp.client();
      const used = await agree(await begin(client));
      assert.equal((await comeBack(client, used))?.success, true);
      // An anonymous client, as when the login began.
      await client.data(logout);
      const asked = server.requests.length;
      for (const [browser, query] of [
        [client, used],
        [client, { ...used, state: "" }],
        [testApp.client(), await agree(await begin(testApp.client()))],
        [client, { ...used, state: await client.data(calls.getOAuthState) }],
      ] as const)
        assert.equal((await comeBack(browser, query))?.code, "oauth-state-wrong");
      assert.equal(server.requests.slice(asked).filter((line) => line.includes("/token")).length, 0);
      const other = testApp.client();
      const stolen = await agree(await begin(testApp.client()));
      const own = await agree(await begin(other));
      assert.equal((await comeBack(other, { ...stolen, state: own["state"] ?? "" }))?.code, "oauth-refused");
      const again = testApp.client();
      const fresh = await agree(await begin(again));
      assert.equal((await comeBack(again, { ...fresh, code: used["code"] ?? "" }))?.code, "oauth-refused");
      const gitHub = testApp.client();
      const { code = "", state = "" } = await agree(await begin(gitHub));
      const query = { code, state };
      assert.equal((await gitHub.send(calls.enterWithGitHub, { query })).envelope?.code, "oauth-state-wrong");
    });

    test("a code of another issuer is refused", async () => {
      const client = testApp.client();
      for (const iss of ["https://other.example", ""]) {
        const query = await agree(await begin(client));
        const asked = server.requests.length;
        assert.equal((await comeBack(client, { ...query, iss }))?.code, "oidc-untrusted");
        assert.deepEqual(server.requests.slice(asked), []);
      }
    });

    test("an ID token is validated as specified", async (t) => {
      const client = testApp.client();
      const now = Math.floor(Date.now() / 1000);
      const refusalOf = async (change: (claims: Claims) => Claims, sign = server.sign) => {
        const address = await begin(client);
        const claims: Claims = {
          iss: server.issuer,
          sub: "forged",
          aud: server.clientId,
          iat: now,
          exp: now + 600,
          nonce: address.searchParams.get("nonce"),
          name: "Forged",
        };
        const idToken = await sign(change(claims));
        server.answerInstead("/token", (response) => {
          response.end(JSON.stringify({ access_token: "x", token_type: "bearer", id_token: idToken }));
        });
        const envelope = await comeBack(client, await agree(address));
        server.answerInstead("/token", undefined);
        return envelope?.success === true ? undefined : envelope?.code;
      };
      assert.equal(await refusalOf((claims) => claims), undefined, "the untouched one is good");
      for (const change of [
        { iss: "https://other.example" },
        { iss: `${server.issuer}/` },
        { aud: "another" },
        { aud: [] },
        { aud: [server.clientId, "another"] },
        { aud: [server.clientId, "another"], azp: "another" },
        { azp: "another" },
        { exp: now - 120 },
        { exp: undefined },
        { iat: undefined },
        { nbf: now + 600 },
        { nonce: "another" },
        { nonce: undefined },
        { sub: undefined },
        { sub: "" },
        { sub: "two words" },
        { sub: "x".repeat(256) },
      ] as const)
        assert.equal(await refusalOf((claims) => ({ ...claims, ...change })), "oidc-untrusted", JSON.stringify(change));
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const unsigned = async (claims: Claims) => `${part({ alg: "none" })}.${part(claims)}.`;
      assert.equal(await refusalOf((claims) => claims, unsigned), "oidc-untrusted");
      const elsewhere = await startOpenIdServer(`${GATEWAY}/oauth/oidc`);
      t.after(() => elsewhere.close());
      assert.equal(await refusalOf((claims) => claims, elsewhere.sign), "oidc-untrusted", "another provider's key");
      const cut = async (claims: Claims) => (await server.sign(claims)).slice(0, -4);
      assert.equal(await refusalOf((claims) => claims, cut), "oidc-untrusted");
    });

    test("a rotated key is found, and the old one is no longer accepted", async () => {
      person("rotating");
      await enter(testApp.client());
      await server.rotateKeys();
      const client = testApp.client();
      assert.equal((await enter(client))?.success, true);
    });

    test("a failing or endless provider is refused, and the next try succeeds", async () => {
      const client = testApp.client();
      person("patient");
      // Old keys are cached, so the new ones must be requested.
      const endless = " ".repeat(300 * 1024);
      for (const [path, body, code] of [
        ["/jwks", `{"keys":[]}${endless}`, "oidc-untrusted"],
        ["/jwks", "<html>", "oidc-untrusted"],
        ["/token", "<html>", "oauth-unreachable"],
        ["/token", `{}${endless}`, "oauth-unreachable"],
        ["/token", '{"error":"invalid_grant"}', "oauth-refused"],
      ] as const) {
        await server.rotateKeys();
        server.answerInstead(path, (response) => void response.end(body));
        assert.equal((await enter(client))?.code, code, path);
        server.answerInstead(path, undefined);
      }
      assert.equal((await enter(client))?.success, true);
      assert.ok(!testApp.logLines.join("").includes(server.clientSecret));
    });

    test("a discovery document of another issuer or with invalid endpoints is refused", async (t) => {
      const document = await (await fetch(`${server.issuer}/.well-known/openid-configuration`)).json();
      const client = testApp.client();
      const elsewhere = await startOpenIdServer(`${GATEWAY}/oauth/oidc`);
      t.after(() => elsewhere.close());
      const set = (key: string, value: string) => setOptions(testApp, { [key]: value });
      for (const [change, code] of [
        [{ issuer: server.issuer }, "oidc-untrusted"],
        [{ issuer: elsewhere.issuer, authorization_endpoint: "javascript:alert(1)" }, "oauth-refused"],
        [{ issuer: elsewhere.issuer, jwks_uri: "file:///etc/passwd" }, "oauth-refused"],
      ] as const) {
        elsewhere.answerInstead("/.well-known/openid-configuration", (response) => {
          response.end(JSON.stringify({ ...Object(document), ...change }));
        });
        await set("OidcIssuer", elsewhere.issuer);
        await set("OidcClientSecret", elsewhere.clientSecret);
        assert.equal((await client.send(calls.beginOidc, { body: {} })).envelope?.code, code);
      }
      await set("OidcIssuer", server.issuer);
      const withoutSecret = await client.send(calls.beginOidc, { body: {} });
      assert.equal(withoutSecret.envelope?.code, "oauth-off", "a changed issuer forgets the secret");
      await set("OidcClientSecret", server.clientSecret);
    });

    test("an identity of another issuer is unknown, and a login of one issuer cannot finish at another", async (t) => {
      person("mover");
      const client = testApp.client();
      await enter(client);
      const elsewhere = await startOpenIdServer(`${GATEWAY}/oauth/oidc`);
      t.after(() => elsewhere.close());
      elsewhere.signInAs({ sub: "mover", name: "Somebody else", email: "mover@example.com" });
      const begun = testApp.client();
      const query = await agree(await begin(begun));
      await setOptions(testApp, { OidcIssuer: elsewhere.issuer, OidcClientSecret: elsewhere.clientSecret });
      assert.equal((await comeBack(begun, query))?.code, "oauth-state-wrong");
      const impostor = testApp.client();
      const back = await elsewhere.agree((await begin(impostor)).href);
      assert.equal((await comeBack(impostor, Object.fromEntries(back.searchParams)))?.success, true);
      assert.notEqual((await impostor.data(getSelf)).id, (await client.data(getSelf)).id);
      await setOptions(testApp, { OidcIssuer: server.issuer, OidcClientSecret: server.clientSecret });
    });

    test("unknown users are refused if sign-up is off, and known ones log in", async () => {
      person("member");
      await enter(testApp.client());
      for (const key of ["OidcSignUpEnabled", "RegisterEnabled"]) {
        await setOptions(testApp, { [key]: "false" });
        person("newcomer");
        assert.equal((await enter(testApp.client()))?.code, "registration-off");
        person("member");
        assert.equal((await enter(testApp.client()))?.success, true);
        await setOptions(testApp, { [key]: "true" });
      }
    });

    test("it requires all its options, and refuses logins while off", async () => {
      const begun = testApp.client();
      const query = await agree(await begin(begun));
      await setOptions(testApp, { OidcEnabled: "false" });
      assert.equal((await comeBack(begun, query))?.code, "oauth-off");
      assert.equal((await begun.send(calls.beginOidc, { body: {} })).envelope?.code, "oauth-off");
      const { client: root } = await testApp.logInAs("root");
      await root.data(updateOption, { body: { key: "OidcClientId", value: "" } });
      const answer = await root.send(updateOption, { body: { key: "OidcEnabled", value: "true" } });
      assert.equal(answer.envelope?.code, "option-needs");
      await setOptions(testApp, { OidcClientId: server.clientId, OidcEnabled: "true" });
    });

    test("another site can neither begin nor finish a login", async () => {
      const headers = { "sec-fetch-site": "cross-site" };
      const client = testApp.client();
      for (const [call, input] of [
        [calls.beginOidc, { body: {} }],
        [calls.enterWithOidc, { query: { code: "1" } }],
      ] as const)
        assert.equal((await client.send(call, { ...input, headers })).envelope?.code, "foreign-origin");
    });
  });
}
