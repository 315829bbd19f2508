import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RelayError } from "../errors/index.ts";
import { readProxyTarget, targetHeaders, targetUrl } from "./proxy-target.ts";

const KEY = "k".repeat(48);

describe("the target of a proxied request", () => {
  it("is a channel and a path below its address", () => {
    assert.deepEqual(readProxyTarget("/v1/oneapi/proxy/7/v1/x?a=1&b=%20"), {
      channelId: 7,
      rest: "/v1/x",
      query: "a=1&b=%20",
    });
    assert.deepEqual(readProxyTarget("/v1/oneapi/proxy/7"), { channelId: 7, rest: "/", query: "" });
    assert.equal(readProxyTarget("/v1/oneapi"), undefined);
    assert.equal(readProxyTarget("/v1/models"), undefined);
  });

  it("never leaves the channel's address", () => {
    for (const rest of [
      "../x",
      "a/../../x",
      "a/..",
      "%2e%2e/x",
      "%2E./x",
      "a%2f..%2fx",
      "..%5Cx",
      "%252e%252e/x",
      "..;/x",
      "./x",
    ]) {
      assert.throws(() => readProxyTarget(`/v1/oneapi/proxy/7/${rest}`), RelayError, rest);
    }
    for (const channel of ["0", "x", "-1", "7x", "99999999999999999"])
      assert.throws(() => readProxyTarget(`/v1/oneapi/proxy/${channel}/x`), RelayError, channel);
    const base = new URL("https://api.example.com/base/");
    for (const rest of ["//evil.example/x", "/@evil.example", "/\\evil.example", "/a..b/...", "/%2F%2Fevil"]) {
      const url = targetUrl(base, readProxyTarget(`/v1/oneapi/proxy/7${rest}`) ?? assert.fail(rest), KEY);
      assert.equal(url.origin, base.origin, rest);
      assert.ok(url.pathname.startsWith("/base/"), url.href);
    }
  });

  it("has the channel's key, and the caller's nowhere", () => {
    const target = readProxyTarget(`/v1/oneapi/proxy/7/x?key=sk-${KEY}&q=1`) ?? assert.fail();
    assert.equal(targetUrl(new URL("https://api.example.com"), target, KEY).href, "https://api.example.com/x?q=1");
    const headers = {
      host: "gateway",
      connection: "keep-alive, x-hop",
      "x-hop": "1",
      authorization: `Bearer sk-${KEY}`,
      "x-api-key": `sk-${KEY}`,
      "x-other": "forwarded",
      cookie: "session=secret",
      "content-length": "2",
      "content-type": "text/plain",
      "x-forwarded-for": "10.0.0.1",
      "transfer-encoding": "chunked",
    };
    assert.deepEqual(targetHeaders(headers, KEY, "Bearer channel-key"), {
      "x-other": "forwarded",
      "content-length": "2",
      "content-type": "text/plain",
      authorization: "Bearer channel-key",
      "accept-encoding": "identity",
    });
  });
});
