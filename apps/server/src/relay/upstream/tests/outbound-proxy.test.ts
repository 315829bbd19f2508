import assert from "node:assert/strict";
import { createChannel, searchChannels, updateChannel } from "@one-api/contract/channels/channel";
import { testChannel } from "@one-api/contract/channels/channel-tests";
import { askChannelModels } from "@one-api/contract/channels/channel-models";
import { after, before, describe, test } from "node:test";
import { setOptions } from "../../../testing/set-options.ts";
import { chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { startTlsFront } from "@one-api/http1/testing/start-tls-front";
import { seenCertificates } from "../../../platform/network/seen-certificates.ts";
import { startHttpTunnel, startSocksTunnel } from "../../../testing/servers/start-tunnel.ts";

describe("calls of providers through a proxy", () => {
  let relay: RelayTest;
  before(async () => {
    relay = await startRelayTest();
  });
  after(() => relay.close());

  test("[SYS-39] go where the proxy leads while it is switched on, and straight on again when it is not", async (t) => {
    const upstream = await relay.upstream();
    // It leads every name to the stub provider: only what went through it arrives.
    const tunnel = await startHttpTunnel();
    t.after(() => tunnel.close());
    tunnel.leadTo(Number(new URL(upstream.url).port));
    await relay.addChannel({ url: "http://provider.invalid/openai" });
    const key = await relay.addToken();
    const ask = async () => {
      const messages = [{ role: "user", content: "hi" }];
      const answer = await relay.post("/v1/chat/completions", key, { model: "gpt-4o-mini", messages });
      await answer.text();
      return answer.status;
    };
    await setOptions(relay.testApp, { HttpProxy: tunnel.url, GlobalProxyEnabled: "true", RetryTimes: "0" });
    assert.equal(await ask(), 200);
    // The proxy receives the place and its own login, no request with a channel's key.
    assert.deepEqual(tunnel.asked, [{ target: "provider.invalid:80", login: "me:word" }]);
    await setOptions(relay.testApp, { GlobalProxyEnabled: "false" });
    assert.notEqual(await ask(), 200, "the name leads nowhere without the proxy");
    assert.equal(tunnel.asked.length, 1);
  });

  test("[SYS-39] go through a SOCKS proxy too, which is told the name and a login, also over TLS", async (t) => {
    const upstream = await relay.upstream();
    const port = Number(new URL(upstream.url).port);
    const [tunnel, front] = [await startSocksTunnel(), await startTlsFront(port)];
    front.trust();
    t.after(() => {
      tunnel.close();
      front.close();
    });
    await setOptions(relay.testApp, { HttpProxy: tunnel.url, GlobalProxyEnabled: "true", RetryTimes: "0" });
    const key = await relay.addToken();
    for (const [scheme, leadsTo, given] of [
      ["http", port, 80],
      ["https", front.port, 443],
    ] as const) {
      tunnel.leadTo(leadsTo);
      const model = `through-${scheme}`;
      await relay.addChannel({ url: `${scheme}://provider.invalid/openai` }, { models: model, name: model });
      const answer = await relay.post("/v1/chat/completions", key, chatBody("hi", { model, stream: true }));
      assert.match(await answer.text(), /You[\s\S]*\[DONE\]/);
      assert.deepEqual(tunnel.asked.at(-1), { target: `provider.invalid:${given}`, login: "me:word" });
    }
    await setOptions(relay.testApp, { GlobalProxyEnabled: "false" });
  });

  for (const [kind, startTunnel] of [
    ["SOCKS", startSocksTunnel],
    ["HTTP", startHttpTunnel],
  ] as const) {
    test(`remember the provider's certificate through a ${kind} proxy`, async (t) => {
      const upstream = await relay.upstream();
      const [tunnel, front] = [await startTunnel(), await startTlsFront(Number(new URL(upstream.url).port))];
      front.trust();
      t.after(() => {
        tunnel.close();
        front.close();
      });
      tunnel.leadTo(front.port);
      // Any name would do that the certificate has; each test needs one that no other has seen.
      const host = kind === "HTTP" ? "localhost" : "provider.invalid";
      const model = `seen-through-${kind}`;
      const own = { models: model, name: model, proxy: tunnel.url };
      await relay.addChannel({ url: `https://${host}/openai` }, own);
      const answer = await relay.post("/v1/chat/completions", await relay.addToken(), chatBody("hi", { model }));
      assert.equal(answer.status, 200);
      await answer.text();
      assert.ok(seenCertificates.list().some((seen) => seen.host === host));
    });
  }

  test("go through the channel's own proxy, whatever the setting says", async (t) => {
    const upstream = await relay.upstream();
    const port = Number(new URL(upstream.url).port);
    const [own, ofAll] = [await startSocksTunnel(), await startHttpTunnel()];
    t.after(() => {
      own.close();
      ofAll.close();
    });
    for (const tunnel of [own, ofAll]) tunnel.leadTo(port);
    await setOptions(relay.testApp, { HttpProxy: ofAll.url, GlobalProxyEnabled: "true", RetryTimes: "0" });
    const key = await relay.addToken();
    const there = { url: "http://provider.invalid/openai" };
    await relay.addChannel(there, { models: "own-proxy", name: "own", proxy: `${own.url}/` });
    await relay.addChannel(there, { models: "no-proxy", name: "none", proxy: "direct" });
    await relay.addChannel({ url: `${upstream.url}/openai` }, { models: "direct", name: "direct", proxy: "direct" });
    const ask = async (model: string) => {
      const answer = await relay.post("/v1/chat/completions", key, chatBody("hi", { model }));
      await answer.text();
      return answer.status;
    };
    assert.equal(await ask("own-proxy"), 200);
    assert.deepEqual(own.asked, [{ target: "provider.invalid:80", login: "me:word" }]);
    assert.equal(await ask("direct"), 200);
    assert.notEqual(await ask("no-proxy"), 200, "the name leads nowhere without the proxy");
    assert.deepEqual([own.asked.length, ofAll.asked.length], [1, 0]);

    const [channel] = await relay.root.data(searchChannels, { query: { keyword: "own" } });
    assert.ok(channel !== undefined);
    const shown = own.url.replace("me:word", "***");
    assert.equal(channel.proxy, shown, "the login is never shown again");
    const { id } = channel;
    await relay.root.data(testChannel, { params: { id }, query: { model: "own-proxy" } });
    const form = { id, type: 1, base_url: there.url, proxy: shown };
    assert.ok((await relay.root.data(askChannelModels, { body: form })).models.length > 0);
    // As the form saves it unchanged, and with another login.
    const save = (proxy: string) => relay.root.send(updateChannel, { body: { id, proxy } });
    assert.equal((await save(shown)).envelope?.success, true);
    assert.equal(await ask("own-proxy"), 200);
    const moved = await save("socks5://***@127.0.0.1:1");
    assert.deepEqual([moved.envelope?.code, moved.envelope?.field], ["channel-proxy-login", "proxy"]);
    assert.equal((await save(own.url.replace("me:word", "you:two"))).envelope?.success, true);
    assert.equal(await ask("own-proxy"), 200);
    assert.equal(own.asked.at(-1)?.login, "you:two");
    assert.ok(own.asked.every(({ target }) => target === "provider.invalid:80"));
    assert.equal(ofAll.asked.length, 0);
    const stored = JSON.stringify(await relay.testApp.database.db.selectFrom("channels").selectAll().execute());
    const trail = JSON.stringify(await relay.testApp.database.db.selectFrom("audit").selectAll().execute());
    for (const text of [stored, trail]) assert.doesNotMatch(text, /me:word|you:two/);
    await setOptions(relay.testApp, { GlobalProxyEnabled: "false" });
  });

  test("refuse a proxy that is no address, or a metadata address", async () => {
    for (const [proxy, code] of [
      ["proxy:1080", "invalid-input"],
      ["ftp://p", "invalid-input"],
      ["http://p/path", "invalid-input"],
      ["http://169.254.169.254", "channel-proxy-metadata"],
      ["http://***@p:1", "channel-proxy-login"],
    ] as const) {
      const body = { type: 1, name: "p", key: "sk-1", models: "m", proxy };
      const { envelope } = await relay.root.send(createChannel, { body });
      assert.deepEqual([envelope?.code, envelope?.field], [code, "proxy"], proxy);
    }
  });
});
