import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { after, before, describe, test } from "node:test";
import { sendTestPush, testProxy, updateOption } from "@one-api/contract/options/option";
import { startMessagePusher, type StubMessagePusher } from "@one-api/stub-server/people/start-message-pusher";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { portOf } from "@one-api/http1/testing/port-of";
import { startHttpTunnel, type Tunnel } from "../../testing/servers/start-tunnel.ts";
import { setOptions } from "../../testing/set-options.ts";
import type { TestClient } from "../../testing/test-client.ts";

describe("tests of proxy and Message Pusher", () => {
  let testApp: TestApp;
  let admin: TestClient;
  let tunnel: Tunnel;
  let target: Server;
  let pusher: StubMessagePusher;
  const asked: string[] = [];
  before(async () => {
    target = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? ""}`);
      response.writeHead(401).end("x".repeat(1_000_000));
    });
    target.listen(0, "127.0.0.1");
    [testApp, pusher, tunnel] = await Promise.all([createTestApp(), startMessagePusher(), startHttpTunnel()]);
    if (!target.listening) await once(target, "listening");
    tunnel.leadTo(portOf(target));
    admin = (await testApp.logInAs("admin")).client;
  });
  after(() => {
    tunnel.close();
    target.closeAllConnections();
    target.close();
    return Promise.all([testApp.close(), pusher.close()]);
  });

  const tryProxy = async (body: object) => (await admin.send(testProxy, { body })).envelope;

  test("the proxy test returns the answer, and sends no secret but the proxy's", async () => {
    assert.equal((await tryProxy({}))?.code, "proxy-not-set-up");
    await setOptions(testApp, { HttpProxy: tunnel.url });
    const answer = await admin.data(testProxy, { body: { address: "http://provider.invalid/v1/models" } });
    assert.deepEqual([answer.status, answer.proxy], [401, `http://${new URL(tunnel.url).host}`]);
    assert.deepEqual(tunnel.asked, [{ target: "provider.invalid:80", login: "me:word" }]);
    assert.deepEqual(asked, ["GET /v1/models "], "the proxy's login stays with the proxy");
    const audit = await testApp.database.db
      .selectFrom("audit")
      .select("detail")
      .where("action", "=", "option.test-proxy")
      .execute();
    assert.deepEqual(audit, [{ detail: '{"address":"provider.invalid","status":401}' }]);
  });

  test("a failed proxy test names the address without its password", async (t) => {
    const refusing = createServer().on("connect", (_, socket) => socket.end("HTTP/1.1 407 no\r\n\r\n"));
    t.after(() => refusing.close());
    refusing.listen(0, "127.0.0.1");
    await once(refusing, "listening");
    await setOptions(testApp, { HttpProxy: `http://me:word@127.0.0.1:${portOf(refusing)}` });
    const refused = await tryProxy({ address: "http://provider.invalid/" });
    assert.match(refused?.message ?? "", /^Calling provider\.invalid through http:\/\/127\.0\.0\.1:\d+ failed: .*407/);
    await setOptions(testApp, { HttpProxy: "socks5://me:word@127.0.0.1:1" });
    const dead = await tryProxy({ address: "http://provider.invalid/" });
    assert.match(dead?.message ?? "", /through socks5:\/\/127\.0\.0\.1:1 failed: .*ECONNREFUSED/);
    assert.doesNotMatch(JSON.stringify([refused, dead]) + testApp.logLines.join(""), /word/);
  });

  test("link-local addresses and other protocols are refused", async () => {
    const seen = asked.length;
    for (const address of ["http://169.254.169.254/latest", "http://[fe80::1]/", "http://0xA9FEA9FE/"])
      assert.equal((await tryProxy({ address }))?.code, "option-address-metadata", address);
    for (const address of ["ftp://x.example/", "file:///etc/passwd", "gopher://x"])
      assert.equal((await tryProxy({ address }))?.success, false, address);
    assert.equal(asked.length, seen);
  });

  test("the test message of Message Pusher arrives or fails with a reason, without the token", async () => {
    assert.equal((await admin.send(sendTestPush)).envelope?.code, "pusher-not-set-up");
    await setOptions(testApp, { MessagePusherAddress: pusher.address, MessagePusherToken: pusher.token });
    await admin.data(sendTestPush, { headers: { "accept-language": "zh" } });
    assert.deepEqual(
      pusher.messages.map(({ title }) => title),
      ["One API 测试消息"],
    );
    pusher.takes = false;
    const { envelope } = await admin.send(sendTestPush);
    assert.match(
      envelope?.message ?? "",
      /^Message Pusher at 127\.0\.0\.1:\d+ took no message: no such token: \*\*\*$/,
    );
    await setOptions(testApp, { MessagePusherAddress: `${pusher.address}/elsewhere` });
    assert.equal((await admin.send(sendTestPush)).envelope?.code, "pusher-not-set-up", "a changed address forgets it");
    const body = { key: "MessagePusherAddress", value: "http://169.254.169.254/push" };
    const refused = await (await testApp.logInAs("root")).client.send(updateOption, { body });
    assert.equal(refused.envelope?.code, "option-address-metadata");
  });
});
