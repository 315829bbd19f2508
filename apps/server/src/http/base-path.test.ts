import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutBasePath } from "./base-path.ts";

test("a URL loses the base path, and nothing that only begins like it", () => {
  for (const [url, rest] of [
    ["/gateway/v1/models?limit=1", "/v1/models?limit=1"],
    ["/gateway", "/"],
    ["/gateway?expired=true", "/?expired=true"],
    ["/gateway/", "/"],
    ["/gateways/v1", "/gateways/v1"],
    ["/v1/models", "/v1/models"],
  ] as const) {
    assert.equal(withoutBasePath(url, "/gateway"), rest);
    assert.equal(withoutBasePath(url, ""), url);
  }
});
