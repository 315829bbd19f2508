import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { after, before, describe, test } from "node:test";
import { setOptions } from "../../testing/set-options.ts";
import { chatBody, type RelayTest, startRelayTest } from "../../testing/start-relay-test.ts";
import { startTlsFront } from "../../testing/servers/start-tls-front.ts";
import { startSocksTunnel } from "../../testing/servers/start-tunnel.ts";

describe("calls of providers through a proxy", () => {
  let relay: RelayTest;
  let proxy: Server;
  const asked: { target: string; login: string }[] = [];
  let leadTo = 0;
  before(async () => {
    relay = await startRelayTest();
    // A proxy that leads every name to the stub provider: only what went through it arrives.
    proxy = createServer((incoming, outgoing) => {
      const target = new URL(incoming.url ?? "");
      asked.push({ target: target.host, login: incoming.headers["proxy-authorization"] ?? "" });
      const { method, headers } = incoming;
      const path = target.pathname + target.search;
      const onward = request({ host: "127.0.0.1", port: leadTo, method, headers, path }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(onward);
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
  });
  after(async () => {
    await relay.close();
    proxy.closeAllConnections();
    proxy.close();
  });

  test("[SYS-39] go where the proxy leads while it is switched on, and straight on again when it is not", async () => {
    const upstream = await relay.upstream();
    leadTo = Number(new URL(upstream.url).port);
    await relay.addChannel({ url: "http://provider.invalid" });
    const key = await relay.addToken();
    const ask = async () => {
      const messages = [{ role: "user", content: "hi" }];
      const answer = await relay.post("/v1/chat/completions", key, { model: "gpt-4o-mini", messages });
      await answer.text();
      return answer.status;
    };
    const address = proxy.address();
    assert.ok(typeof address === "object" && address !== null);
    await setOptions(relay.testApp, {
      HttpProxy: `http://me:word@127.0.0.1:${address.port}`,
      GlobalProxyEnabled: "true",
      RetryTimes: "0",
    });
    assert.equal(await ask(), 200);
    const login = `Basic ${Buffer.from("me:word").toString("base64")}`;
    assert.deepEqual(asked, [{ target: "provider.invalid", login }]);
    await setOptions(relay.testApp, { GlobalProxyEnabled: "false" });
    assert.notEqual(await ask(), 200, "the name leads nowhere without the proxy");
    assert.equal(asked.length, 1);
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
      await relay.addChannel({ url: `${scheme}://provider.invalid` }, { models: model, name: model });
      const answer = await relay.post("/v1/chat/completions", key, chatBody("hi", { model, stream: true }));
      assert.match(await answer.text(), /You[\s\S]*\[DONE\]/);
      assert.deepEqual(tunnel.asked.at(-1), { target: `provider.invalid:${given}`, login: "me:word" });
    }
    await setOptions(relay.testApp, { GlobalProxyEnabled: "false" });
  });
});
