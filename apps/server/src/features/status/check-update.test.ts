import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { getLatestRelease, getStatus } from "@one-api/contract/status";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";

let testApp: TestApp;
let server: Server;
let answer = "";
before(async () => {
  testApp = await createTestApp();
  server = createServer((_request, response) => response.end(answer)).listen(0, "127.0.0.1");
  await once(server, "listening");
});
after(async () => {
  server.close();
  await testApp.close();
});

async function check() {
  const { client } = await testApp.logInAs("admin");
  return (await client.send(getLatestRelease)).envelope;
}

test("[OTHER-14] [CALL-79] [ENT-095] the server reads the latest release at the configured address", async () => {
  assert.equal((await check())?.code, "update-address-missing");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  await setOptions(testApp, { UpdateAddress: `http://127.0.0.1:${address.port}/repos/us/gateway/releases/latest` });
  answer = JSON.stringify({ tag_name: "v9.9.9", body: "# New", html_url: "https://github.com/us/gateway/9", id: 1 });
  const release = { tag_name: "v9.9.9", body: "# New", html_url: "https://github.com/us/gateway/9" };
  assert.deepEqual((await check())?.data, release);
  answer = JSON.stringify({ tag_name: "v9.9.9", body: null, html_url: "javascript:alert(1)" });
  const page = `http://127.0.0.1:${address.port}/us/gateway/releases/tag/v9.9.9`;
  assert.deepEqual((await check())?.data, { tag_name: "v9.9.9", body: "", html_url: page });
});

test("[OTHER-18] a release without a page links to its tag at the site, else to the API", async () => {
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const origin = `http://127.0.0.1:${address.port}`;
  answer = JSON.stringify({ tag_name: "v9/9", body: "" });
  for (const [path, page] of [
    ["/api/v3/repos/us/gateway/releases/latest", "/us/gateway/releases/tag/v9%2F9"],
    ["/latest.json?channel=stable", "/latest.json"],
  ] as const) {
    await setOptions(testApp, { UpdateAddress: origin + path });
    assert.deepEqual((await check())?.data, { tag_name: "v9/9", body: "", html_url: origin + page });
  }
});

test("[TEXT-19] the running version has an empty tag", async () => {
  const { version } = await testApp.client().data(getStatus);
  answer = JSON.stringify({ tag_name: `v${version}`, body: "x" });
  assert.deepEqual((await check())?.data, { tag_name: "", body: "", html_url: "" });
});

test("an invalid release is refused with the reason", async () => {
  for (const text of [
    "{}",
    "[]",
    "<html>",
    JSON.stringify({ tag_name: "x".repeat(200) }),
    `"${"x".repeat(300_000)}"`,
  ]) {
    answer = text;
    const refused = await check();
    assert.equal(refused?.code, "update-check-failed", text.slice(0, 20));
    assert.ok(String(refused?.values?.["reason"]).length < 200);
  }
});
