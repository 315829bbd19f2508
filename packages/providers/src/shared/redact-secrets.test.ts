import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_MESSAGE_LENGTH, redactSecrets } from "./redact-secrets.ts";

const secrets = [
  "sk-abcdefghijklmnop",
  "sk-proj-AbCd_1234-efgh5678",
  "sk-ant-api03-abcdefgh",
  "sk-abcd****wxyz",
  "gsk_abcdefghijklmnop",
  "xai-abcdefghijklmnop",
  "AIzaSyA1234567890abcdefghijklmnopqrs",
  "AKIAIOSFODNN7EXAMPLE",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123",
  "0123456789abcdef0123456789abcdef",
  "8f14e45fceea167a5a36dedd.4bea2543abcdefgh12",
  "dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgMTIzNDU2Nzg5MA==",
  "org-abcdefghijklmnop1234",
  "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  "Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1J",
];

for (const secret of secrets) {
  test(`${secret} is removed from a message`, () => {
    const redacted = redactSecrets(`Incorrect API key provided: ${secret}, check it.`);
    assert.ok(!redacted.includes(secret.slice(4, 12)), redacted);
    assert.match(redacted, /^Incorrect API key provided: .*check it\.$/);
  });
}

test("bearer tokens and named secrets are removed", () => {
  assert.ok(!redactSecrets("sent Authorization: Bearer abcdef").includes("abcdef"));
  assert.ok(!redactSecrets('{"api_key":"short1"}').includes("short1"));
  assert.ok(!redactSecrets("password=hunter2").includes("hunter2"));
});

test("addresses are removed", () => {
  for (const address of [
    "https://10.0.0.7:8443/v1/x?key=1",
    "10.0.0.7:8443",
    "gateway.internal:8080",
    "api.openai.com/v1",
    "localhost:3000",
    "fe80:0:0:0:1:2:3:4",
    "wss://h.example/x",
  ]) {
    const redacted = redactSecrets(`connect ECONNREFUSED ${address} now`);
    assert.match(redacted, /^connect ECONNREFUSED \[address\] now$/, redacted);
  }
});

test("ordinary messages are unchanged", () => {
  for (const message of [
    "Rate limit reached for gpt-4o-mini-2024-07-18 in organization. Please try again in 1.2s.",
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 150123 tokens.",
    "The model `meta-llama/llama-4-maverick-17b-128e-instruct` does not exist",
    "Invalid value for 'messages[0].role': expected one of 'system', 'user'.",
    "Model accounts/fireworks/models/deepseek_v3p1_instruct_long_context not found",
    "余额不足或无可用资源包,请充值。",
    "tool_call_ids did not have response messages: call_1",
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ]) {
    assert.equal(redactSecrets(message), message);
  }
});

test("messages are one line of limited length", () => {
  assert.equal(redactSecrets("a\n\tb"), "a b");
  const long = redactSecrets("word ".repeat(1_000));
  assert.equal(long.length, MAX_MESSAGE_LENGTH);
  assert.ok(long.endsWith("…"));
});
