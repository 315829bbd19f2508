import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { getSelf, logout, updateSelf } from "@one-api/contract/accounts/user";
import { createTestApp, type TestApp } from "../testing/create-test-app.ts";

const HOST = "gateway.example:3000";

/** Headers as browsers and other clients send them, and whether the call may change something. */
const CASES: readonly [name: string, headers: Record<string, string>, allowed: boolean][] = [
  ["[ROLE-25] no browser", {}, true],
  ["the console", { "sec-fetch-site": "same-origin", origin: `http://${HOST}` }, true],
  ["an address typed by hand", { "sec-fetch-site": "none" }, true],
  ["a script of the console", { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty" }, true],
  ["an image of the console", { "sec-fetch-site": "same-origin", "sec-fetch-dest": "image" }, false],
  ["a link of the console", { "sec-fetch-site": "same-origin", "sec-fetch-dest": "document" }, false],
  ["an address typed by hand, as a document", { "sec-fetch-site": "none", "sec-fetch-dest": "document" }, true],
  ["an older browser on the console", { origin: `http://${HOST}` }, true],
  ["the console behind a proxy that ends https", { "sec-fetch-site": "same-origin", origin: `https://${HOST}` }, true],
  ["[ROLE-22] another site", { "sec-fetch-site": "cross-site" }, false],
  ["[ROLE-22] a sibling domain", { "sec-fetch-site": "same-site" }, false],
  ["another port of this host", { origin: "http://gateway.example:8080" }, false],
  ["[ROLE-23] a foreign origin of an older browser", { origin: "https://evil.example" }, false],
  [
    "a foreign origin that claims to be same-origin",
    { "sec-fetch-site": "same-origin", origin: "https://evil.example" },
    false,
  ],
  ["a sandboxed page", { origin: "null" }, false],
  ["no origin at all in the header", { origin: "file://" }, false],
  ["a value that no browser knows", { "sec-fetch-site": "anything" }, false],
];

describe("calls that change something", () => {
  let testApp: TestApp;
  before(async () => {
    testApp = await createTestApp();
  });
  after(() => testApp.close());

  for (const [name, headers, allowed] of CASES) {
    test(`${allowed ? "pass" : "are refused"} from ${name}, GETs too [ROLE-24]`, async () => {
      const { client, user } = await testApp.logInAs("user");
      const answer = await client.send(logout, { headers: { host: HOST, ...headers } });
      assert.equal(answer.status, allowed ? 200 : 403);
      assert.equal(answer.envelope?.code, allowed ? undefined : "foreign-origin");
      const sessions = await testApp.database.db
        .selectFrom("sessions")
        .select("id_hash")
        .where("user_id", "=", user.id)
        .execute();
      assert.equal(sessions.length, allowed ? 0 : 1, "a refused call changes nothing");
    });
  }

  test("pass from the address that the operator gave the server", async () => {
    const { client } = await testApp.logInAs("root");
    const body = { key: "ServerAddress", value: "https://ai.example/" };
    assert.equal((await client.send({ method: "PUT", path: "/api/option/" }, { body })).envelope?.success, true);
    assert.equal(
      (await client.send(logout, { headers: { host: "internal:3000", origin: "https://ai.example" } })).status,
      200,
    );
  });

  test("login is one of them", async () => {
    const answer = await testApp
      .client()
      .send({ method: "POST", path: "/api/user/login" }, { body: {}, headers: { "sec-fetch-site": "cross-site" } });
    assert.equal(answer.status, 403);
  });

  // What a form can send without asking first: its text may be JSON, its cookies come along where a browser knows no SameSite.
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
    for (const from of [
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", origin: "https://evil.example" },
      { origin: "https://evil.example" },
      { origin: "null" },
    ]) {
      test(`a form of another site that is ${type} changes nothing: ${JSON.stringify(from)}`, async () => {
        const { client, user } = await testApp.logInAs("user");
        const headers = { host: HOST, "content-type": type, ...from };
        const body = JSON.stringify({ display_name: "Taken over" });
        const answer = await client.send(updateSelf, { body, headers });
        assert.deepEqual([answer.status, answer.envelope?.code], [403, "foreign-origin"]);
        assert.equal((await client.data(getSelf)).display_name, user.username);
      });
    }
  }

  test("[V27] calls that only read are no matter of origin, and no site may read their answers", async () => {
    for (const origin of ["https://evil.example", "null"]) {
      const answer = await testApp.client().send({ method: "GET", path: "/api/status" }, { headers: { origin } });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers["access-control-allow-origin"], undefined);
      assert.equal(answer.headers["access-control-allow-credentials"], undefined);
    }
  });
});
