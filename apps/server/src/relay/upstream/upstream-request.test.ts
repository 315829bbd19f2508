import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toDispatchOptions, type UpstreamRequest } from "./upstream-request.ts";

const request: UpstreamRequest = {
  address: { url: "https://api.example.com:8443/v1/messages?beta=true", headers: { "x-api-key": "key" } },
  body: Buffer.from("{}"),
  firstByteTimeoutMs: 1_000,
  firstContentTimeoutMs: 2_000,
  idleTimeoutMs: 3_000,
};

describe("toDispatchOptions", () => {
  it("sends JSON by POST, and lets a request's own headers win over the address's", () => {
    const options = toDispatchOptions({ ...request, headers: { "x-api-key": "own", "x-hop": "1" } });
    assert.equal(options.origin, "https://api.example.com:8443");
    assert.equal(options.path, "/v1/messages?beta=true");
    assert.equal(options.method, "POST");
    assert.equal(options.body, request.body);
    assert.deepEqual(options.headers, {
      "x-api-key": "own",
      "x-hop": "1",
      "content-type": "application/json",
      "accept-encoding": "identity",
    });
    assert.deepEqual([options.headersTimeout, options.bodyTimeout], [1_000, 3_000]);
  });

  it("sends no body with GET", () => {
    const options = toDispatchOptions({ ...request, method: "GET" });
    assert.deepEqual([options.method, options.body], ["GET", null]);
  });

  it("splits more addresses than it remembers", () => {
    for (let id = 0; id < 1_500; id += 1) {
      const address = { url: `https://host-${id}.example.com/v1`, headers: {} };
      assert.equal(toDispatchOptions({ ...request, address }).origin, `https://host-${id}.example.com`);
    }
  });
});
