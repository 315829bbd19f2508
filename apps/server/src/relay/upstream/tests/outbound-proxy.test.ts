import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setOptions } from "../../../testing/set-options.ts";
import { chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { startTlsFront } from "@one-api/http1/testing/start-tls-front";
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
});
