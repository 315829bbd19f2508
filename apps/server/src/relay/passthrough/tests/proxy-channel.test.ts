import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, describe, it } from "node:test";
import { updateChannel } from "@one-api/contract/channels/channel";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { z } from "zod";
import { errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const PROXY = 43;
const seenSchema = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

describe("a channel of the type Proxy", () => {
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
  });

  /** A server that echoes requests, or behaves as a test needs. */
  async function start(answer = echo) {
    const server = createServer((request, response) => void answer(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    open.push(() => (server.closeAllConnections(), server.close()));
    const gateway = await startRelayTest();
    open.push(() => gateway.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return { gateway, url: `http://127.0.0.1:${port}` };
  }

  async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request;
    response.writeHead(201, {
      "content-type": "application/json",
      "x-provider": "yes",
      "set-cookie": "session=stolen",
    });
    response.end(JSON.stringify({ method, url, headers, body: await text(request) }));
  }

  const addProxy = (gateway: RelayTest, url: string, more: object = {}) =>
    gateway.addChannel({ url }, { type: PROXY, key: "Token channel-secret", models: "", ...more });
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  it("forwards any path and method with the channel's key, free and logged", async () => {
    const { gateway, url } = await start();
    await addProxy(gateway, `${url}/base`);
    const key = await gateway.addToken({ remain_quota: 0 });
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY"]) {
      const body = method === "GET" ? {} : { body: "some bytes" };
      const headers = { ...bearer(key), "x-custom": "kept", cookie: "session=mine" };
      const answer = await fetch(`${gateway.url}/v1/oneapi/proxy/1/a%20b/c?q=1`, { method, headers, ...body });
      assert.deepEqual([answer.status, answer.headers.get("x-provider")], [201, "yes"]);
      assert.deepEqual([answer.headers.get("set-cookie"), answer.headers.has("x-request-id")], [null, true]);
      assert.match(answer.headers.get("content-security-policy") ?? "", /sandbox/);
      const seen = seenSchema.parse(await answer.json());
      assert.deepEqual([seen.method, seen.url], [method, "/base/a%20b/c?q=1"]);
      assert.deepEqual([seen.headers["authorization"], seen.headers["x-custom"]], ["Token channel-secret", "kept"]);
      assert.equal(seen.body, method === "GET" ? "" : "some bytes");
      assert.ok(!JSON.stringify(seen).includes(key.slice(3)) && !JSON.stringify(seen).includes("session="));
    }
    const log = await gateway.lastLog();
    assert.equal(log.token_id, 1);
    assert.deepEqual([log.quota, log.status_code, log.result, log.channel_id], [0, 201, "ok", 1]);
    assert.equal(log.content, "Passed on QUERY /a%20b/c.");
  });

  it("streams both ways, before the end of the request and of the answer", async () => {
    const { gateway, url } = await start(async (request, response) => {
      for await (const piece of request) response.write(`got ${String(piece)}`);
      response.end();
    });
    await addProxy(gateway, url);
    const headers = bearer(await gateway.addToken());
    const sent = new TransformStream<string, string>();
    const writer = sent.writable.getWriter();
    void writer.write("first");
    const body = sent.readable.pipeThrough(new TextEncoderStream());
    const answer = await fetch(`${gateway.url}/v1/oneapi/proxy/1/`, { method: "POST", headers, body, duplex: "half" });
    const reader = (answer.body ?? assert.fail()).pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await reader.read()).value, "got first");
    void writer.write("second");
    assert.equal((await reader.read()).value, "got second");
    void writer.close();
    assert.equal((await reader.read()).done, true);
  });

  it("counts a running request against the limit of concurrent requests, until it has ended", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const { gateway, url } = await start(async (_request, response) => {
      response.write("first");
      await released;
      response.end();
    });
    await addProxy(gateway, url);
    const key = await gateway.addToken({ concurrent_limit: 1 });
    const call = () => fetch(`${gateway.url}/v1/oneapi/proxy/1/x`, { headers: bearer(key) });
    const running = await call();
    const refused = await call();
    assert.deepEqual([refused.status, (await errorOf(refused)).code], [429, "rate_limit_exceeded"]);
    release(undefined);
    assert.equal(await running.text(), "first");
    await waitUntil(async () => {
      const answer = await call();
      await answer.text();
      return answer.status === 200;
    });
  });

  it("is allowed to administrators, and to tokens of its groups that may call one of its models", async () => {
    const { gateway, url } = await start();
    await addProxy(gateway, url);
    await addProxy(gateway, url, { models: "weather" });
    await gateway.addChannel({ url });
    const { client } = await gateway.testApp.logInAs("user");
    const admin = await gateway.addToken();
    const theirs = await gateway.addToken({ remain_quota: 0 }, client);
    const narrow = await gateway.addToken({ remain_quota: 0, models: "other" }, client);
    const call = async (key: string, channel: number) => {
      const answer = await fetch(`${gateway.url}/v1/oneapi/proxy/${channel}/x`, { headers: bearer(key) });
      return answer.status === 201 ? "passed" : (await errorOf(answer)).code;
    };
    assert.deepEqual([await call(admin, 1), await call(admin, 2)], ["passed", "passed"]);
    assert.deepEqual([await call(theirs, 1), await call(theirs, 2)], ["channel_not_allowed", "passed"]);
    assert.equal(await call(narrow, 2), "channel_not_allowed");
    // Neither reveals which channels exist.
    assert.deepEqual([await call(theirs, 3), await call(theirs, 99)], ["channel_not_allowed", "channel_not_allowed"]);
    assert.deepEqual([await call(admin, 3), await call(admin, 99)], ["invalid_channel", "invalid_channel"]);
    await gateway.root.data(updateChannel, { body: { id: 1, status: 2 } });
    assert.equal(await call(admin, 1), "channel_disabled");
    const limited = await gateway.addToken({ rpm_limit: 1 });
    assert.deepEqual([await call(limited, 2), await call(limited, 2)], ["passed", "rate_limit_exceeded"]);
    assert.equal(await call(await gateway.addToken({ moderations_enable: true }), 2), "moderation_unavailable");
    assert.equal((await fetch(`${gateway.url}/v1/oneapi/proxy/2/x`)).status, 401);
    const away = await gateway.post("/v1/oneapi/proxy/2/%2e%2e/x", admin, {});
    assert.deepEqual([away.status, (await errorOf(away)).code], [400, "invalid_path"]);
  });

  it("ends with its caller, and reports a provider that does not answer", async () => {
    const closed = Promise.withResolvers<void>();
    const { gateway, url } = await start(async (request, response) => {
      if (request.url === "/cut") return void response.destroy();
      response.write("begun");
      response.once("close", closed.resolve);
      await closed.promise;
    });
    await addProxy(gateway, url);
    const headers = bearer(await gateway.addToken());
    const interrupted = await fetch(`${gateway.url}/v1/oneapi/proxy/1/cut`, {
      headers: { ...headers, connection: "close" },
    });
    assert.deepEqual([interrupted.status, (await errorOf(interrupted)).code], [502, "upstream_failed"]);
    assert.equal((await gateway.lastLog()).result, "connection");
    const caller = new AbortController();
    const answer = await fetch(`${gateway.url}/v1/oneapi/proxy/1/x`, { headers, signal: caller.signal });
    assert.equal(answer.status, 200);
    caller.abort();
    await closed.promise;
    assert.equal((await gateway.lastLog()).result, "caller-gone");
  });
});
