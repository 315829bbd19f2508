import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { CHAT, chatBody, startRelayTest } from "../testing/start-relay-test.ts";
import { createTestApp } from "../testing/create-test-app.ts";
import { withoutBasePath } from "./base-path.ts";

test("a URL loses the base path, and nothing that only begins like it", () => {
  for (const [url, rest] of [
    ["/gateway/v1/models?limit=1", "/v1/models?limit=1"],
    ["/gateway", "/"],
    ["/gateway?expired=true", "/?expired=true"],
    ["/gateway/", "/"],
    ["/gateways/v1", "/gateways/v1"],
    ["/v1/models", "/v1/models"],
  ] as const) {
    assert.equal(withoutBasePath(url, "/gateway"), rest);
    assert.equal(withoutBasePath(url, ""), url);
  }
});

test("console, control API and relay answer below the base path, and without it", async (t) => {
  const gateway = await startRelayTest({ environment: { BASE_PATH: "/gateway" } });
  t.after(() => gateway.close());
  await gateway.addChannel(await gateway.upstream());
  const key = await gateway.addToken();
  for (const basePath of ["/gateway", ""]) {
    assert.equal((await fetch(`${gateway.url}${basePath}/api/status`)).status, 200);
    assert.equal((await fetch(`${gateway.url}${basePath}/livez`)).status, 200);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify(chatBody("hello"));
    const answer = await fetch(gateway.url + basePath + CHAT, { method: "POST", headers, body });
    assert.match(await answer.text(), /You said: hello/);
  }
  const outside = await fetch(`${gateway.url}/gateways/api/status`);
  assert.notEqual(outside.headers.get("content-type"), "application/json; charset=utf-8");
});

test("the page names its files below the base path, for every route", async (t) => {
  const consoleDirectory = mkdtempSync(join(tmpdir(), "one-api-base-path-"));
  t.after(() => rmSync(consoleDirectory, { recursive: true, force: true }));
  const page =
    '<meta name="base-path" content="__BASE_PATH__"><script src="./assets/a.js"></script><link href="./logo.png">';
  writeFileSync(join(consoleDirectory, "index.html"), page);
  for (const basePath of ["/gateway", ""]) {
    const testApp = await createTestApp({ consoleDirectory, environment: { BASE_PATH: basePath } });
    const { payload } = await testApp.app.inject({ url: "/channel/edit/5" });
    await testApp.close();
    const shown = `<meta name="base-path" content="${basePath}"><script src="${basePath}/assets/a.js"></script><link href="${basePath}/logo.png">`;
    assert.equal(payload, shown);
  }
});

test("the page names its files below the prefix that a trusted proxy removes, and below no other text", async (t) => {
  const consoleDirectory = mkdtempSync(join(tmpdir(), "one-api-prefix-"));
  t.after(() => rmSync(consoleDirectory, { recursive: true, force: true }));
  writeFileSync(join(consoleDirectory, "index.html"), '<script src="./assets/a.js"></script>');
  const shownTo = async (prefix: string, trusted: string) => {
    const testApp = await createTestApp({ consoleDirectory, environment: { TRUSTED_PROXIES: trusted } });
    const { payload } = await testApp.app.inject({ url: "/channel", headers: { "x-forwarded-prefix": prefix } });
    await testApp.close();
    return /src="(.*)"/.exec(payload)?.[1];
  };
  assert.equal(await shownTo("/gateway", "127.0.0.1"), "/gateway/assets/a.js");
  assert.equal(await shownTo("/team/gateway/", "127.0.0.1"), "/team/gateway/assets/a.js");
  assert.equal(await shownTo("/gateway", "10.0.0.1"), "/assets/a.js", "of an unknown sender");
  for (const prefix of ['/a"><script>', "//evil.example", "gateway", "/", "/a b", `/${"a".repeat(300)}`])
    assert.equal(await shownTo(prefix, "127.0.0.1"), "/assets/a.js", prefix);
});
