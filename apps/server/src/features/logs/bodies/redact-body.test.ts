import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { redactBody } from "./redact-body.ts";

const MIXED = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7m";

/** The secret must be removed; `around` stays. */
const SECRETS: readonly { readonly text: string; readonly secret: string; readonly around?: string }[] = [
  { text: `my key is sk-${MIXED}, keep it`, secret: MIXED, around: "my key is" },
  { text: "sk-proj-abc_1def-ghi2jkl", secret: "abc_1def" },
  { text: "AIzaSyA1234567890abcdefghijklmnop", secret: "1234567890" },
  { text: "AKIAIOSFODNN7EXAMPLE", secret: "IOSFODNN7" },
  { text: "Authorization: Bearer abc123.def456-ghi", secret: "abc123" },
  { text: '{"password":"correct horse battery staple","x":1}', secret: "horse", around: '"x":1' },
  {
    text: '{"arguments":"{\\"api_key\\": \\"topsecret\\", \\"city\\": \\"Bern\\"}"}',
    secret: "topsecret",
    around: "Bern",
  },
  { text: "postgres://app:hunter22@db/x", secret: "hunter22", around: "db/x" },
  { text: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF", secret: "eyJzdWIi" },
  { text: '"\\u0073\\u006b-live\\u005f1234567890"', secret: "1234567890" },
  { text: "0123456789abcdef0123456789abcdef", secret: "0123456789abcdef" },
  { text: `-----BEGIN RSA PRIVATE KEY-----\\nMII${"x".repeat(40)}\\n`, secret: "MII" },
  { text: `{"url":"data:image/png;base64,${"iVBORw0K".repeat(50)}","n":1}`, secret: "iVBORw0K", around: '"n":1' },
  { text: '"data:text/html,%3Ch1%3Ehello%3C%2Fh1%3E"', secret: "hello" },
  { text: `{"data":"${"abc\\/".repeat(100)}"}`, secret: "abc" },
];

const PLAIN = [
  '{"model":"gpt-4o","max_tokens":200,"messages":[{"role":"user","content":"A basic question about key-values."}]}',
  "Tell me of tokens and passwords: what makes a good one?",
  "Die Straße ist lang. 你好，世界 🎉",
];

describe("stored bodies", () => {
  for (const { text, secret, around = "" } of SECRETS) {
    test(`contain no ${text.slice(0, 30)}`, () => {
      const redacted = redactBody(text);
      assert.ok(!redacted.includes(secret), redacted);
      assert.ok(redacted.includes(around), redacted);
    });
  }

  test("contain the rest unchanged", () => {
    for (const text of PLAIN) assert.equal(redactBody(text), text);
    assert.equal(redactBody("a\0b\uD800"), "a\uFFFDb\uFFFD");
  });

  test("are redacted in linear time", () => {
    const parts = [
      "a",
      "sk-.",
      "eyJ-",
      "data:",
      "/",
      "\\/",
      "key-",
      '"password',
      "-----BEGIN PRIVATE KEY-----",
      "a1B",
      "://x:",
    ];
    // Quadratic work would take hours.
    for (const part of parts) redactBody(part.repeat(Math.ceil(2_000_000 / part.length)));
  });
});
