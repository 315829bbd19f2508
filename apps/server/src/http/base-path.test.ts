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
