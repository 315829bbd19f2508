import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { isTurnEnd, openLive, openSession, SessionRefused } from "../../testing/open-session.ts";
import { setOptions } from "../../testing/set-options.ts";
import { type RelayTest, startRelayTest } from "../../testing/start-relay-test.ts";
import { startTlsFront, type TlsFront } from "@one-api/http1/testing/start-tls-front";
import { startHttpTunnel, startSocksTunnel, type Tunnel } from "../../testing/servers/start-tunnel.ts";

const LIVE = "gemini-3.1-flash-live-preview";
const LIVE_BEHIND = "gemini-live-2.5-flash-preview";

describe("the connection of a realtime session to its provider", () => {
  let gateway: RelayTest;
  let upstream: StubServer;
  let front: TlsFront;
  let key: string;
  let port: number;
  before(async () => {
    gateway = await startRelayTest();
    upstream = await gateway.upstream();
    port = Number(new URL(upstream.url).port);
    front = await startTlsFront(port);
    await gateway.addChannel({ url: "http://provider.invalid/openai" }, { models: "gpt-realtime" });
    await gateway.addChannel({ url: "https://provider.invalid/openai" }, { models: "gpt-realtime-1.5" });
    await gateway.addChannel({ url: `https://127.0.0.1:${front.port}/openai` }, { models: "gpt-realtime-mini" });
    await gateway.addChannel({ url: `https://127.0.0.1:${front.port}/gemini` }, { type: 24, models: LIVE });
    await gateway.addChannel({ url: "https://provider.invalid/gemini" }, { type: 24, models: LIVE_BEHIND });
    key = await gateway.addToken();
    await setOptions(gateway.testApp, { RetryTimes: "0" });
  });
  after(async () => {
    await gateway.close();
    front.close();
  });
  afterEach(() => setOptions(gateway.testApp, { GlobalProxyEnabled: "false" }));

  async function answered(model: string): Promise<void> {
    const session = await openSession(gateway.url, key, { model });
    assert.equal((await session.ask("hello there"))["type"], "response.done");
    session.socket.close();
    await session.closed();
    const { result, quota } = await gateway.lastLog();
    assert.deepEqual([result, quota > 0], ["ok", true]);
  }
  async function answeredLive(model: string): Promise<void> {
    const session = await openLive(gateway.url, key, { model: `models/${model}` });
    assert.ok(isTurnEnd(await session.ask("hello there")));
    session.socket.close();
    await session.closed();
    const { result, quota } = await gateway.lastLog();
    assert.deepEqual([result, quota > 0], ["ok", true]);
  }
  const refused = (model: string) =>
    assert.rejects(
      openSession(gateway.url, key, { model }),
      (error) => error instanceof SessionRefused && error.status === 502,
    );

  it("uses TLS with trusted certificates only", async () => {
    await refused("gpt-realtime-mini");
    const live = await openLive(gateway.url, key, { model: `models/${LIVE}` });
    assert.equal(await live.closed(), 1011);
    assert.equal(upstream.requests.length, 0, "the key was sent to an untrusted server");
    front.trust();
    await answered("gpt-realtime-mini");
    await answeredLive(LIVE);
  });

  const tunnels: readonly (readonly [string, () => Promise<Tunnel>])[] = [
    ["an HTTP", startHttpTunnel],
    ["a SOCKS", startSocksTunnel],
  ];
  for (const [name, startTunnel] of tunnels) {
    it(`goes through ${name} proxy of the channel's own`, async (t) => {
      const tunnel = await startTunnel();
      t.after(() => tunnel.close());
      tunnel.leadTo(port);
      // A new model for each, as the channel is picked by it.
      const models = tunnel.url.startsWith("http") ? "gpt-realtime-2025-08-28" : "gpt-realtime-mini-2025-10-06";
      await gateway.addChannel({ url: "http://provider.invalid/openai" }, { models, proxy: tunnel.url });
      await answered(models);
      assert.deepEqual(tunnel.asked, [{ target: "provider.invalid:80", login: "me:word" }]);
    });

    it(`[SYS-39] goes through ${name} proxy while it is switched on, with TLS inside too`, async (t) => {
      const tunnel = await startTunnel();
      t.after(() => tunnel.close());
      front.trust();
      await setOptions(gateway.testApp, { HttpProxy: tunnel.url, GlobalProxyEnabled: "true" });
      tunnel.leadTo(port);
      await answered("gpt-realtime");
      tunnel.leadTo(front.port);
      await answered("gpt-realtime-1.5");
      await answeredLive(LIVE_BEHIND);
      const login = "me:word";
      assert.deepEqual(tunnel.asked, [
        { target: "provider.invalid:80", login },
        { target: "provider.invalid:443", login },
        { target: "provider.invalid:443", login },
      ]);
      await setOptions(gateway.testApp, { GlobalProxyEnabled: "false" });
      await refused("gpt-realtime");
      assert.equal(tunnel.asked.length, 3);
    });
  }
});
