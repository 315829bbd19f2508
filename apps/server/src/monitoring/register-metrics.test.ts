import assert from "node:assert/strict";
import { describe, test } from "node:test";
import Fastify from "fastify";
import { registerMetrics } from "./register-metrics.ts";
import { replyWithError } from "../http/reply-with-error.ts";

const TOKEN = "a-token-of-the-monitor";
const metrics = { read: () => Promise.resolve("up 1\n"), contentType: "text/plain; version=0.0.4; charset=utf-8" };

function serverWith(token: string, isOpen = false) {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  app.setErrorHandler(replyWithError);
  registerMetrics(app, { token, metrics, isOpen });
  return app;
}

describe("the metrics of a server", () => {
  test("are text in the format of Prometheus", async () => {
    const app = serverWith("");
    for (const url of ["/metrics", "/metrics/", "/metrics?name=up"]) {
      const { statusCode, headers, payload } = await app.inject({ url });
      assert.equal(statusCode, 200, url);
      assert.match(String(headers["content-type"]), /^text\/plain; version=0\.0\.4/);
      assert.equal(payload, "up 1\n");
    }
    assert.equal((await app.inject({ url: "/metrics", method: "HEAD" })).statusCode, 200);
  });

  test("are for this machine alone without a token, and not for what a proxy on it passes on", async () => {
    const statusOf = async (isOpen: boolean, options: { remoteAddress?: string; headers?: Record<string, string> }) =>
      (await serverWith("", isOpen).inject({ url: "/metrics", ...options })).statusCode;
    assert.equal(await statusOf(false, { remoteAddress: "203.0.113.5" }), 403);
    assert.equal(await statusOf(false, { headers: { "x-forwarded-for": "203.0.113.5" } }), 403);
    assert.equal(await statusOf(false, { remoteAddress: "::1" }), 200);
    assert.equal(await statusOf(true, { remoteAddress: "203.0.113.5" }), 200, "a port of their own is open");
  });

  test("need the token that is set, wherever the request comes from", async () => {
    for (const isOpen of [false, true]) {
      const statusOf = async (authorization: string, remoteAddress: string) =>
        (await serverWith(TOKEN, isOpen).inject({ url: "/metrics", remoteAddress, headers: { authorization } }))
          .statusCode;
      assert.equal(await statusOf("", "127.0.0.1"), 401);
      assert.equal(await statusOf(`Bearer ${TOKEN}x`, "127.0.0.1"), 401);
      assert.equal(await statusOf(`Bearer ${TOKEN}`, "203.0.113.5"), 200);
    }
  });
});
