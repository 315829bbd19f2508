import assert from "node:assert/strict";
import { describe, test } from "node:test";
import Fastify from "fastify";
import { registerMetrics } from "./register-metrics.ts";
import { replyWithError } from "./reply-with-error.ts";

const TOKEN = "a-token-of-the-monitor";

function serverWith(token: string) {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  app.setErrorHandler(replyWithError);
  registerMetrics(app, { token, active: { size: 2, endedCount: 7 } });
  return app;
}

describe("the metrics of a server", () => {
  test("are text in the format of Prometheus, with the relayed requests", async () => {
    const app = serverWith("");
    for (const url of ["/metrics", "/metrics/", "/metrics?name=up"]) {
      const { statusCode, headers, payload } = await app.inject({ url });
      assert.equal(statusCode, 200, url);
      assert.match(String(headers["content-type"]), /^text\/plain; version=0\.0\.4/);
      assert.match(payload, /^# TYPE process_cpu_seconds_total counter$/m);
      assert.match(payload, /^one_api_relay_requests_in_flight 2$/m);
      assert.match(payload, /^one_api_relay_requests_total 7$/m);
    }
    assert.equal((await app.inject({ url: "/metrics", method: "HEAD" })).statusCode, 200);
  });

  test("are for this machine alone without a token, and not for what a proxy on it passes on", async () => {
    const app = serverWith("");
    const statusOf = async (options: { remoteAddress?: string; headers?: Record<string, string> }) =>
      (await app.inject({ url: "/metrics", ...options })).statusCode;
    assert.equal(await statusOf({ remoteAddress: "203.0.113.5" }), 403);
    assert.equal(await statusOf({ headers: { "x-forwarded-for": "203.0.113.5" } }), 403);
    assert.equal(await statusOf({ remoteAddress: "::1" }), 200);
  });

  test("need the token that is set, wherever the request comes from", async () => {
    const app = serverWith(TOKEN);
    const statusOf = async (authorization: string, remoteAddress: string) =>
      (await app.inject({ url: "/metrics", remoteAddress, headers: { authorization } })).statusCode;
    assert.equal(await statusOf("", "127.0.0.1"), 401);
    assert.equal(await statusOf(`Bearer ${TOKEN}x`, "127.0.0.1"), 401);
    assert.equal(await statusOf(`Bearer ${TOKEN}`, "203.0.113.5"), 200);
  });
});
