import assert from "node:assert/strict";
import { test } from "node:test";
import { callOf, connectionTo } from "../../testing/call-provider.ts";

test("DeepL's address depends on the key, unless the channel has its own", () => {
  const urlWith = (key: string, baseUrl = "") => callOf(38, connectionTo(baseUrl, { key })).address.url;
  assert.equal(urlWith("a:fx"), "https://api-free.deepl.com/v2/translate");
  assert.equal(urlWith("a"), "https://api.deepl.com/v2/translate");
  assert.equal(urlWith("a", "https://api-free.deepl.com"), "https://api.deepl.com/v2/translate");
  assert.equal(urlWith("a:fx", "https://deepl.host.example/v2"), "https://deepl.host.example/v2/translate");
  assert.equal(urlWith("a", "https://api.deepl.com.host.example"), "https://api.deepl.com.host.example/v2/translate");
  assert.equal(callOf(38, connectionTo("")).address.headers.authorization, "DeepL-Auth-Key sk-test");
});
