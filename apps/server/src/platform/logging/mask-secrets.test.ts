import assert from "node:assert/strict";
import { test } from "node:test";
import { maskSecrets } from "./mask-secrets.ts";

test("fields with secret names are masked at any depth, also in JSON texts", () => {
  const secret = "hunter2hunter2";
  assert.deepEqual(
    maskSecrets({
      SMTPToken: secret,
      apiKey: [secret, { any: secret }],
      deep: [{ client_secret: { from: "", to: secret } }],
      config: JSON.stringify({ region: "eu", sk: secret, nested: { password: secret } }),
      recovery_codes: [secret],
    }),
    {
      SMTPToken: "(secret)",
      apiKey: ["(secret)", { any: "(secret)" }],
      deep: [{ client_secret: { from: "", to: "(secret)" } }],
      config: '{"region":"eu","sk":"(secret)","nested":{"password":"(secret)"}}',
      recovery_codes: ["(secret)"],
    },
  );
});

test("similar names stay: counts, ids, flags, names of models", () => {
  const harmless = {
    token_count: 3,
    tokens: 12,
    token: 5,
    key_id: "k-1",
    status_code: 200,
    password: "changed",
    models: "gpt-4o,o1",
    ModelRatio: '{"token":1,"gpt-4o":2.5}',
    monkey: "banana",
    turnkey: "yes",
  };
  assert.deepEqual(maskSecrets(harmless), harmless);
});

test("passwords in URLs, client keys and bearer tokens are masked in texts", () => {
  const masked = (text: string) => maskSecrets({ text });
  for (const [text, expected] of [
    ["socks5://me:pass:word@10.0.0.1:1080", "socks5://me:(secret)@10.0.0.1:1080"],
    ["https://a.example/x?api_key=abc&b=1#c", "https://a.example/x?api_key=(secret)&b=1#c"],
    ["use sk-abcdefghijklmnopqrstuvwx now", "use sk-(secret) now"],
    ["Authorization: Bearer abc.def-ghi", "Authorization: Bearer (secret)"],
    ["https://a.example:8080/me@example.com", "https://a.example:8080/me@example.com"],
  ] as const)
    assert.deepEqual(masked(text), { text: expected });
});
