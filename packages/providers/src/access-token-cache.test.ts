import assert from "node:assert/strict";
import { test } from "node:test";
import { AccessTokenCache } from "./access-token-cache.ts";

const HOUR_MS = 3_600_000;

/** Tokens of a key, numbered as they were exchanged, each for an hour. */
function exchanging(most = 10) {
  const tokens = new AccessTokenCache(most);
  const at = { nowMs: 0 };
  let exchanges = 0;
  const exchange = () => {
    exchanges += 1;
    return Promise.resolve({ text: `token ${exchanges}`, expiresAtMs: at.nowMs + HOUR_MS });
  };
  const get = (key = "key") => tokens.get(key, () => at.nowMs, exchange);
  return { tokens, at, get, exchanges: () => exchanges };
}

test("concurrent requests share the exchange of a key, and other keys have their own", async () => {
  const { get, exchanges } = exchanging();
  assert.deepEqual(await Promise.all([get(), get(), get()]), ["token 1", "token 1", "token 1"]);
  assert.equal(await get("other"), "token 2");
  assert.deepEqual([await get(), exchanges()], ["token 1", 2]);
});

test("a token is renewed in the background before it expires; an expired one is awaited", async () => {
  const { at, get, exchanges } = exchanging();
  await get();
  at.nowMs = HOUR_MS * 0.89;
  assert.deepEqual([await get(), exchanges()], ["token 1", 1]);
  at.nowMs = HOUR_MS * 0.91;
  assert.deepEqual([await get(), exchanges()], ["token 1", 2]);
  assert.equal(await get(), "token 2");
  at.nowMs += HOUR_MS;
  assert.equal(await get(), "token 3");
});

test("a refused token is removed, unless it was replaced since", async () => {
  const { tokens, get } = exchanging();
  tokens.forget("key", await get());
  assert.equal(await get(), "token 2");
  tokens.forget("key", "token 1");
  assert.equal(await get(), "token 2");
});

test("a failed exchange rejects its waiters and is retried", async () => {
  const tokens = new AccessTokenCache(1);
  const get = (exchange: () => Promise<{ text: string; expiresAtMs: number }>) => tokens.get("key", () => 0, exchange);
  await assert.rejects(
    get(() => Promise.reject(new Error("refused"))),
    /refused/,
  );
  assert.equal(await get(() => Promise.resolve({ text: "token", expiresAtMs: HOUR_MS })), "token");
});

test("the oldest key is removed above the limit", async () => {
  const { get } = exchanging(2);
  assert.deepEqual([await get("a"), await get("b"), await get("c")], ["token 1", "token 2", "token 3"]);
  assert.deepEqual([await get("c"), await get("a")], ["token 3", "token 4"]);
});
